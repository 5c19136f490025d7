/** What is seen of a transcript: what the person says, and all that belongs to one answer together. */
import type { AssistantEntry, Entry, ImageEntry, NoteEntry, ToolEntry, UserEntry } from "../transcript";

export interface Answer {
  kind: "answer";
  /** Of its first entry. */
  id: number;
  said: AssistantEntry[];
  calls: ToolEntry[];
  images: ImageEntry[];
  notes: NoteEntry[];
  /** Changes with what it is made of. */
  mark: string;
}

export type Block = UserEntry | NoteEntry | Answer;

/** In order. Whatever lies between two things that the person says is one answer. */
export function blocks(entries: readonly Entry[]): Block[] {
  const found: Block[] = [];
  let open: Answer | null = null;
  for (const entry of entries) {
    if (entry.kind === "user") {
      open = null;
      found.push(entry);
      continue;
    }
    if (!open && entry.kind === "note") {
      found.push(entry);
      continue;
    }
    if (!open) found.push((open = { kind: "answer", id: entry.id, said: [], calls: [], images: [], notes: [], mark: "" }));
    open.mark += `${entry.id},`;
    if (entry.kind === "assistant") open.said.push(entry);
    else if (entry.kind === "tool") open.calls.push(entry);
    else if (entry.kind === "image") open.images.push(entry);
    else open.notes.push(entry);
  }
  return found;
}
