import { useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  loading: boolean;
  /** Asks again; what is shown stays until the answer is there. */
  reload: () => void;
}

/**
 * What a page shows: `ask` is called when one of `inputs` changes; an answer that is overtaken by
 * a later question is dropped.
 */
export function useLoad<T>(ask: (signal: AbortSignal) => Promise<T>, inputs: unknown[]): Loaded<T> {
  const [state, set] = useState<Omit<Loaded<T>, "reload">>({ data: null, error: null, loading: true });
  const [round, again] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const leave = new AbortController();
    set((before) => ({ ...before, loading: true }));
    latest.current(leave.signal).then(
      (data) => !leave.signal.aborted && set({ data, error: null, loading: false }),
      (error: Error) =>
        !leave.signal.aborted && set((before) => ({ data: before.data, error, loading: false })),
    );
    return () => leave.abort();
  }, [...inputs, round]);
  const reload = () => {
    set((before) => ({ ...before, loading: true }));
    again((count) => count + 1);
  };
  return { ...state, reload };
}
