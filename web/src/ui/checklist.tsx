/** Some of many: a box for each, with words beside it; long lists can be searched. */
import { useId, useState } from "preact/hooks";

import { t } from "../i18n";
import "./checklist.css";

export interface Choice {
  id: string;
  label: string;
  hint?: string | undefined;
  /** It cannot be chosen, or taken back. */
  fixed?: boolean | undefined;
}

const LONG = 12;

export function Checklist({ label, hint, error, choices, chosen, onChange, disabled }: {
  label: string; hint?: string | undefined; error?: string | undefined; choices: readonly Choice[]; chosen: readonly string[];
  onChange: (chosen: string[]) => void; disabled?: boolean;
}) {
  const id = useId();
  const [sought, seek] = useState("");
  if (disabled) return <Read label={label} hint={hint} choices={choices.filter((each) => chosen.includes(each.id))} />;
  const like = sought.trim().toLowerCase();
  const shown = like ? choices.filter((each) => `${each.label} ${each.hint ?? ""}`.toLowerCase().includes(like)) : choices;
  const about = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <fieldset class="checklist" aria-describedby={about || undefined} aria-invalid={error ? true : undefined} tabIndex={error ? -1 : undefined}>
      <legend>{label}</legend>
      {hint ? <p class="hint" id={`${id}-hint`}>{hint}</p> : null}
      {choices.length > LONG ? <input type="search" aria-label={t("Filter {list}", { list: label })} placeholder={t("Filter")} value={sought} onInput={(event) => seek(event.currentTarget.value)} /> : null}
      <div class="checklist-items" tabIndex={choices.length > LONG ? 0 : undefined} role={choices.length > LONG ? "group" : undefined} aria-label={choices.length > LONG ? label : undefined}>
        {shown.map((each) => (
          <label key={each.id}>
            <input type="checkbox" checked={chosen.includes(each.id)} disabled={each.fixed}
              onChange={() => onChange(chosen.includes(each.id) ? chosen.filter((one) => one !== each.id) : [...chosen, each.id])} />
            <span>{each.label}{each.hint ? <small class="hint">{each.hint}</small> : null}</span>
          </label>
        ))}
        {shown.length ? null : <p class="hint">{t("Nothing matches.")}</p>}
      </div>
      {error ? <p class="wrong" id={`${id}-error`}>{error}</p> : null}
    </fieldset>
  );
}

/** Nothing can be changed: only what is chosen is there, to be read. */
function Read({ label, hint, choices }: { label: string; hint: string | undefined; choices: readonly Choice[] }) {
  const id = useId();
  return (
    <div class="checklist">
      <span class="field-label" id={id}>{label}</span>
      {hint ? <p class="hint">{hint}</p> : null}
      {choices.length ? (
        <ul class="list" aria-labelledby={id}>{choices.map((each) => <li key={each.id}>{each.label}{each.hint ? <small class="hint">{each.hint}</small> : null}</li>)}</ul>
      ) : <p class="hint">{t("none")}</p>}
    </div>
  );
}
