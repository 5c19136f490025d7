/** A conversation as the server keeps it, as entries of a transcript. */
import { signal } from "@preact/signals";

import { get } from "../api/http";
import { envelopeOutcome, type Entry, type Opinion, type Picture, type Source } from "./transcript";

export type StoredEntry =
  | {
      kind: "said";
      /** Names it for feedback and branches. */
      turn: string;
      at: number;
      role: "user" | "assistant";
      channel: "text" | "voice";
      text: string;
      heard?: number | null;
      interrupted?: boolean;
      feedback?: { value: Opinion } | null;
      sources?: ({ id: string } & Source)[];
    }
  | {
      kind: "call";
      at: number;
      call_id: string | null;
      tool: string;
      args: unknown;
      ok: boolean | null;
      error_type: string | null;
      duration: number | null;
      replayed: boolean;
      answer: Record<string, unknown> | null;
    }
  | ({ kind: "image"; at: number; id: string } & Picture);

interface Page {
  entries: StoredEntry[];
  next: string | null;
}

/** As many turns as the server gives at once. */
const LIMIT = 5000;

/** All that was said in a conversation, over all its sessions. Throws ApiError. */
export async function loadConversation(id: string): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (let before: string | null = null; ; ) {
    const page: Page = await get<Page>(`/api/conversations/${encodeURIComponent(id)}`, { query: { limit: LIMIT, ...(before ? { before } : {}) } });
    found.unshift(...page.entries);
    before = page.next;
    if (before === null) return found;
  }
}

export function entriesOf(stored: StoredEntry[]): Entry[] {
  // Their ids lie below those that a transcript gives.
  return stored.flatMap((each, n): Entry[] => {
    const base = { id: n - stored.length, at: each.at };
    if (each.kind === "said") {
      if (each.role === "assistant") {
        const state = each.interrupted ? "interrupted" : "done";
        return [{
          ...base, kind: "assistant", turn: -1, stored: each.turn, text: signal(each.text), state: signal(state),
          heard: signal(each.heard ?? null), opinion: signal(each.feedback?.value ?? null),
          evidence: each.sources?.map(({ id }) => id) ?? [], known: new Map(each.sources?.map(({ id, ...source }) => [id, source])),
        }];
      }
      const spoken = each.channel === "voice";
      return [{ ...base, kind: "user", stored: each.turn, spoken, text: signal(each.text), open: signal(false) }];
    }
    if (each.kind === "image") {
      const { id: key, url, caption, alt, width, height } = each;
      return [{ ...base, kind: "image", key, picture: { url, caption, alt, width, height } }];
    }
    const envelope = each.answer ?? { ok: each.ok, data: null, error: { type: each.error_type, message: each.error_type } };
    const outcome = envelopeOutcome(envelope, each.duration ?? undefined);
    return [{
      ...base,
      kind: "tool",
      callId: each.call_id,
      name: each.tool,
      args: each.args,
      decision: null,
      here: false,
      outcome: signal({ ...outcome, replayed: each.replayed }),
      consent: signal(null),
    }];
  });
}
