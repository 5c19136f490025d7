/** Automations (macros, workflows, agents), and runs of them: one shape for every kind. */
import { get, post } from "../../api/http";
import type { Passage } from "../../api/rules";
import { t } from "../../i18n";
import { at } from "../../router";
import type { LeftOut } from "../playbooks/api";

/** As the server calls them, and the page of each. */
export type Kind = "macro" | "workflow" | "agent";
export const PAGE = { macro: "macros", workflow: "workflows", agent: "agents" } as const;
export type PipelineKind = Exclude<Kind, "macro">;

export interface Step {
  id: string;
  title: string;
  tool: string | null;
  args: Record<string, unknown>;
  /** Arguments that come from the input or an earlier step, by the path of each. */
  sources: Record<string, string>;
  optional: boolean;
  condition: string | null;
  asks_model: boolean;
  asks_first: boolean;
  known: boolean;
}

export interface Pipeline {
  name: string;
  title: string;
  description: string;
  input: string;
  needs_input: boolean;
  tools: string[];
  uses_model: boolean;
  modes: ("text" | "voice")[];
  steps: Step[];
}

export type Status = "pending" | "running" | "waiting" | "succeeded" | "failed" | "stopped";
export type StepStatus = "pending" | "running" | "done" | "left_out" | "failed" | "waiting" | "stopped";

export interface RunSummary {
  id: string;
  kind: Kind;
  name: string;
  title: string;
  input: string;
  status: Status;
  error: string | null;
  created_at: number;
  finished_at: number | null;
  resumed_from: string | null;
  schedule_id: string | null;
}

export interface RunStep {
  step: string;
  title: string;
  tool: string | null;
  status: StepStatus;
  error: string | null;
  seconds: number | null;
  tries: number;
  reused: boolean;
  args: Record<string, unknown> | null;
  result: unknown;
  gates: Passage[];
}

export interface Evidence {
  id: string;
  title: string;
  tool: string;
  database_id: string | null;
}

export interface RunEvent {
  at: number;
  event: "run_started" | "step_started" | "step_retried" | "step_finished" | "step_reused" | "run_finished";
  step: string;
  details: { status?: string; error?: string; tool?: string; attempt?: number };
}

export interface Waiting {
  step: string | number;
  confirmation_request?: { id: string; preview: string };
  inside?: Waiting;
}

export interface Run extends RunSummary {
  session_id: string;
  attempts: number;
  stop_requested: boolean;
  steps: RunStep[];
  events: RunEvent[];
  text: string | null;
  by: "model" | "rules" | null;
  note: string | null;
  evidence: Evidence[];
  error_type: string | null;
  waiting: Waiting | null;
  can_resume: boolean;
}

export const isOver = (run: { status: Status }): boolean => run.status !== "pending" && run.status !== "running";
/** What a person has to answer, in this macro or inside of one that it runs. */
export const requestOf = (waiting: Waiting | null): Waiting["confirmation_request"] =>
  waiting?.confirmation_request ?? (waiting?.inside ? requestOf(waiting.inside) : undefined);

export const STATUS: Record<Status, { said: string; kind: "plain" | "good" | "bad" | "warn" | "accent" }> = {
  pending: { said: t("Pending"), kind: "plain" },
  running: { said: t("Running"), kind: "accent" },
  waiting: { said: t("Waiting for approval"), kind: "warn" },
  succeeded: { said: t("Succeeded"), kind: "good" },
  failed: { said: t("Failed"), kind: "bad" },
  stopped: { said: t("Stopped"), kind: "plain" },
};

const inPath = encodeURIComponent;
export const runAddress = (run: { kind: Kind; name: string; id: string }): string => at(PAGE[run.kind], [run.name, run.id]);

/** What there is; `folder` is for files of one's own, and `left_out` are those that cannot be used. */
export interface Pipelines { found: Pipeline[]; folder: string; left_out: LeftOut[] }

export async function loadPipelines(kind: PipelineKind, signal: AbortSignal): Promise<Pipelines> {
  const body = await get<Record<string, Pipeline[]> & Omit<Pipelines, "found">>(`/api/${PAGE[kind]}`, { signal });
  return { found: body[PAGE[kind]]!, folder: body.folder, left_out: body.left_out };
}

/** How an automation ran last, and when it runs next. */
export interface Standing {
  last_run: RunSummary | null;
  next_at: number | null;
}

/** How each stands, by its name. */
export async function loadStandings(kind: Kind, signal: AbortSignal): Promise<Map<string, Standing>> {
  const { automations } = await get<{ automations: (Standing & { kind: Kind; name: string })[] }>("/api/automations", { signal });
  return new Map(automations.filter((each) => each.kind === kind).map((each) => [each.name, each]));
}

export interface RunPage { runs: RunSummary[]; next_before: string | null }

export function loadRuns(kind: Kind, name: string, signal: AbortSignal, limit: number, before = ""): Promise<RunPage> {
  return get<RunPage>("/api/automations/runs", { signal, query: { kind, name, limit, ...(before ? { before } : {}) } });
}

export function loadRun(id: string, signal: AbortSignal, details = false): Promise<Run> {
  return get<Run>(`/api/automations/runs/${inPath(id)}`, { signal, query: details ? { details } : {} });
}

/** Runs that were started in this tab: their questions are asked at once. */
const own = new Set<string>();
export const isOwn = (id: string): boolean => own.has(id);

function owned(id: string): string {
  own.add(id);
  return id;
}

export async function start(kind: Kind, name: string, input = ""): Promise<string> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  return owned((await post<{ id: string }>(`/api/automations/${kind}/${inPath(name)}/run`, { input }, { headers })).id);
}

export const stop = (id: string): Promise<unknown> => post(`/api/automations/runs/${inPath(id)}/stop`);

export interface Resumed { id: string; reused: string[]; warnings: string[] }

/** Goes on after the finished steps, or from `step` on. */
export async function resume(id: string, step?: string): Promise<Resumed> {
  const headers: Record<string, string> = step ? { "Idempotency-Key": crypto.randomUUID() } : {};
  const made = await post<Resumed>(`/api/automations/runs/${inPath(id)}/resume`, step ? { step } : {}, { headers });
  owned(made.id);
  return made;
}

/** Which workflow or agent a task is a run of; null: of none. */
export async function nameOfTask(kind: PipelineKind, task: string, signal: AbortSignal): Promise<string | null> {
  const { args } = await get<{ args: Record<string, unknown> }>(`/api/tasks/${inPath(task)}`, { signal });
  const said = args[`${kind}_name`];
  return typeof said === "string" ? (await get<Pipeline>(`/api/${PAGE[kind]}/${inPath(said)}`, { signal })).name : null;
}
