/**
 * The one conversation of the console, spoken or written: what was said and done in it, which it is, and
 * what is being typed. It stays while pages change.
 */
import { batch, effect, signal } from "@preact/signals";

import { at, go, route } from "../router";
import { draftOf, forget, keep, keepDraft, kept } from "./keeping";
import { entriesOf, loadConversation } from "./stored";
import { type Entry, Transcript } from "./transcript";

export const transcript = new Transcript();
export const { entries } = transcript;
/** The id of its first session. Null: nothing was said yet. */
export const conversationId = signal<string | null>(null);
export const loading = signal(false);
/** What is in the way of the conversation as a whole, or of the message that was sent last. */
export const problem = signal<Error | null>(null);
/** What was typed and not sent. */
export const draft = signal(draftOf(null));
/** Counts changes of conversation: what belongs to an earlier one comes to nothing. */
export const round = signal(0);

/** Before another conversation is shown: whoever is busy with this one lets go of it. */
export const leaving = new Set<() => void>();

/** Shows a conversation from the server; null: an empty one. */
export async function show(id: string | null): Promise<void> {
  if (id !== null && id === conversationId.peek() && !(problem.peek() && !entries.peek().length)) return;
  begin(id);
  if (id === null) {
    forget();
    return;
  }
  const mine = round.peek();
  keep(kept()?.conversation === id ? kept()! : { conversation: id });
  loading.value = true;
  try {
    const stored = await loadConversation(id);
    if (mine !== round.peek()) return;
    // What was said while it was loaded stays below it.
    transcript.restore([...entriesOf(stored), ...entries.peek().filter((each) => each.id > 0)]);
  } catch (error) {
    if (mine !== round.peek()) return;
    problem.value = error as Error;
    forget();
  } finally {
    if (mine === round.peek()) loading.value = false;
  }
}

/** Goes on in a branch, of which everything is known already: what was said up to an entry of this one. */
export function takeBranch(id: string, said: Entry[]): void {
  const sources = transcript.sources.peek();
  begin(id);
  keep({ conversation: id });
  transcript.restore(said);
  transcript.sources.value = new Map([...sources, ...transcript.sources.peek()]);
  go(at("chat", [id]));
}

/** Begins a new one. */
export function renew(): void {
  void show(null);
  go(at(route.peek().page === "vox" ? "vox" : "chat"));
}

function begin(id: string | null): void {
  for (const leave of leaving) leave();
  batch(() => {
    round.value++;
    transcript.clear();
    conversationId.value = id;
    problem.value = null;
    loading.value = false;
    draft.value = draftOf(id);
  });
}

/** It has its name now: the address leads back to it. */
export function named(id: string): void {
  if (id === conversationId.peek()) return;
  const typed = draft.peek();
  keepDraft(conversationId.peek(), "");
  conversationId.value = id;
  keepDraft(id, typed);
  const { page, rest } = route.peek();
  // A step in the history would only lead to a page without it.
  if ((page === "vox" || page === "chat") && !rest.length) go(at(page, [id]), true);
}

// Drafts survive a reload; a word at a time is often enough.
const WAITS_MS = 300;
let saving: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const text = draft.value;
  const id = conversationId.peek();
  clearTimeout(saving);
  saving = setTimeout(() => keepDraft(id, text), text ? WAITS_MS : 0);
});
addEventListener("pagehide", () => keepDraft(conversationId.peek(), draft.peek()));

/** Puts words into the composer, below those that are there. */
export function putDraft(text: string): void {
  draft.value = draft.peek() ? `${draft.peek()}\n${text}` : text;
}
