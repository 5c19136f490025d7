/** Controls for single values. An empty box is a value that is left out. */
import { useContext, useRef } from "preact/hooks";

import { rich, t } from "../../i18n";
import { Around, Extras, Line, type Told } from "./parts";
import { blank, brief, same, Unread, type Shape } from "./schema";

type Of<K extends Shape["kind"]> = Told<Extract<Shape, { kind: K }>>;

export function TextLeaf(place: Of<"text">) {
  const { shape, need, onChange } = place;
  const value = place.value as string | null | undefined;
  const { minLength, default: usual } = shape.schema;
  const note = useContext(Around).notes[place.at];
  const written = (text: string) => onChange(text === "" && need !== "item" ? undefined : text);
  if (value === null) return <NullLeaf {...place} />;
  return (
    <Line place={place} shape={shape} actions={<Extras place={place} shape={shape} empty={!minLength && !shape.format} />}>
      {(attributes) => {
        const common = {
          ...attributes,
          value: value ?? "",
          placeholder: note ? t("comes {note}", { note }) : value === "" && need !== "item" ? t("empty text") : usual === undefined || usual === "" ? EXAMPLES[shape.format] ?? "" : brief(usual),
          spellcheck: false,
          autocomplete: "off",
        };
        if (shape.long) {
          const rows = Math.min(14, Math.max(4, (value ?? "").split("\n").length + 1));
          return <textarea {...common} rows={rows} onInput={(event) => written(event.currentTarget.value)} />;
        }
        if (shape.format === "date" && (!value || DATE.test(value))) {
          return <input {...common} type="date" onInput={(event) => written(event.currentTarget.value)} />;
        }
        const box = <input {...common} type="text" inputmode={MODES[shape.format] ?? "text"}
          onInput={(event) => written(event.currentTarget.value)} />;
        if (shape.format !== "date-time") return box;
        return (
          <div class="sf-moment">
            {box}
            <input type="datetime-local" aria-label={t("Pick {name} from a calendar", { name: place.name })} value={localOf(value)}
              onChange={(event) => event.currentTarget.value && written(withOffset(event.currentTarget.value))} />
          </div>
        );
      }}
    </Line>
  );
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const EXAMPLES: Record<string, string> = {
  ...{ "date-time": "2026-03-01T09:30:00Z", email: "ada@example.org", uri: "https://example.org" },
};
const MODES: Record<string, "email" | "url"> = { email: "email", uri: "url" };

/** The moment as the browser's calendar wants it: local time without an offset. */
function localOf(value: string | undefined): string {
  const moment = new Date(value ?? "");
  if (Number.isNaN(moment.getTime())) return "";
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** A local time with the offset that this place has then. */
export function withOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (value: number) => String(Math.abs(value)).padStart(2, "0");
  const offset = minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
  return `${local.length === 16 ? `${local}:00` : local}${offset}`;
}

export function NumberLeaf(place: Of<"number">) {
  const { shape, need, onChange, value } = place;
  // What was typed stays as it was typed ("1.", "1e3") while it means the value.
  const typed = useRef<string | null>(null);
  const read = (text: string): unknown => {
    if (text.trim() === "") return need === "item" ? new Unread(text, t("is empty")) : undefined;
    return numberOf(text.trim(), shape.whole);
  };
  if (value === null) return <NullLeaf {...place} />;
  const kept = typed.current !== null && same(read(typed.current), value) ? typed.current : null;
  const shown = kept ?? (value instanceof Unread ? value.text : value === undefined ? "" : String(value));
  return (
    <Line place={place} shape={shape} actions={<Extras place={place} shape={shape} />}>
      {(attributes) => (
        <input {...attributes} type="text" inputmode={shape.whole ? "numeric" : "decimal"} autocomplete="off" class="number"
          value={shown} placeholder={shape.schema.default === undefined ? "" : brief(shape.schema.default)}
          onInput={(event) => {
            typed.current = event.currentTarget.value;
            onChange(read(event.currentTarget.value));
          }} />
      )}
    </Line>
  );
}

/** The number that a text means, or why it means none. */
export function numberOf(text: string, whole: boolean): number | Unread {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return new Unread(text, t("is not a number"));
  const number = Number(text);
  if (!Number.isFinite(number)) return new Unread(text, t("is too large"));
  if (!whole) return number;
  if (!Number.isInteger(number)) return new Unread(text, t("is not a whole number"));
  return Number.isSafeInteger(number) ? number : new Unread(text, t("has too many digits to be sent exactly"));
}

export function ChoiceLeaf(place: Of<"choice">) {
  const { shape, need, value, onChange } = place;
  const { options } = shape;
  const chosen = options.findIndex((option) => same(option, value));
  const usual = shape.schema.default;
  const none = need === "required" ? t("Choose…") : usual === undefined ? t("Not set") : t("Not set (default {usual})", { usual: wordOf(usual) });
  return (
    <Line place={place} shape={shape} actions={shape.nullable ? <Extras place={place} shape={shape} /> : null}>
      {(attributes) => (
        <select {...attributes} value={value === undefined ? "" : chosen < 0 ? "other" : String(chosen)}
          onChange={(event) => {
            const at = event.currentTarget.value;
            if (at !== "other") onChange(at === "" ? undefined : options[Number(at)]);
          }}>
          {need === "item" ? null : <option value="">{none}</option>}
          {options.map((option, index) => <option key={index} value={String(index)}>{wordOf(option)}</option>)}
          {value !== undefined && chosen < 0 ? <option value="other">{rich("{value} (not allowed)", { value: brief(value) })}</option> : null}
        </select>
      )}
    </Line>
  );
}

const wordOf = (option: unknown): string =>
  option === true ? t("yes (true)") : option === false ? t("no (false)") : typeof option === "string" ? option : JSON.stringify(option);

export function ConstLeaf(place: Of<"const">) {
  const { shape, need, value, onChange } = place;
  return (
    <Line place={place} shape={shape}>
      {(attributes) => (
        <span class="row">
          <input {...attributes} type="checkbox" checked={value !== undefined} disabled={need !== "optional" && value !== undefined}
            onChange={(event) => onChange(event.currentTarget.checked ? shape.value : undefined)} />
          <code>{JSON.stringify(shape.value)}</code>
        </span>
      )}
    </Line>
  );
}

/** A value that is null, said so; there is a way back. */
export function NullLeaf(place: Told) {
  const { root } = useContext(Around);
  return (
    <Line place={place} shape={place.shape} actions={place.need === "optional" ? <Extras place={place} shape={place.shape} /> : null}>
      {(attributes) => (
        <span class="row">
          <input {...attributes} type="checkbox" checked
            onChange={() => place.onChange(place.need === "item" ? blank(place.schema, root) : undefined)} />
          <code>null</code>
        </span>
      )}
    </Line>
  );
}

/** Anything, as JSON. Used where nothing better can be drawn, and wherever a person wants it. */
export function JsonLeaf(place: Told & { note?: string }) {
  const { need, onChange, value, shape } = place;
  const typed = useRef<string | null>(null);
  const read = (text: string): unknown =>
    text.trim() === "" ? (need === "item" ? new Unread(text, t("is empty")) : undefined) : jsonOf(text);
  const kept = typed.current !== null && same(read(typed.current), value) ? typed.current : null;
  const shown = kept ?? (value instanceof Unread ? value.text : value === undefined ? "" : pretty(value));
  return (
    <Line place={place} shape={shape} actions={<Extras place={place} shape={shape} />}>
      {(attributes) => (
        <>
          <textarea {...attributes} class="sf-json" spellcheck={false} rows={Math.min(16, Math.max(3, shown.split("\n").length))}
            placeholder={shape.schema.default === undefined ? "JSON" : pretty(shape.schema.default)} value={shown}
            onInput={(event) => {
              typed.current = event.currentTarget.value;
              onChange(read(event.currentTarget.value));
            }} />
          {place.note ? <p class="hint">{place.note}</p> : null}
        </>
      )}
    </Line>
  );
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Unread(text, t("is not valid JSON: {message}", { message: error instanceof Error ? error.message : String(error) }));
  }
}

/** As JSON; what could not be read stands there as it was written. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, (_, each) => (each instanceof Unread ? each.text : each), 2) ?? "";
}
