/**
 * Messages of the conversation, for whoever is interested: the transcript, the dialog that asks,
 * the toasts, tours and browser functions. The conversation outlives pages, and so do these.
 */
import type { MessageOf, VoiceMessage } from "./messages";

type Listener = (message: never) => void;

const listeners = new Map<string, Set<Listener>>();
let sender: ((message: object) => boolean) | null = null;

/** Hears messages of one type; the answer takes it back. */
export function on<T extends VoiceMessage["type"]>(type: T, listener: (message: MessageOf<T>) => void): () => void {
  const those = listeners.get(type) ?? new Set();
  listeners.set(type, those.add(listener));
  return () => those.delete(listener);
}

export function heard(message: VoiceMessage): void {
  for (const listener of listeners.get(message.type) ?? []) listener(message as never);
}

/** Says something to the server. False: there is no open conversation. */
export function say(message: object): boolean {
  return sender?.(message) ?? false;
}

/** The socket in use; null when there is none. */
export function speakThrough(send: ((message: object) => boolean) | null): void {
  sender = send;
}
