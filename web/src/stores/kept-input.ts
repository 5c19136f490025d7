/** What was typed into a page and not sent: kept over a reload that the console itself asks for. */
import { t } from "../i18n";
import { toast } from "./toasts";

const KEY = "antiphon.typed";
const FIELDS = "#main textarea, #main input:not([type=checkbox], [type=radio], [type=file], [type=password], [autocomplete$=-password])";
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
  if (keepTyped()) location.reload();
  else toast(TOO_MUCH, { kind: "bad" });
}

export const TOO_MUCH = t("There is too much text on this page to keep it. Send or copy it, then reload.");

/** Before this page goes, to come back to its address. False: it is too much. */
export function keepTyped(): boolean {
  const typed = [...named()].filter(([, field]) => field.value).map(([name, { value }]) => ({ name, value }));
  try {
    if (typed.length || location.hash) sessionStorage.setItem(KEY, JSON.stringify({ hash: location.hash, fields: typed } satisfies Kept));
    return true;
  } catch {
    return false;
  }
}

/** The address that it was kept for; null: nothing was kept. */
export const wantedBefore = (): string | null => stored()?.hash ?? null;

function stored(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null;
  } catch {
    return null; // storage is off: then nothing was kept either
  }
}

/** Writes what was kept into the fields again, as soon as they are there. */
export function restoreTyped(): void {
  const kept = stored();
  if (kept) sessionStorage.removeItem(KEY);
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
