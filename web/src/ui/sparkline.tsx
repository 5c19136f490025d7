/** A few values as a small line, beside the number that they lead to. */
import "./sparkline.css";
import { outline } from "./chart-data";

/** Decoration: the number beside it says what counts. `kind` is the colour. */
export function Sparkline({ values, kind = "accent" }: { values: (number | null)[]; kind?: "accent" | "second" | "good" | "bad" | "warn" }) {
  const drawn = outline(values);
  return (
    <svg class={`sparkline ${kind}`} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {drawn ? <><path class="sparkline-area" d={drawn.area} /><path class="sparkline-line" d={drawn.line} /></> : <path class="sparkline-line" d="M0 98L100 98" />}
    </svg>
  );
}
