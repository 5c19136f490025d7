import { useEffect, useRef } from "preact/hooks";

import type { Loaded } from "../api/load";

/**
 * Calls `ask` every so often while somebody looks: not while the tab is hidden, and at once when it
 * is seen again. The next call waits for the one before.
 */
export function usePoll(ask: () => unknown, ms: number, on = true): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!on) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const next = () => {
      clearTimeout(timer);
      if (!over && !document.hidden) timer = setTimeout(run, ms);
    };
    const run = () => void Promise.resolve(latest.current()).then(next, next);
    const seen = () => {
      if (document.hidden) clearTimeout(timer);
      else run();
    };
    next();
    document.addEventListener("visibilitychange", seen);
    return () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [ms, on]);
}

/** The same for what is loaded already. */
export function useReload(what: Loaded<unknown>, ms: number, on = true): void {
  // Asking anew withdraws the question before it, so a slow answer has to come first.
  usePoll(() => what.loading || what.reload(), ms, on);
}
