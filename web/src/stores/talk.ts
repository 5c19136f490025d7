/** The conversation, for the parts of the console that are there before it is loaded. */
import { computed, signal } from "@preact/signals";

export interface Conversation {
  phase: { value: string };
  sessionId: { value: string | null };
  setup: { value: { mode?: string; model?: string | null } | null };
  start: () => Promise<void>;
  hangUp: () => void;
  restart: (who: { backend: string; model: string }) => Promise<void>;
}

/** The profile of the agent that answers on Talk and Chat: everything that the console has a page for. */
export const TALK_PROFILE = "workspace";

/** Null until a page has needed it. */
export const conversation = signal<Conversation | null>(null);

/** One is open, or about to be. */
export const talking = computed(() => (conversation.value?.phase.value ?? "off") !== "off");

/** Begins to talk, from wherever the person is. */
export async function talk(): Promise<void> {
  const { start } = await import("../voice/conversation");
  await start();
}

/** Puts a question to the agent, from wherever the person is. */
export async function ask(text: string): Promise<void> {
  const { sendText } = await import("../voice/conversation");
  sendText(text);
}

/** Puts words into the composer; they are sent when the person says so. */
export async function compose(text: string): Promise<void> {
  const { draft } = await import("../pages/chat/written");
  draft.value = draft.peek() ? `${draft.peek()}\n${text}` : text;
}
