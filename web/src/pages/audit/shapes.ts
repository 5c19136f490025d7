/** Lines of the audit and what is asked of them, as they stand in the address. */
import { address } from "../../api/address";
import type { Passage } from "../../api/rules";

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
  tool_decision: "Decided without running",
  tool_execution: "Ran",
  tool_replayed: "Replayed",
  tool_detached: "Answered before it was done",
  tool_reconciled: "Found out after a crash",
  tool_unknown: "Cut short by a crash",
  task_not_run: "Task did not run",
  turn_completed: "Turn completed",
  session_started: "Session began",
  session_resumed: "Session taken up",
  session_ended: "Session ended",
  confirmation_resolved: "Person answered",
  confirmation_refused: "Answer not taken",
  intent_refused: "Intent refused",
  registry_mismatch: "Tools changed",
  provider_fault: "Provider fault",
  line_changed: "Line to the model changed",
};
export const DECISIONS: Record<string, string> = {
  run: "Run", refuse: "Refuse", confirm: "Ask first", replay: "Replay", wait: "Wait",
};

export const eventInWords = (event: string): string => EVENTS[event] ?? event.replaceAll("_", " ");

/** A line as one sentence. */
export function lineInWords(line: Line): string {
  const tool = line.toolId || "a tool without a name";
  const took = typeof line.duration === "number" ? ` in ${line.duration < 1 ? "less than 1" : Math.round(line.duration)} ms` : "";
  switch (line.decision) {
    case "refuse":
      return `${tool} was refused by the rule ${line.rule}${line.errorType ? ` (${line.errorType})` : ""}.`;
    case "confirm":
      return `${tool} waited for a person's approval.`;
    case "replay":
      return `${tool} was answered from the record of the same call.`;
    case "wait":
      return `${tool} was under way already; this call waited for it.`;
    case "run":
    case "recover":
      return line.ok === false ? `${tool} ran and failed${line.errorType ? ` (${line.errorType})` : ""}${took}.` : `${tool} ran${took}.`;
    default:
      return `${eventInWords(line.event)}${line.toolId ? `: ${line.toolId}` : ""}.`;
  }
}

export function chainInWords(chain: Chain): string {
  const lines = (count: number) => (count === 1 ? "1 line" : `${count.toLocaleString()} lines`);
  if (chain.ok) {
    return chain.count
      ? `${chain.count === 1 ? "The one line is" : `All ${lines(chain.count)} are`} in order: none was changed, moved, added or removed.`
      : "The audit is empty, and so is its chain.";
  }
  return `The chain is broken: ${chain.problem}. ${chain.count ? `${lines(chain.count)} before it ${chain.count === 1 ? "is" : "are"} in order.` : "No line before it is in order."}`;
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
    else wrong[name] = name.includes(".") ? "A number from 0 on, or none." : "A number from 0 on.";
  }
  return { policy, wrong };
}
