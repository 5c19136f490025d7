/** The figures since the server started, and the rows of the table of tools. */
import { t } from "../../i18n";
import type { Percentiles } from "./history";

export interface Metrics {
  responseSizes: Record<string, Percentiles>;
  responseTokens: Record<string, { avg: number; p95: number }>;
  latency: Record<string, Percentiles & { overBudget: number }>;
  calls: Record<string, Record<string, number>>;
  refusals: Record<string, number>;
  refusalRules: Record<string, number>;
  modelTokens: Record<string, { input: number; output: number; cached: number }>;
  context: { sessionInitTokens: number; systemPromptTokens: number; toolDeclTokens: number };
  loopDetection: { activeSessions: number; totalTurnsTracked: number; detected: number };
  sessions: { active: number; started: number; turns: number; durationMs: Percentiles | null; toolCalls: Percentiles | null; turnsPerSession: Percentiles | null };
  voice: Record<string, Percentiles | null>;
  alerts: { toolId: string; rule: string; value: number; limit: number }[];
  registry: { version: string; tools: number };
}

export interface ToolRow {
  id: string;
  calls: number;
  failed: number;
  p50: number;
  p95: number;
  p99: number;
  overBudget: number;
  chars: number;
  tokens: number;
}

export const COLUMNS = [
  { id: "id", title: t("Tool") },
  { id: "calls", title: t("Calls") },
  { id: "failed", title: t("Failed") },
  { id: "p50", title: "p50" },
  { id: "p95", title: "p95" },
  { id: "p99", title: "p99" },
  { id: "overBudget", title: t("Over budget") },
  { id: "chars", title: t("Result size p95") },
  { id: "tokens", title: t("Tokens") },
] as const;
export type Column = (typeof COLUMNS)[number]["id"];

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, each) => total + each, 0);

/** Every tool that ran, by the column asked for: names from A on, numbers from the largest on. */
export function toolRows(metrics: Metrics, sort: Column = "calls"): ToolRow[] {
  const rows = Object.entries(metrics.calls).map(([id, outcomes]): ToolRow => {
    const latency = metrics.latency[id];
    const calls = sum(outcomes);
    return {
      id, calls, failed: calls - (outcomes["ok"] ?? 0),
      p50: latency?.p50 ?? 0, p95: latency?.p95 ?? 0, p99: latency?.p99 ?? 0, overBudget: latency?.overBudget ?? 0,
      chars: metrics.responseSizes[id]?.p95 ?? 0, tokens: metrics.responseTokens[id]?.avg ?? 0,
    };
  });
  return rows.sort((one, two) => (sort === "id" ? 0 : two[sort] - one[sort]) || one.id.localeCompare(two.id));
}

export const callsIn = (metrics: Metrics): { ran: number; failed: number; refused: number } => {
  const rows = toolRows(metrics);
  return {
    ran: rows.reduce((total, row) => total + row.calls, 0),
    failed: rows.reduce((total, row) => total + row.failed, 0),
    refused: sum(metrics.refusals),
  };
};

export const descending = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).sort((one, two) => two[1] - one[1] || one[0].localeCompare(two[0]));
