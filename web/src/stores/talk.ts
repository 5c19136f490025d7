/** The conversation, for the parts of the console that are there before it is loaded. */
import { computed, signal } from "@preact/signals";

export interface Conversation {
  phase: { value: string };
  /** The microphone is on. */
  live: { value: boolean };
  conversationId: { value: string | null };
  setup: { value: { mode?: string; model?: string | null } | null };
  start: () => Promise<void>;
  hangUp: () => void;
  restart: (who: { backend: string; model: string }) => Promise<void>;
  sendText: (text: string) => void;
}

/** The profile of the agent that answers: everything that the console has a page for. */
export const TALK_PROFILE = "workspace";

/** Null until a page has needed it. */
export const conversation = signal<Conversation | null>(null);

/** The microphone is on, or about to be. */
export const talking = computed(() => conversation.value?.live.value ?? false);

/** Puts a question to the agent, from wherever the person is. */
export async function ask(text: string): Promise<void> {
  const { sendText } = await import("../voice/conversation");
  sendText(text);
}

/** Puts words into the composer; they are sent when the person says so. */
export async function compose(text: string): Promise<void> {
  const { putDraft } = await import("../voice/thread");
  putDraft(text);
}

/** Turns the microphone on, from wherever the person is. */
export async function talk(): Promise<void> {
  const { start } = await import("../voice/conversation");
  await start();
}
