/** Calls in one line: what they were given, and what came of them. */
import { locale, plural, t } from "../../i18n";
import { duration } from "../../ui/time";
import { nameOf, type ToolOutcome } from "../transcript";

const LONG = 70;

const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)/g;

/** Times as people write them, in place of those that machines do. */
export function readableTimes(text: string): string {
  return text.replace(ISO, (iso) => {
    const at = new Date(iso);
    return Number.isNaN(at.getTime()) ? iso : moments.format(at);
  });
}

/** What stands in place of a value that must not be shown. */
const HIDDEN = "[redacted]";

/** The values that say most: words before numbers. */
export function argsInWords(args: unknown): string {
  if (args === undefined || args === null || args === HIDDEN) return "";
  if (typeof args !== "object") return cut(String(args));
  const values = Object.values(args as Record<string, unknown>).filter((value) => value !== HIDDEN);
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  const shown = texts.length ? texts : values.filter((value) => typeof value === "number" || typeof value === "boolean");
  return cut(shown.map((value) => (typeof value === "string" && value.includes(" ") ? `“${value}”` : String(value))).join(", "));
}

/** Under these names results are lists. */
const NOUNS: Record<string, string> = { results: "result", records: "record", databases: "database", messages: "message" };

export function resultInWords({ ok, error, errorType, result }: ToolOutcome): string {
  if (!ok) return errorType === "CONFIRMATION_REQUIRED" ? t("waiting for your approval") : cut(error ?? t("failed"));
  if (result === null || typeof result !== "object") return result === undefined || result === null ? t("done") : cut(String(result));
  const fields = Object.entries(result as Record<string, unknown>).filter(([name]) => name !== "success");
  const lists = fields.filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const said = fields.find(([name, value]) => ["summary", "answer", "message", "text"].includes(name) && typeof value === "string");
  if (said) return cut(said[1] as string);
  if (lists.length === 1) {
    const [name, list] = lists[0]!;
    const noun = NOUNS[name] ?? name.replace(/_/g, " ").replace(/s$/, "");
    return `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
  }
  const short = fields.filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  if (!short.length) return t("done");
  return cut(short.slice(0, 3).map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`).join(", "));
}

function cut(text: string): string {
  const line = readableTimes(text.replace(/\s+/g, " ").trim());
  return line.length > LONG ? `${line.slice(0, LONG - 1).trimEnd()}…` : line;
}

// -- all calls of an answer ----------------------------------------------------------------------------------

export interface CallFacts {
  name: string;
  args: unknown;
  /** Seconds of the epoch. */
  at: number;
  outcome: ToolOutcome | null;
  consent: string | null;
}

const SEARCHES = new Set(["kb_search", "search_kg", "query_kg", "cross_kg_search"]);
/** Looks around for the agent's own sake. */
const ASIDE = /^(list_|get_|describe_tool$|check_)/;

export const isSearch = (name: string): boolean => SEARCHES.has(name);
export const isAside = (name: string): boolean => ASIDE.test(name);

/** A tool of the catalogue is called through `run_tool`; people know it by its own name. */
function asPeopleKnowIt(call: CallFacts): CallFacts {
  const { tool_id: name, params } = (call.name === "run_tool" && call.args ? call.args : {}) as Record<string, unknown>;
  if (typeof name !== "string") return call;
  const inner = (call.outcome?.result as { result?: unknown } | null | undefined)?.result;
  return { ...call, name, args: params, outcome: call.outcome && { ...call.outcome, ...(inner === undefined ? {} : { result: inner }) } };
}

/** "Searched 2 databases · 6 results · 127 ms" */
export function inOneLine(made: readonly CallFacts[]): string {
  const calls = made.map(asPeopleKnowIt);
  const searches = calls.filter(({ name }) => isSearch(name));
  const others = calls.filter(({ name }) => !isSearch(name) && !isAside(name));
  const aside = calls.length - searches.length - others.length;
  const running = calls.some(({ outcome }) => outcome === null);
  const said: string[] = [];
  if (searches.length) said.push(...searched(searches, running));
  if (others.length === 1) said.push(one(others[0]!));
  else if (others.length) {
    const names = [...new Set(others.map(({ name }) => nameOf(name)))];
    said.push(names.length <= 3 ? names.join(", ") : plural(others.length, "{count} tool call", "{count} tool calls"));
  }
  if (!said.length && aside) said.push(running ? t("Looking around") : t("Looked around"));
  const failed = calls.filter(({ outcome, consent }) => outcome && !outcome.ok && outcome.errorType !== "CONFIRMATION_REQUIRED" && consent === null && !refused(outcome));
  if (failed.length && calls.length > 1) said.push(t("{count} failed", { count: failed.length }));
  if (!running) {
    const ms = took(calls);
    if (ms !== null) said.push(duration(ms));
  }
  return said.join(" · ");
}

/** The person did not want it. */
const refused = ({ errorType }: ToolOutcome): boolean => errorType === "CANCELLED" || errorType === "CONFIRMATION_DENIED";

function searched(searches: readonly CallFacts[], running: boolean): string[] {
  const homes = new Set(searches.flatMap(({ args }) => databasesIn(args)));
  const count = Math.max(1, homes.size);
  if (running) return [plural(count, "Searching {count} database", "Searching {count} databases")];
  const results = searches.reduce((sum, { outcome }) => sum + resultsIn(outcome), 0);
  return [
    plural(count, "Searched {count} database", "Searched {count} databases"),
    plural(results, "{count} result", "{count} results"),
  ];
}

function databasesIn(args: unknown): string[] {
  const { namespace, database_id, database_ids, database } = (args ?? {}) as Record<string, unknown>;
  const named = database_ids ?? namespace ?? database_id ?? database;
  return (Array.isArray(named) ? named : [named]).filter((each): each is string => typeof each === "string");
}

function resultsIn(outcome: ToolOutcome | null): number {
  const { results } = (outcome?.result ?? {}) as { results?: unknown };
  return Array.isArray(results) ? results.length : 0;
}

function one({ name, args, outcome, consent }: CallFacts): string {
  if (consent === "denied") return t("{tool}: denied", { tool: nameOf(name) });
  if (!outcome) return t("{tool}…", { tool: nameOf(name) });
  if (outcome.errorType === "CONFIRMATION_REQUIRED") {
    return consent === "approved" ? t("{tool}: approved", { tool: nameOf(name) }) : t("{tool}: waiting for your approval", { tool: nameOf(name) });
  }
  const given = argsInWords(args);
  const came = resultInWords(outcome);
  return [nameOf(name), given, came === t("done") ? "" : came].filter(Boolean).join(" · ");
}

/** Calls at the same time count once. */
function took(calls: readonly CallFacts[]): number | null {
  const timed = calls.flatMap(({ at, outcome }) => (outcome?.durationMs == null ? [] : [{ from: at * 1000, ms: outcome.durationMs }]));
  if (!timed.length) return null;
  const sum = timed.reduce((all, { ms }) => all + ms, 0);
  const longest = Math.max(...timed.map(({ ms }) => ms));
  const span = Math.max(...timed.map(({ from, ms }) => from + ms)) - Math.min(...timed.map(({ from }) => from));
  return Math.min(sum, Math.max(span, longest));
}
