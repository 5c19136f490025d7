import { useState } from "preact/hooks";

import { get } from "../../api/http";
import { useRules } from "../../api/rules";
import { Button, Field, TextInput } from "../../ui/kit";
import { DECISIONS, EVENTS, filtered, fromLocal, isFiltered, toLocal, type Filters as Values, type View } from "./shapes";

/** Behind "More filters". */
const EXTRA = ["ok", "event", "session", "since", "until"] as const;

const NOTHING: Values = { event: "", tool: "", decision: "", rule: "", ok: "", session: "", since: "", until: "" };

/** What people look for most. */
const READY: { title: string; values: () => Partial<Values> }[] = [
  { title: "Refusals", values: () => ({ decision: "refuse" }) },
  { title: "Failures", values: () => ({ event: "tool_execution", ok: "false" }) },
  { title: "Approvals", values: () => ({ event: "confirmation_resolved" }) },
  { title: "Last hour", values: () => ({ since: new Date(Date.now() - 3_600_000).toISOString().slice(0, 16) + "Z" }) },
];

export function Filters({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const rules = useRules().data;
  const [tools, know] = useState<string[]>([]);
  const { filters } = view;
  // What is filtered by is never out of sight.
  const [all, showAll] = useState(EXTRA.some((name) => filters[name]));
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
    <form class="audit-filters" data-tour="audit-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
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
      <Button class="audit-more" aria-expanded={all} onClick={() => showAll(!all)}>{all ? "Fewer filters" : "More filters"}</Button>
      {all ? (
        <div class="audit-extra" role="group" aria-label="More filters">
          <Field label="Outcome">
            {(field) => (
              <select {...field} value={filters.ok} onChange={(event) => set({ ok: event.currentTarget.value })}>
                <option value="">Any</option>
                <option value="true">Succeeded</option>
                <option value="false">Did not succeed</option>
              </select>
            )}
          </Field>
          {choice("event", "Event", EVENTS)}
          {words("session", "Session id")}
          {moment("since", "From")}
          {moment("until", "To")}
        </div>
      ) : null}
      <div class="row audit-ready" role="group" aria-label="Often looked for">
        {READY.map((each) => (
          <Button key={each.title} kind="quiet" onClick={() => {
            const values = each.values();
            if (EXTRA.some((name) => values[name])) showAll(true);
            onChange(filtered(view, { ...NOTHING, ...values }));
          }}>{each.title}</Button>
        ))}
        {isFiltered(view) ? <Button icon="close" onClick={() => onChange(filtered(view, NOTHING))}>Clear filters</Button> : null}
      </div>
    </form>
  );
}
