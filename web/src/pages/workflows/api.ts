/** Workflows and agents are the same thing under two names: steps over tools, and runs of them. */
import { callTool } from "../../api/calls";
import { get, post } from "../../api/http";
import type { LeftOut } from "../playbooks/api";

export type Kind = "workflows" | "agents";

export interface Step {
  id: string;
  title: string;
  tool: string | null;
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

export type Status = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "unknown";
export type StepStatus = "pending" | "running" | "done" | "left_out" | "failed" | "waiting" | "stopped";

export interface RunSummary {
  task_id: string;
  session_id: string;
  name: string;
  input: string;
  status: Status;
  waits: boolean;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  resumed_from: string | null;
}

export interface RunStep {
  step: string;
  title: string;
  tool: string | null;
  status: StepStatus;
  error: string | null;
  seconds: number | null;
  reused: boolean;
  result: Record<string, unknown> | null;
}

export interface Evidence {
  id: string;
  title: string;
  tool: string;
  database_id: string | null;
}

export interface Run extends RunSummary {
  attempts: number;
  cancel_requested: boolean;
  message: string | null;
  fraction: number | null;
  steps: RunStep[];
  text: string | null;
  by: "model" | "rules" | null;
  note: string | null;
  evidence: Evidence[];
  error: string | null;
  error_type: string | null;
  waiting: { tool: string; confirmation_request: { id: string } } | null;
  can_resume: boolean;
}

export const isOver = (run: { status: Status }): boolean => run.status !== "queued" && run.status !== "running";

const inPath = encodeURIComponent;

/** What there is; `folder` is for files of one's own, and `left_out` are those that cannot be used. */
export interface Pipelines { found: Pipeline[]; folder: string; left_out: LeftOut[] }

export async function loadPipelines(kind: Kind, signal: AbortSignal): Promise<Pipelines> {
  const { [kind]: found, folder, left_out } = await get<Record<Kind, Pipeline[]> & Omit<Pipelines, "found">>(`/api/${kind}`, { signal });
  return { found, folder, left_out };
}

export async function loadRuns(kind: Kind, name: string, signal: AbortSignal): Promise<RunSummary[]> {
  return (await get<{ runs: RunSummary[] }>(`/api/${kind}/${inPath(name)}/runs`, { signal })).runs;
}

export function loadRun(kind: Kind, name: string, task: string, signal: AbortSignal, results = false): Promise<Run> {
  return get<Run>(`/api/${kind}/${inPath(name)}/runs/${inPath(task)}`, { signal, query: results ? { results } : {} });
}

/** Starts a run like any call of a tool; the answer is its task. */
export async function start(kind: Kind, name: string, input: string): Promise<string> {
  const args = kind === "workflows" ? { workflow_name: name, input } : { agent_name: name, input };
  const tool = kind === "workflows" ? "run_workflow" : "run_agent";
  return (await callTool<{ task_id: string }>(tool, args, crypto.randomUUID())).task_id;
}

export const stop = (task: string): Promise<unknown> => post(`/api/tasks/${inPath(task)}/cancel`);

export function resume(kind: Kind, name: string, task: string): Promise<{ task_id: string; reused: string[]; warnings: string[] }> {
  return post(`/api/${kind}/${inPath(name)}/runs/${inPath(task)}/resume`);
}

/** Which workflow or agent a task is a run of; null: of none. */
export async function nameOfTask(kind: Kind, task: string, signal: AbortSignal): Promise<string | null> {
  const { args } = await get<{ args: Record<string, unknown> }>(`/api/tasks/${inPath(task)}`, { signal });
  const said = args[kind === "workflows" ? "workflow_name" : "agent_name"];
  return typeof said === "string" ? (await get<Pipeline>(`/api/${kind}/${inPath(said)}`, { signal })).name : null;
}
