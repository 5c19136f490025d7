/** Lines of the audit and what is asked of them, as they stand in the address. */
import { address } from "../../api/address";
import type { Passage } from "../../api/rules";
import { plural, t } from "../../i18n";
import { duration } from "../../ui/time";

export interface Line {
  seq: number;
  at: number;
  event: string;
  sessionId?: string | null;
  user?: string | null;
  mode?: string | null;
  turnId?: number | null;
  toolId?: string | null;
  decision?: string | null;
  rule?: string | null;
  ok?: boolean | null;
  duration?: number | null;
  errorType?: string | null;
  args?: unknown;
  details?: Record<string, unknown>;
  prev: string;
  hash: string;
  [name: string]: unknown;
}

export interface Lines {
  lines: Line[];
  next: number | null;
}

export interface LineInFull {
  line: Line;
  gates: Passage[];
  newest: number;
}

export interface Chain {
  ok: boolean;
  count: number;
  first_bad_seq: number | null;
  problem: string | null;
}

export const FILTERS = ["event", "tool", "decision", "rule", "ok", "session", "since", "until"] as const;
export type Filters = Record<(typeof FILTERS)[number], string>;

export interface View {
  filters: Filters;
  /** Lines before this one; else after that one; else the newest. */
  before: number | null;
  after: number | null;
  /** The line that is looked at. */
  line: number | null;
}

const whole = (text: string | null): number | null => (text && /^\d{1,15}$/.test(text) ? Number(text) : null);

export function readView(query: URLSearchParams): View {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""])) as Filters;
  return { filters, before: whole(query.get("before")), after: whole(query.get("after")), line: whole(query.get("line")) };
}

export function writeView(view: View): Record<string, string> {
  const { filters, ...places } = view;
  const numbers = Object.entries(places).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { ...filters, ...Object.fromEntries(numbers) };
}

/** Another filter begins at the newest line again. */
export const filtered = (view: View, change: Partial<Filters>): View => ({
  ...view, filters: { ...view.filters, ...change }, before: null, after: null,
});

export const isFiltered = ({ filters }: View): boolean => Object.values(filters).some(Boolean);

/** The address that downloads what the filters leave. */
export function exportAddress(filters: Filters): string {
  const kept = Object.entries(filters).filter(([, value]) => value);
  return address(`/api/audit?${new URLSearchParams([...kept, ["format", "jsonl"]])}`);
}

/** A moment of the address (UTC) as a field for local time has it, and back. */
export function toLocal(moment: string): string {
  const date = new Date(moment);
  if (!moment || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function fromLocal(text: string): string {
  const date = new Date(text);
  return !text || Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/\.000Z$/, "Z");
}

/** What can stand in a line, with words for people. */
export const EVENTS: Record<string, string> = {
  tool_decision: t("Decided, not run"),
  tool_execution: t("Ran"),
  tool_replayed: t("Replayed"),
  tool_detached: t("Answered early"),
  tool_reconciled: t("Recovered after a crash"),
  tool_unknown: t("Cut short by a crash"),
  task_not_run: t("Task not run"),
  turn_completed: t("Turn completed"),
  session_started: t("Session started"),
  session_resumed: t("Session resumed"),
  session_ended: t("Session ended"),
  confirmation_resolved: t("Approval answered"),
  confirmation_refused: t("Answer not accepted"),
  intent_refused: t("Intent refused"),
  registry_mismatch: t("Tools changed"),
  provider_fault: t("Provider fault"),
  line_changed: t("Reconnected to the model"),
};
export const DECISIONS: Record<string, string> = {
  run: t("Run"), refuse: t("Refuse"), confirm: t("Ask first"), replay: t("Replay"), wait: t("Wait"),
};

export const eventInWords = (event: string): string => EVENTS[event] ?? event.replaceAll("_", " ");
export const decisionInWords = (decision: string): string => DECISIONS[decision] ?? decision;

/** A line as one sentence. */
export function lineInWords(line: Line): string {
  const tool = line.toolId || t("a tool without a name");
  const error = line.errorType ?? "";
  const time = typeof line.duration === "number" ? duration(line.duration) : "";
  switch (line.decision) {
    case "refuse":
      return error ? t("{tool} was refused by the rule {rule} ({error}).", { tool, rule: line.rule ?? "", error }) : t("{tool} was refused by the rule {rule}.", { tool, rule: line.rule ?? "" });
    case "confirm":
      return t("{tool} waited for approval.", { tool });
    case "replay":
      return t("{tool} was answered from the record of the same call.", { tool });
    case "wait":
      return t("{tool} was already running; this call waited for it.", { tool });
    case "run":
    case "recover":
      if (line.ok === false) return error ? t("{tool} ran and failed ({error}).", { tool, error }) : t("{tool} ran and failed.", { tool });
      return time ? t("{tool} ran in {time}.", { tool, time }) : t("{tool} ran.", { tool });
    default:
      return line.toolId ? `${eventInWords(line.event)}: ${line.toolId}` : eventInWords(line.event);
  }
}

export function chainInWords(chain: Chain): string {
  if (chain.ok) {
    return chain.count
      ? plural(chain.count, "The only line is intact.", "All {count} lines are intact: none was changed, moved, added or removed.")
      : t("The audit is empty.");
  }
  return `${t("The chain is broken: {problem}.", { problem: chain.problem ?? "" })} ${plural(chain.count, "{count} line before it is intact.", "{count} lines before it are intact.")}`;
}

/** Numbers for a replay as people type them: empty is as it is, "none" is no limit. */
export function policyOf(typed: Record<string, string>): { policy: Record<string, number | null>; wrong: Record<string, string> } {
  const policy: Record<string, number | null> = {};
  const wrong: Record<string, string> = {};
  for (const [name, text] of Object.entries(typed)) {
    const word = text.trim().toLowerCase();
    if (!word) continue;
    if (word === "none" && name.includes(".")) policy[name] = null;
    else if (/^\d+(\.\d+)?$/.test(word)) policy[name] = Number(word);
    else wrong[name] = name.includes(".") ? t("Enter a number from 0, or none.") : t("Enter a number from 0.");
  }
  return { policy, wrong };
}
