/** What the controls of a form share: where they are, what is said about them, how they look. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useId } from "preact/hooks";

import { t } from "../../i18n";
import { Button } from "../kit";
import { brief, limits, type Schema, type SchemaLike, type Shape, type Wrong } from "./schema";

export interface Surroundings {
  root: Schema;
  /** What is wrong, by the server or by what was written. */
  wrong: Wrong[];
  /** What is known of a place besides its value: "from step 1". */
  notes: Record<string, string>;
}

export const Around = createContext<Surroundings>({ root: {}, wrong: [], notes: {} });

/** One place in the value. `undefined` is a value that is left out. */
export interface Place {
  /** JSON pointer. */
  at: string;
  name: string;
  schema: SchemaLike;
  value: unknown;
  onChange: (value: unknown) => void;
  /** An item of a list cannot be left out, only removed. */
  need: "required" | "optional" | "item";
}

export interface Told<S extends Shape = Shape> extends Place {
  shape: S;
}

/** What is wrong here; with `inside` also what is wrong with the parts that have no control. */
export function useWrong(at: string, inside: boolean): string {
  const { wrong } = useContext(Around);
  return wrong
    .filter((each) => each.pointer === at || (inside && each.pointer.startsWith(`${at}/`)))
    .map((each) => `${each.pointer === at ? "" : `${each.pointer.slice(at.length + 1)} `}${each.message}${expected(each)}`)
    .join("; ");
}

function expected({ message, expected: wanted }: Wrong): string {
  return !wanted || message.includes(wanted) || wanted === "a value" ? "" : ` (expected: ${wanted})`;
}

/** A control with its name, what it means, and what is wrong with it. */
export function Line({ place, shape, actions, children }: {
  place: Place; shape: Shape; actions?: ComponentChildren;
  children: (attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-required"?: boolean }) => ComponentChildren;
}) {
  const id = useId();
  const wrong = useWrong(place.at, true);
  const about = [`${id}-hint`, wrong ? `${id}-wrong` : ""].filter(Boolean).join(" ");
  return (
    <div class={`sf-field ${wrong ? "is-wrong" : ""}`} data-at={place.at}>
      <div class="sf-head">
        <label for={id}>{place.name}</label>
        <Tag place={place} />
        <span class="spring" />
        {actions}
      </div>
      {children({
        id,
        "aria-describedby": about,
        ...(wrong ? { "aria-invalid": true } : {}),
        ...(place.need === "required" ? { "aria-required": true } : {}),
      })}
      <Hint id={`${id}-hint`} shape={shape} place={place} />
      {wrong ? <p class="wrong" id={`${id}-wrong`}>{place.name} {wrong}</p> : null}
    </div>
  );
}

export function Tag({ place }: { place: Place }) {
  const note = useContext(Around).notes[place.at];
  if (note) return <span class="sf-tag is-note">{note}</span>;
  if (place.need === "item") return null;
  if (place.need === "required") return <span class="sf-tag is-required">{t("required")}</span>;
  return <span class="sf-tag">{place.value === undefined ? t("not set") : t("set")}</span>;
}

export function Hint({ id, shape, place }: { id?: string; shape: Shape; place: Place }) {
  const { description, default: usual } = shape.schema;
  const named = usual !== undefined && place.need !== "item" && shape.kind !== "choice";
  const said = [limits(shape), named ? t("default {usual}", { usual: brief(usual) }) : ""];
  const more = said.filter(Boolean).join(" · ");
  if (!description && !more) return id ? <span id={id} hidden /> : null;
  return (
    <p class="hint" id={id}>
      {description}{description && more ? " · " : ""}{more ? <span class="sf-limits">{more}</span> : null}
    </p>
  );
}

/** What may be done with a value besides writing it. */
export function Extras({ place, shape, empty }: { place: Place; shape: Shape; empty?: boolean }) {
  const { value, need, onChange } = place;
  return (
    <>
      {value === undefined && empty ? (
        <Act place={place} label={t("Send empty text")} onClick={() => onChange("")} />
      ) : null}
      {value === undefined && shape.nullable ? <Act place={place} label={t("Send null")} onClick={() => onChange(null)} /> : null}
      {value !== undefined && need === "optional" ? <Act place={place} label={t("Clear")} onClick={() => onChange(undefined)} /> : null}
      {value === "" && need === "required" && empty ? (
        <Act place={place} label={t("Do not send empty text")} onClick={() => onChange(undefined)} />
      ) : null}
    </>
  );
}

export function Act({ place, label, onClick, icon, disabled }: {
  place: Place; label: string; onClick: () => void; icon?: string; disabled?: boolean;
}) {
  return (
    <Button kind="quiet" class="sf-act" onClick={onClick} disabled={disabled} {...(icon ? { icon } : {})}
      aria-label={`${label}: ${place.name}`}>{label}</Button>
  );
}
