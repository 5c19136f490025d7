import { useEffect, useRef, useState } from "preact/hooks";

import { onReturn } from "../stores/connection";
import { ApiError } from "./http";

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  loading: boolean;
  /** Asks again; what is shown stays until the answer is there. */
  reload: () => void;
}

/** A server that cannot be reached is asked again after this time. */
export const AWAY_MS = 3000;
export const isAway = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/**
 * What a page shows: `ask` is called when one of `inputs` changes; an answer that is overtaken by
 * a later question is dropped. A server that is away is asked until it is back.
 */
export function useLoad<T>(ask: (signal: AbortSignal) => Promise<T>, inputs: unknown[]): Loaded<T> {
  const [state, set] = useState<Omit<Loaded<T>, "reload">>({ data: null, error: null, loading: true });
  const [round, again] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    set((before) => ({ ...before, loading: true }));
    latest.current(leave.signal).then(
      (data) => !leave.signal.aborted && set({ data, error: null, loading: false }),
      (error: Error) => {
        if (leave.signal.aborted) return;
        set((before) => ({ data: before.data, error, loading: false }));
        if (isAway(error)) timer = setTimeout(() => again((count) => count + 1), AWAY_MS);
      },
    );
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [...inputs, round]);
  // Whoever was told that the server is away, or who they are, asks at once when it is back.
  const failed = state.error !== null;
  useEffect(() => (failed ? onReturn(() => again((count) => count + 1)) : undefined), [failed]);
  const reload = () => {
    set((before) => ({ ...before, loading: true }));
    again((count) => count + 1);
  };
  return { ...state, reload };
}
