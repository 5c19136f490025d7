/** The end of a long list: loads more when it comes into sight, or is pressed. */
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { Button } from "./kit";

/** Give it a `key` that changes with what is loaded. */
export function Older({ more }: { more: () => Promise<unknown> }) {
  const [busy, work] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const load = () => {
    work(true);
    void more().then(() => work(false));
  };
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      load();
    });
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  return <div ref={box}><Button busy={busy} onClick={load}>{t("Show older")}</Button></div>;
}
