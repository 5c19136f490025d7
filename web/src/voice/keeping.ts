/** What it takes to come back to a conversation, also after the page was loaded anew. */
import { account, isLeaving } from "../stores/account";

interface Kept {
  /** Of the first session; the others follow it. */
  conversation: string;
  /** Takes up the session by voice, as long as nothing was written since. */
  token?: string;
  /** A message went out to which nothing was said yet. */
  asking?: boolean;
  /** A message went out, and the server has not said that it came. */
  sent?: string | undefined;
}

// For this window only: another one would take the conversation away from it.
const KEY = "antiphon.conversation";

let now: Kept | null = read();

function read(): Kept | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
    return typeof found?.conversation === "string" ? found : null;
  } catch {
    return null;
  }
}

export function kept(): Kept | null {
  return now;
}

export function keep(these: Kept): void {
  now = these;
  write(KEY, JSON.stringify(these), sessionStorage);
}

export function forget(): void {
  now = null;
  write(KEY, null, sessionStorage);
}

/** What is known of it stays, with this changed. */
export function keepAlso(change: Partial<Kept>): void {
  if (now) keep({ ...now, ...change });
}

// -- what was typed and not sent ---------------------------------------------------------------------------

/** Each person's are their own: a tab of the one before may still write theirs. */
const DRAFTS = account.peek()?.session ? `antiphon.drafts.${account.peek()!.user}` : "antiphon.drafts";
/** Drafts of more conversations than this nobody goes back to. */
const MOST = 20;

type Drafts = Record<string, string>;

function drafts(): Drafts {
  try {
    return (JSON.parse(localStorage.getItem(DRAFTS) ?? "{}") ?? {}) as Drafts;
  } catch {
    return {};
  }
}

export function draftOf(conversation: string | null): string {
  return drafts()[conversation ?? ""] ?? "";
}

export function keepDraft(conversation: string | null, text: string): void {
  const { [conversation ?? ""]: _, ...others } = drafts();
  const kept = text ? { ...others, [conversation ?? ""]: text } : others;
  write(DRAFTS, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-MOST))), localStorage);
}

function write(key: string, value: string | null, where: Storage): void {
  if (isLeaving) return;
  try {
    if (value === null) where.removeItem(key);
    else where.setItem(key, value);
  } catch {
    // A private window, or a full one, may refuse: it is there as long as the page is open.
  }
}
