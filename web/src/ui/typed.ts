import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** So long after the last letter it is asked. */
const PAUSE_MS = 250;

/**
 * What stands in a search box, and a way to write into it. `ask` is called after a pause; `asked` is
 * what the address says. Changed from elsewhere, the box follows; changed by `ask`, it is left alone:
 * the person may have typed on.
 */
export function useTyped(asked: string, ask: (text: string) => void): [typed: string, type: (text: string) => void] {
  const [typed, type] = useState(asked);
  const latest = useRef({ asked, ask });
  latest.current = { asked, ask };
  const sent = useRef(asked);
  useLayoutEffect(() => {
    if (asked !== sent.current) type(asked);
    sent.current = asked;
  }, [asked]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const text = typed.trim();
      if (text === latest.current.asked) return;
      sent.current = text;
      latest.current.ask(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, type];
}
