/** Sessions page by page: the newest ones are asked for again and again, older ones once. */
import { useEffect, useRef, useState } from "preact/hooks";

import { get, said } from "../../api/http";
import { useLoad, type Loaded } from "../../api/load";
import { toast } from "../../stores/toasts";
import { useReload } from "../../ui/poll";
import type { Filters, Session, SessionPage } from "./shapes";

const PAGE = 50;
const POLL_MS = 5000;

export interface Sessions extends Loaded<Session[]> {
  /** Loads the next older ones and gives them; null where there are none. */
  more: (() => Promise<Session[]>) | null;
}

/** The newest page over the older ones, each session once. */
export function joined(newest: Session[], older: Session[]): Session[] {
  const known = new Set(newest.map((session) => session.id));
  return [...newest, ...older.filter((session) => !known.has(session.id))];
}

export function useSessions(filters: Filters): Sessions {
  const key = JSON.stringify(filters);
  const ask = (before?: string, signal?: AbortSignal) =>
    get<SessionPage>("/api/sessions", { query: { ...filters, limit: PAGE, before }, ...(signal ? { signal } : {}) });
  const first = useLoad((signal) => ask(undefined, signal), [key]);
  useReload(first, POLL_MS);
  const [older, add] = useState<SessionPage>({ sessions: [], next_before: null });
  const current = useRef(key);
  current.current = key;
  useEffect(() => add({ sessions: [], next_before: null }), [key]);
  const data = first.data && joined(first.data.sessions, older.sessions);
  const next = older.sessions.length ? older.next_before : (first.data?.next_before ?? null);
  const more = async (): Promise<Session[]> => {
    try {
      const page = await ask(next!);
      // The filters may have changed meanwhile: then nobody wants these any more.
      if (current.current !== key) return [];
      add((before) => ({ sessions: joined(joined(first.data!.sessions, before.sessions), page.sessions), next_before: page.next_before }));
      return page.sessions;
    } catch (error) {
      toast(said(error), { kind: "bad" });
      return [];
    }
  };
  return { ...first, data, more: next ? more : null };
}
