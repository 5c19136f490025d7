import { useState } from "preact/hooks";

import { get } from "../../api/http";
import { useRules } from "../../api/rules";
import { Button, Field, TextInput } from "../../ui/kit";
import { DECISIONS, EVENTS, filtered, fromLocal, isFiltered, toLocal, type Filters as Values, type View } from "./shapes";

const NOTHING: Values = { event: "", tool: "", decision: "", rule: "", ok: "", session: "", since: "", until: "" };

/** What people look for most. */
const READY: { title: string; values: () => Partial<Values> }[] = [
  { title: "Refusals", values: () => ({ decision: "refuse" }) },
  { title: "Failures", values: () => ({ event: "tool_execution", ok: "false" }) },
  { title: "People's answers", values: () => ({ event: "confirmation_resolved" }) },
  { title: "Last hour", values: () => ({ since: new Date(Date.now() - 3_600_000).toISOString().slice(0, 16) + "Z" }) },
];

export function Filters({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const rules = useRules().data;
  const [tools, know] = useState<string[]>([]);
  const [all, showAll] = useState(false);
  const { filters } = view;
  const set = (change: Partial<Values>) => onChange(filtered(view, change));
  // Names are offered when somebody begins to type one.
  const offerTools = () => {
    if (tools.length) return;
    get<{ tools: { toolId: string }[] }>("/api/tools").then(
      (found) => know(found.tools.map((tool) => tool.toolId)),
      () => undefined, // any name can still be typed
    );
  };
  const choice = (name: "event" | "decision", label: string, options: Record<string, string>) => (
    <Field label={label}>
      {(field) => (
        <select {...field} value={filters[name]} onChange={(event) => set({ [name]: event.currentTarget.value })}>
          <option value="">Any</option>
          {filters[name] && !(filters[name] in options) ? <option value={filters[name]}>{filters[name]}</option> : null}
          {Object.entries(options).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
        </select>
      )}
    </Field>
  );
  const words = (name: "tool" | "session", label: string, more: object = {}) => (
    <Field label={label}>
      {(field) => (
        <TextInput {...field} {...more} type="search" value={filters[name]}
          onDone={(text) => set({ [name]: text })} />
      )}
    </Field>
  );
  const moment = (name: "since" | "until", label: string) => (
    <Field label={label}>
      {(field) => (
        <input {...field} type="datetime-local" value={toLocal(filters[name])}
          onChange={(event) => set({ [name]: fromLocal(event.currentTarget.value) })} />
      )}
    </Field>
  );
  return (
    <form class={`audit-filters ${all ? "all" : ""}`} data-tour="audit-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {words("tool", "Tool", { list: "audit-tools", onFocus: offerTools })}
      <datalist id="audit-tools">{tools.map((id) => <option key={id} value={id} />)}</datalist>
      {choice("decision", "Decision", DECISIONS)}
      <Field label="Rule">
        {(field) => (
          <select {...field} value={filters.rule} onChange={(event) => set({ rule: event.currentTarget.value })}>
            <option value="">Any</option>
            {filters.rule && !rules?.gates.some((gate) => gate.rules.some((rule) => rule.id === filters.rule))
              ? <option value={filters.rule}>{filters.rule}</option> : null}
            {rules?.gates.map((gate) => (
              <optgroup key={gate.id} label={gate.title}>
                {gate.rules.map((rule) => <option key={rule.id} value={rule.id}>{rule.id}</option>)}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <div class="audit-extra">
        <Field label="Outcome">
          {(field) => (
            <select {...field} value={filters.ok} onChange={(event) => set({ ok: event.currentTarget.value })}>
              <option value="">Any</option>
              <option value="true">Succeeded</option>
              <option value="false">Did not succeed</option>
            </select>
          )}
        </Field>
      </div>
      <div class="audit-extra">{choice("event", "Event", EVENTS)}</div>
      <div class="audit-extra">{words("session", "Session id")}</div>
      <div class="audit-extra audit-moment">{moment("since", "Not before")}</div>
      <div class="audit-extra audit-moment">{moment("until", "Before")}</div>
      <div class="row audit-ready" role="group" aria-label="Often looked for">
        <Button class="audit-more" aria-expanded={all} onClick={() => showAll(!all)}>{all ? "Fewer filters" : "More filters"}</Button>
        {READY.map((each) => (
          <Button key={each.title} kind="quiet" onClick={() => onChange(filtered(view, { ...NOTHING, ...each.values() }))}>{each.title}</Button>
        ))}
        {isFiltered(view) ? <Button icon="close" onClick={() => onChange(filtered(view, NOTHING))}>Clear filters</Button> : null}
      </div>
    </form>
  );
}
