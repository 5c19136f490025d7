/** What it takes to come back to a conversation, also after the page was loaded anew. */
import { entriesOf, loadEntries } from "./stored";
import type { Transcript } from "./transcript";

interface Kept {
  token: string;
  sessionId: string;
  conversation: string;
  /** The microphone was on. */
  spoken: boolean;
}

// For this window only: another one would take the conversation away from it.
const KEY = "antiphon.conversation";

let now: Kept | null = read();

function read(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

export function kept(): Kept | null {
  return now;
}

export function keep(these: Kept): void {
  now = these;
  write(JSON.stringify(these));
}

export function forget(): void {
  now = null;
  write(null);
}

function write(value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  } catch {
    // A private window may refuse: it can be taken up as long as the page is open.
  }
}

/** Shows what was said before in a conversation that is taken up or handed over. */
export async function earlier(
  transcript: Transcript,
  conversation = now?.conversation,
  /** Asked when it is there: whether anybody still wants to see it. */
  wanted = () => true,
): Promise<void> {
  if (!conversation) return;
  try {
    const stored = entriesOf(await loadEntries(conversation));
    if (!wanted()) return;
    // What was typed while it was loaded stays below it.
    transcript.restore([...stored, ...transcript.entries.peek().filter((each) => each.id > 0)]);
  } catch {
    if (wanted()) transcript.note("What was said before could not be shown; it is known all the same.");
  }
}
