/** One rule about tools. */
import { useState } from "preact/hooks";

import { t } from "../../i18n";
import { Badge, Button, Field } from "../../ui/kit";
import type { Rule } from "./api";
import { listOf } from "./frame";

const EFFECTS: Record<Rule["effect"], string> = { allow: t("Allow"), ask: t("Ask a person first"), refuse: t("Refuse") };
const WRITES = { any: t("All tools"), yes: t("Tools that write"), no: t("Tools that only read") };

export function RuleEditor({ rule, number, fixed, wrong, onChange }: {
  rule: Rule; number: number; fixed: boolean; wrong: string | undefined; onChange: (rule: Rule | null) => void;
}) {
  const [tools, type] = useState(rule.tools.join(", "));
  const name = t("Rule {number}", { number });
  if (fixed) return <Read rule={rule} name={name} />;
  return (
    <fieldset class="access-rule" aria-label={name} aria-invalid={wrong ? true : undefined} tabIndex={wrong ? -1 : undefined}>
      <div class="wide">
        <Field label={t("Tools")} hint={t("IDs, or patterns such as calendar_*, with commas between them.")} error={wrong}>
          {(field) => (
            <input {...field} type="text" spellcheck={false} autocapitalize="none" required value={tools}
              onInput={(event) => { type(event.currentTarget.value); onChange({ ...rule, tools: listOf(event.currentTarget.value) }); }} />
          )}
        </Field>
      </div>
      <Field label={t("Effect")}>
        {(field) => (
          <select {...field} value={rule.effect} onChange={(event) => onChange({ ...rule, effect: event.currentTarget.value as Rule["effect"] })}>
            {Object.entries(EFFECTS).map(([id, words]) => <option key={id} value={id}>{words}</option>)}
          </select>
        )}
      </Field>
      <Field label={t("Kind")}>
        {(field) => (
          <select {...field} value={rule.writes === null ? "any" : rule.writes ? "yes" : "no"}
            onChange={(event) => onChange({ ...rule, writes: event.currentTarget.value === "any" ? null : event.currentTarget.value === "yes" })}>
            {Object.entries(WRITES).map(([id, words]) => <option key={id} value={id}>{words}</option>)}
          </select>
        )}
      </Field>
      <Field label={t("Mode")}>
        {(field) => (
          <select {...field} value={rule.modes.length === 1 ? rule.modes[0] : "both"} onChange={(event) => onChange({ ...rule, modes: event.currentTarget.value === "both" ? [] : [event.currentTarget.value] })}>
            <option value="both">{t("Text and voice")}</option>
            <option value="text">{t("Text only")}</option>
            <option value="voice">{t("Voice only")}</option>
          </select>
        )}
      </Field>
      <div class="wide">
        <Field label={t("Condition")} hint={t("On the arguments and the session, such as args.amount > 100. Empty: always.")}>
          {(field) => <input {...field} type="text" spellcheck={false} autocapitalize="none" value={rule.when} onInput={(event) => onChange({ ...rule, when: event.currentTarget.value })} />}
        </Field>
      </div>
      <div class="row wide"><Button kind="quiet" icon="trash" onClick={() => onChange(null)}>{t("Remove the rule")}<span class="hidden-visually"> {number}</span></Button></div>
    </fieldset>
  );
}

function Read({ rule, name }: { rule: Rule; name: string }) {
  return (
    <div class="access-rule" role="group" aria-label={name}>
      <p class="wide"><Badge kind={rule.effect === "allow" ? "good" : rule.effect === "ask" ? "warn" : "bad"}>{EFFECTS[rule.effect]}</Badge> <code>{rule.tools.join(", ")}</code></p>
      {rule.writes === null && !rule.modes.length && !rule.when ? null : (
        <p class="hint wide">{[rule.writes === null ? "" : WRITES[rule.writes ? "yes" : "no"], rule.modes.join(", "), rule.when].filter(Boolean).join(" · ")}</p>
      )}
    </div>
  );
}
