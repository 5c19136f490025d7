import { useEffect, useRef } from "preact/hooks";

/**
 * Calls `ask` every so often while somebody looks: not while the tab is hidden, and at once when it
 * is seen again. The next call waits for the one before.
 */
export function usePoll(ask: () => Promise<unknown> | void, ms: number, on = true): void {
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
