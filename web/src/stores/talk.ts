/** The conversation, for the parts of the console that are there before it is. */
import { computed, signal } from "@preact/signals";

export interface Conversation {
  phase: { value: string };
  sessionId: { value: string | null };
  setup: { value: { mode?: string; model?: string | null } | null };
  start: () => Promise<void> | void;
  hangUp: () => Promise<void> | void;
  restart: (who: { backend: string; model: string }) => Promise<void> | void;
}

export const conversation = signal<Conversation | null>(null);
export const talking = computed(() => {
  const phase = conversation.value?.phase.value;
  return phase !== undefined && phase !== "idle" && phase !== "ended";
});
