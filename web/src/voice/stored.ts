/** A conversation as the server keeps it (`/api/sessions/{id}/timeline`), as entries of a transcript. */
import { signal } from "@preact/signals";

import { get } from "../api/http";
import { envelopeOutcome, type Entry, type Picture } from "./transcript";

export type StoredEntry =
  | { kind: "said"; at: number; role: "user" | "assistant" | "system"; channel: "text" | "voice"; text: string; interrupted?: boolean }
  | {
      kind: "call";
      at: number;
      call_id: string | null;
      tool: string;
      args: unknown;
      decision: string | null;
      rule: string | null;
      ok: boolean | null;
      error_type: string | null;
      duration: number | null;
      source: string | null;
      replayed: boolean;
      answer: Record<string, unknown> | null;
    }
  | ({ kind: "image"; at: number; id: string } & Picture)
  | { kind: "note"; at: number };

interface Timeline {
  continued_from: string | null;
  turns: { entries: StoredEntry[] }[];
  next_before: number | null;
}

/** More pages than this nobody reads. */
const MOST_PAGES = 5;

/** All that was said in a session, and in those by voice that it goes on with. Throws ApiError. */
export async function loadEntries(sessionId: string, signal?: AbortSignal, depth = 0): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  let before: number | null = null;
  let from: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const timeline: Timeline = await get<Timeline>(`/api/sessions/${encodeURIComponent(sessionId)}/timeline`, {
      ...(before === null ? {} : { query: { before } }),
      ...(signal ? { signal } : {}),
    });
    found.unshift(...timeline.turns.flatMap((turn) => turn.entries));
    from = timeline.continued_from;
    before = timeline.next_before;
    if (before === null) break;
  }
  if (from && depth < MOST_PAGES) found.unshift(...(await loadEntries(from, signal, depth + 1)));
  return found;
}

export function entriesOf(stored: StoredEntry[]): Entry[] {
  // Their ids lie below those that a transcript gives.
  return stored.flatMap((each, n): Entry[] => {
    const base = { id: n - stored.length, at: each.at };
    if (each.kind === "said") {
      if (each.role === "system") return [];
      if (each.role === "assistant") {
        const state = each.interrupted ? "interrupted" : "done";
        return [{ ...base, kind: "assistant", turn: -1, text: signal(each.text), state: signal(state), evidence: [] }];
      }
      const spoken = each.channel === "voice";
      return [{ ...base, kind: "user", spoken, text: signal(each.text), open: signal(false) }];
    }
    if (each.kind === "image") {
      const { id: key, url, caption, alt, width, height } = each;
      return [{ ...base, kind: "image", key, picture: { url, caption, alt, width, height } }];
    }
    // Calls of other calls are part of these.
    if (each.kind !== "call" || each.source === "tool") return [];
    const envelope = each.answer ?? { ok: each.ok, data: null, error: { type: each.error_type, message: each.error_type } };
    const outcome = envelopeOutcome(envelope, each.duration ?? undefined);
    return [{
      ...base,
      kind: "tool",
      callId: each.call_id,
      name: each.tool,
      args: each.args,
      decision: each.decision ? { outcome: each.decision, rule: each.rule } : null,
      here: false,
      outcome: signal({ ...outcome, replayed: each.replayed }),
    }];
  });
}
