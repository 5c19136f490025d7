import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { address } from "../api/address";

/** A page in front of the console: the mark, one heading, one thing to do. */
export function Entrance({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Antiphon`;
    return () => { document.title = before; };
  }, [title]);
  return (
    <main class="entrance">
      <div class="card entrance-card">
        <header class="entrance-head">
          <img src={address("/console/icon.svg")} alt="" width="40" height="40" />
          <h1>{title}</h1>
        </header>
        {children}
      </div>
    </main>
  );
}
