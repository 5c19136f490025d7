/** What was typed into a page and not sent: kept over a reload that the console itself asks for. */
import { t } from "../i18n";
import { toast } from "./toasts";

const KEY = "antiphon.typed";
const FIELDS = "main textarea, main input:not([type=checkbox], [type=radio], [type=file], [type=password])";
const PATIENCE_MS = 5000;

type Field = HTMLInputElement | HTMLTextAreaElement;
interface Kept { hash: string; fields: { name: string; value: string }[] }

const fields = () => [...document.querySelectorAll<Field>(FIELDS)];

/** Two fields of one name are told apart by their order. */
function named(): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const field of fields()) {
    const label = field.labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? field.name ?? field.placeholder;
    let name = label;
    for (let nth = 2; found.has(name); nth++) name = `${label} ${nth}`;
    found.set(name, field);
  }
  return found;
}

export function reload(): void {
  const typed = [...named()].filter(([, field]) => field.value).map(([name, { value }]) => ({ name, value }));
  try {
    if (typed.length) sessionStorage.setItem(KEY, JSON.stringify({ hash: location.hash, fields: typed } satisfies Kept));
  } catch {
    toast(t("There is too much text on this page to keep it. Send or copy it, then reload."), { kind: "bad" });
    return;
  }
  location.reload();
}

/** Writes what was kept into the fields again, as soon as they are there. */
export function restoreTyped(): void {
  let kept: Kept | null = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is off: then nothing was kept either.
  }
  if (!kept || kept.hash !== location.hash) return;
  const waiting = new Map(kept.fields.map(({ name, value }) => [name, value]));
  const fill = () => {
    for (const [name, field] of named()) {
      const value = waiting.get(name);
      if (value === undefined) continue;
      waiting.delete(name);
      if (field.value) continue; // the page has kept it itself
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")!.set!.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (!waiting.size) stop();
  };
  const watch = new MutationObserver(fill);
  const timer = setTimeout(() => watch.disconnect(), PATIENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    watch.disconnect();
  };
  watch.observe(document.body, { childList: true, subtree: true });
  fill();
}
