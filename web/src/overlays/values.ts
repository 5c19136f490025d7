/** Arguments of a call as a person reads them before they approve it: nothing is left out. */

interface Shown {
  value: unknown;
  /** In words, such as a date; shortened where it is long. */
  display?: string;
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";
const text = (value: unknown): string => (isPlain(value) ? String(value) : JSON.stringify(value, null, 2));

/** One text, or one for each item of a list. */
export function inFull({ value, display }: Shown): string | string[] {
  if (Array.isArray(value)) return value.length ? value.map(text) : (display ?? "none");
  if (!isPlain(value)) return text(value);
  if (display === undefined) return String(value);
  // A text is shown as it is, unless its words say the same better (as those of a date do).
  return typeof value === "string" && display.includes("…") ? value : display;
}
