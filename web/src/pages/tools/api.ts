/** The registry, its numbers and its answers, as the server tells them. */
import { get } from "../../api/http";
import { may, mayForServer } from "../../stores/account";
import type { Schema, Wrong } from "../../ui/schema-form/form";

export type Mode = "text" | "voice";

export interface ToolSummary {
  toolId: string;
  version: string;
  description: string;
  category: "retrieval" | "action" | "utility";
  sideEffects: "none" | "read_only" | "writes";
  idempotent: boolean;
  requiresConfirmation: boolean;
  risk: "low" | "high";
  allowedModes: Mode[];
  latencyBudgetMs: number;
  execution: "server" | "client" | "background";
  timeoutMs: number;
  isolation: "inline" | "thread" | "process";
  interruption: "cancel" | "finish" | "detach";
  rateLimit?: { calls: number; windowMs: number };
  availability?: Record<string, unknown>;
  output?: Schema;
  redact?: string[];
  catalogue?: string;
  variants?: { name?: string; weight?: number }[];
  summary: string;
  available: boolean;
  unavailableBecause?: string;
}

export interface Loss {
  keyword: string;
  pointer: string;
  reason: string;
}

export interface Tool extends ToolSummary {
  documentation: string;
  jsonSchema: Schema;
  providerSchemas: Record<string, unknown>;
  losses?: Record<string, Loss[]>;
  digest: string;
  handlerPath: string;
}

export interface Catalogue {
  registryVersion: string;
  count: number;
  tools: ToolSummary[];
}

export interface Envelope {
  ok: boolean;
  data?: Record<string, unknown>;
  error?: {
    type: string;
    message: string;
    retryable: boolean;
    partialSideEffects: boolean;
    retryAfter?: number;
    errors?: Wrong[];
    nearest?: string[];
    suggestion?: string;
    confirmation_request?: { id: string; tool: string; preview: string; expires_at: number };
    [more: string]: unknown;
  };
  intents: { type?: string; [more: string]: unknown }[];
  meta: {
    toolId: string;
    toolVersion: string | null;
    registryVersion: string;
    duration: number;
    replayed?: boolean;
    originalTurn?: number;
    variant?: string;
    budget?: { clamped?: unknown; toolTimeMs?: number; warning?: string; [more: string]: unknown };
  };
}

interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Metrics {
  calls: Record<string, Record<string, number>>;
  latency: Record<string, Percentiles & { overBudget: number }>;
  responseSizes: Record<string, Percentiles>;
  responseTokens: Record<string, { avg: number; p95: number }>;
  alerts: { toolId: string; rule: string; value: number; limit: number }[];
}

export interface AuditLine {
  seq: number;
  at: number;
  event: string;
  sessionId: string;
  mode: Mode;
  turnId: number;
  toolId: string | null;
  idempotencyKey?: string | null;
  decision?: string;
  rule?: string;
  ok?: boolean | null;
  duration?: number | null;
  errorType?: string | null;
  source?: string;
}

export const loadCatalogue = (signal?: AbortSignal) => get<Catalogue>("/api/tools", { ...(signal ? { signal } : {}) });
export const loadTool = (id: string, signal?: AbortSignal) =>
  get<Tool>(`/api/tools/${encodeURIComponent(id)}`, { ...(signal ? { signal } : {}) });
/** Null: this person may not see them. */
export const loadMetrics = async (signal?: AbortSignal): Promise<Metrics | null> =>
  mayForServer("metrics.read") ? get<Metrics>("/metrics", { ...(signal ? { signal } : {}) }) : null;
export const recentCalls = async (tool: string, limit: number, signal?: AbortSignal): Promise<{ lines: AuditLine[] } | null> =>
  may("audit.read") ? get<{ lines: AuditLine[] }>("/api/audit", { query: { tool, newest_first: true, limit }, ...(signal ? { signal } : {}) }) : null;
