/** Conversations over HTTP. */
import { ApiError, del, get, post, put, send, words } from "../../api/http";
import { t } from "../../i18n";
import type { StoredEntry } from "../../voice/stored";
import type { AssistantEntry, Opinion, UserEntry } from "../../voice/transcript";

export interface Summary {
  id: string;
  title: string;
  folder: string;
  updated_at: number;
  turns: number;
  spoken: boolean;
  active: boolean;
  preview: string;
  shared?: boolean;
  version?: number;
}

export interface Page {
  conversations: Summary[];
  folders: { name: string; count: number }[];
  next: string | null;
}

export interface Shared {
  title: string;
  created_at: number;
  updated_at: number;
  entries: StoredEntry[];
}

const path = (id: string, more = ""): string => `/api/conversations/${encodeURIComponent(id)}${more}`;

export function listed(query: { query: string; folder?: string | undefined; before?: string | undefined; limit: number }, signal: AbortSignal): Promise<Page> {
  return get<Page>("/api/conversations", { query, signal });
}

/** Refused where somebody else has changed it meanwhile. */
export async function change({ id, version }: Summary, what: { title?: string; folder?: string }): Promise<void> {
  const answer = await send("PATCH", path(id), what, version === undefined ? {} : { headers: { "If-Match": `"${version}"` } });
  const body = (await answer.json().catch(() => null)) as unknown;
  if (!answer.ok) throw new ApiError(answer.status, words(answer.status, body), body);
}

export const remove = (id: string): Promise<unknown> => del(path(id));
export const share = (id: string): Promise<{ token: string }> => post(path(id, "/share"));
export const unshare = (id: string): Promise<unknown> => del(path(id, "/share"));
export const exported = (id: string, format: "md" | "json"): string => `${path(id, "/export")}?format=${format}`;
export const readShared = (token: string, signal: AbortSignal): Promise<Shared> =>
  get(`/api/shared/${encodeURIComponent(token)}`, { signal });

/** A new conversation with everything before that message, or with the message too. */
export const branch = (id: string, turn: string, include: boolean): Promise<{ id: string }> =>
  post(path(id, "/branch"), { turn, ...(include ? { include } : {}) });

export const judge = (id: string, turn: string, value: Opinion | null): Promise<unknown> =>
  put(path(id, `/turns/${encodeURIComponent(turn)}/feedback`), { value });

/** What names a message at the server. One that was said just now is looked up there. */
export async function turnOf(id: string, entry: UserEntry | AssistantEntry): Promise<string> {
  if (entry.stored) return entry.stored;
  const { entries } = await get<{ entries: StoredEntry[] }>(path(id));
  const found = entries.findLast((each) => each.kind === "said" && each.role === entry.kind && same(each.text, entry.text.peek()));
  if (found?.kind !== "said" || !found.turn) throw new ApiError(404, t("This message is not saved yet. Try again in a moment."));
  entry.stored = found.turn;
  return found.turn;
}

const same = (a: string, b: string): boolean => a.trim() === b.trim();
