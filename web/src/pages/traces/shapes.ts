/** Traces as the server gives them, and how they are drawn. */
import { number, t } from "../../i18n";
import { duration } from "../../ui/time";
import type { CallMade } from "../sessions/shapes";

export interface TraceSummary {
  session_id: string;
  turn: number;
  user: string;
  mode: "text" | "voice" | null;
  asked: string | null;
  started_at: number;
  duration_ms: number;
  wait_ms: number | null;
  finish: string | null;
  calls: number;
  tools_ms: number;
  marks: Record<string, number>;
}

export interface TracePage {
  traces: TraceSummary[];
  next_before: number | null;
}

export interface Span {
  kind: "speech" | "model" | "tool" | "approval" | "sound";
  name: string;
  start_ms: number;
  end_ms: number;
  first_ms: number | null;
  seq: number | null;
}

export interface Point {
  name: "asked" | "first_token" | "first_text" | "first_audio" | "done";
  at_ms: number;
}

export interface Trace extends TraceSummary {
  /** There is sound of it. */
  recorded: boolean;
  answer: string | null;
  tokens: { input: number; output: number; cached: number } | null;
  points: Point[];
  spans: Span[];
  entries: CallMade[];
}

export const idOf = (trace: Pick<TraceSummary, "session_id" | "turn">): string => `${trace.session_id}/${trace.turn}`;
export const titleOf = (trace: Pick<TraceSummary, "asked">): string => trace.asked || t("The agent spoke first");

export const SPANS: Record<Exclude<Span["kind"], "tool">, string> = {
  speech: t("You speaking"),
  model: t("Model"),
  approval: t("Waiting for approval"),
  sound: t("Answer playing"),
};

export const spanTitle = (span: Pick<Span, "kind" | "name">): string =>
  span.kind === "tool" ? span.name : span.kind === "approval" ? `${SPANS.approval}: ${span.name}` : SPANS[span.kind];

/** What was waited for, as the waterfall marks it. */
export const POINTS: Record<Point["name"], string> = {
  asked: t("End of question"),
  first_token: t("First token"),
  first_text: t("First words"),
  first_audio: t("First sound"),
  done: t("Model done"),
};

/** Where people begin to wait: waits are counted from there. */
export const zeroOf = (trace: Pick<Trace, "points">): number => trace.points.find((point) => point.name === "asked")?.at_ms ?? 0;

/** Marks of a scale up to so many milliseconds: four to eight, at round numbers. */
export function ticks(most: number): number[] {
  const rough = Math.max(most, 1) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => each >= rough)!;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

export const percent = (ms: number, most: number): string => `${Math.min(100, Math.max(0, (ms / Math.max(most, 1)) * 100)).toFixed(3)}%`;

export interface Row {
  name: string;
  title: string;
  /** Null: this turn has none. */
  values: (number | null)[];
  show: (value: number) => string;
}

const count = (value: number): string => number(value);

/** Two turns figure by figure; what neither has is left out. */
export function compared(traces: Trace[]): Row[] {
  const after = (trace: Trace, name: Point["name"]) => {
    const found = trace.points.find((point) => point.name === name);
    return found ? Math.max(0, found.at_ms - zeroOf(trace)) : null;
  };
  const rows: Row[] = [
    ...(["first_token", "first_text", "first_audio", "done"] as const).map((name) => ({
      name, title: POINTS[name], values: traces.map((trace) => after(trace, name)), show: duration,
    })),
    { name: "total", title: t("Total"), values: traces.map((trace) => trace.duration_ms), show: duration },
    { name: "tools", title: t("Time in tools"), values: traces.map((trace) => trace.tools_ms), show: duration },
    { name: "calls", title: t("Calls"), values: traces.map((trace) => trace.calls), show: count },
    { name: "input", title: t("Tokens in"), values: traces.map((trace) => trace.tokens?.input ?? null), show: count },
    { name: "output", title: t("Tokens out"), values: traces.map((trace) => trace.tokens?.output ?? null), show: count },
  ];
  return rows.filter((row) => row.values.some((value) => value !== null));
}

/** The second beside the first: how much more or less, with its sign; empty where one is missing. */
export function difference({ values, show }: Row): string {
  const [one, two] = values;
  if (one == null || two == null || one === two) return "";
  return `${two > one ? "+" : "−"}${show(Math.abs(two - one))}`;
}
