import type { ComponentChildren } from "preact";

import { get } from "../../api/http";
import { useRules } from "../../api/rules";
import { t } from "../../i18n";
import { FilterChips, type Filter } from "../../ui/filter-chips";
import { fullTime } from "../../ui/time";
import { DECISIONS, EVENTS, filtered, fromLocal, toLocal, type Filters as Values, type View } from "./shapes";

/** What people look for most. */
const READY: { title: string; values: () => Partial<Values> }[] = [
  { title: t("Refusals"), values: () => ({ decision: "refuse" }) },
  { title: t("Failures"), values: () => ({ event: "tool_execution", ok: "false" }) },
  { title: t("Approvals"), values: () => ({ event: "confirmation_resolved" }) },
  { title: t("Last hour"), values: () => ({ since: new Date(Date.now() - 3_600_000).toISOString().slice(0, 16) + "Z" }) },
];

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
const moment = { type: "datetime-local", read: toLocal, write: fromLocal, show: (value: string) => fullTime(new Date(value).getTime() / 1000) } as const;
const toolNames = () => get<{ tools: { toolId: string }[] }>("/api/tools").then((found) => found.tools.map((tool) => tool.toolId));

export function Filters({ view, onChange, children }: { view: View; onChange: (view: View) => void; children: ComponentChildren }) {
  const rules = useRules().data?.gates.flatMap((gate) => gate.rules.map((rule) => ({ value: rule.id, label: rule.id, group: gate.title }))) ?? [];
  const choices: Filter<keyof Values>[] = [
    { id: "tool", label: t("Tool"), suggest: toolNames },
    { id: "decision", label: t("Decision"), options: options(DECISIONS) },
    // Until they are loaded, any rule can be typed.
    rules.length ? { id: "rule", label: t("Rule"), options: rules } : { id: "rule", label: t("Rule") },
    { id: "ok", label: t("Outcome"), options: [{ value: "true", label: t("Succeeded") }, { value: "false", label: t("Failed or refused") }] },
    { id: "event", label: t("Event"), options: options(EVENTS) },
    { id: "session", label: t("Session ID") },
    { id: "since", label: t("From"), ...moment },
    { id: "until", label: t("To"), ...moment },
  ];
  return (
    <FilterChips label={t("Filters")} tour="audit-filters" filters={choices} values={view.filters} ready={READY}
      onChange={(values) => onChange(filtered(view, values))}>{children}</FilterChips>
  );
}
