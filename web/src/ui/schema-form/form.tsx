/**
 * A form made from a JSON Schema. It holds nothing itself: `value` is what would be sent, with
 * members that are left out missing and `Unread` where something was written that is no value.
 */
import { useMemo, useState } from "preact/hooks";

import { t } from "../../i18n";
import { Button } from "../kit";
import { Members } from "./groups";
import { JsonLeaf } from "./leaves";
import { Around } from "./parts";
import { initial, shapeOf, Unread, unread, type Schema, type Wrong } from "./schema";
import "./schema-form.css";

export { initial, unread, Unread, type Schema, type Wrong } from "./schema";

export function SchemaForm({ schema, value, onChange, errors = [], notes = {}, label }: {
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
  /** What the server found wrong, each at its pointer. */
  errors?: Wrong[];
  notes?: Record<string, string>;
  label: string;
}) {
  const [asJson, write] = useState(false);
  const around = useMemo(
    () => ({ root: schema, wrong: [...unread(value), ...errors], notes }),
    [schema, value, errors, notes],
  );
  const shape = shapeOf(schema, schema);
  const readable = !(value instanceof Unread) && typeof value === "object" && value !== null && !Array.isArray(value);
  const place = { at: "", name: label, schema, value, onChange, need: "required" } as const;
  const shown = asJson || !readable || shape.kind !== "object";
  const known = new Set(shape.kind === "object" ? shape.members.map((member) => `/${member.name}`) : []);
  const whole = around.wrong.filter((each) => each.pointer === "");
  return (
    <Around.Provider value={around}>
      <div class="schema-form" role="group" aria-label={label}>
        {shown ? (
          <JsonLeaf {...place} shape={shape} />
        ) : (
          <>
            {whole.length ? <p class="wrong" role="alert">{whole.map((each) => each.message).join("; ")}</p> : null}
            {known.size ? null : <p class="hint">{t("This tool takes no arguments.")}</p>}
            <Members {...place} shape={shape} />
          </>
        )}
        {shape.kind === "object" && (known.size || shape.more !== false) ? (
          <Button kind="quiet" icon="edit" class="sf-whole" disabled={!readable} onClick={() => write(!asJson)}>
            {shown ? t("Back to the form") : t("Edit as JSON")}
          </Button>
        ) : null}
      </div>
    </Around.Provider>
  );
}

/** What a new form starts with. */
export function startValue(schema: Schema): Record<string, unknown> {
  return (initial(schema, schema) ?? {}) as Record<string, unknown>;
}

/** To the first field that is wrong, if the form has one. */
export function focusWrong(form: HTMLElement | null): void {
  const found = form?.querySelector<HTMLElement>('.is-wrong [aria-invalid="true"], .is-wrong button');
  found?.focus();
}
