/** A small panel that a button opens beside it. It closes with Escape, or when one goes elsewhere. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

import "./flyout.css";

export function Flyout({ label, class: more, tour, button, children, side = "start" }: {
  /** What the button is called. */
  label: string;
  class?: string;
  tour?: string;
  /** What is seen of the button. */
  button: ComponentChildren;
  /** Which edge of the panel stands at the button. */
  side?: "start" | "end";
  /** A function gets what closes it. */
  children: ComponentChildren | ((close: () => void) => ComponentChildren);
}) {
  const [open, set] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    set(false);
    box.current?.querySelector<HTMLElement>(":scope > button")?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!box.current!.contains(event.target as Node)) set(false);
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("focusin", outside, true);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("focusin", outside, true);
    };
  }, [open]);
  return (
    <div class={`flyout ${more ?? ""}`} ref={box} data-tour={tour} onKeyDown={(event) => {
      if (event.key !== "Escape" || !open) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    }}>
      <button type="button" class="flyout-button" aria-label={label} title={label} aria-expanded={open} aria-controls={id} onClick={() => set(!open)}>{button}</button>
      {open ? (
        <div id={id} class={`flyout-panel ${side}`} role="group" aria-label={label}>
          {typeof children === "function" ? children(close) : children}
        </div>
      ) : null}
    </div>
  );
}
