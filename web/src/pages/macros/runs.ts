/** A run of a macro as it happens: each step from "waits its turn" to what came of it. */
import { signal } from "@preact/signals";

import { ApiError, said, send, words } from "../../api/http";
import { askById } from "../../stores/confirmations";
import type { Macro } from "./draft";

export interface StepResult {
  step: number;
  function: string;
  success: boolean;
  result?: unknown;
  error?: string;
  error_type?: string;
  errors?: { pointer: string; message: string }[];
  tries?: number;
}

export interface StepRun {
  function: string;
  state: "pending" | "running" | "waiting" | "done" | "failed" | "not run";
  result?: StepResult;
  /** What a person said when it was asked about. */
  answered?: string;
  /** What goes on inside, where the step runs another macro. */
  inner?: string;
}

interface Waiting {
  step: number;
  function: string;
  confirmation_request?: { id: string; preview: string };
  inside?: Waiting;
}

export interface Run {
  macroId: string;
  name: string;
  state: "running" | "waiting" | "done" | "failed";
  steps: StepRun[];
  summary: string;
  problem?: string;
  waiting?: Waiting;
}

interface Told {
  type: "step" | "done" | "failed";
  macro_id: string;
  step: number;
  message: string;
  last: StepResult | null;
  results: StepResult[];
  success: boolean;
  summary: string;
  waiting?: Waiting;
  error?: { message: string };
}

/** The latest run of each macro. */
export const runs = signal<Record<string, Run>>({});
const put = (run: Run) => (runs.value = { ...runs.value, [run.macroId]: run });

/** Runs it and follows every step. Never throws: what goes wrong is part of the run. */
export async function start(macro: Macro): Promise<Run> {
  let run: Run = {
    macroId: macro.id,
    name: macro.name,
    state: "running",
    steps: macro.steps.map((step) => ({ function: step.function, state: "pending" })),
    summary: "",
  };
  put(run);
  try {
    const answer = await send("POST", `/api/vox/macros/${encodeURIComponent(macro.id)}/run/events`, undefined, {
      headers: { Accept: "text/event-stream", "Idempotency-Key": `console-${crypto.randomUUID()}` },
    });
    if (!answer.ok || !answer.body) throw new ApiError(answer.status, words(answer.status, await answer.json().catch(() => null)));
    for await (const told of events(answer.body)) put((run = after(run, told as unknown as Told)));
    if (run.state === "running") throw new Error("The connection was lost. The run goes on at the server; the audit says what came of it.");
  } catch (error) {
    put((run = { ...run, state: "failed", problem: said(error), steps: stopped(run.steps) }));
  }
  if (run.waiting) void decide(run);
  return run;
}

/** What is known after one more message. */
export function after(run: Run, told: Told): Run {
  if (told.type === "failed") {
    return { ...run, state: "failed", problem: told.error?.message ?? "It was refused.", steps: stopped(run.steps) };
  }
  if (told.type === "done") {
    const steps = run.steps.map((step, index) => {
      const result = told.results.find((each) => each.step === index + 1);
      if (!result) return { ...step, state: "not run" as const };
      const waits = told.waiting?.step === index + 1;
      return { ...step, result, state: waits ? ("waiting" as const) : result.success ? ("done" as const) : ("failed" as const) };
    });
    const state = told.waiting ? "waiting" : told.success ? "done" : "failed";
    return { ...run, state, steps, summary: told.summary, ...(told.waiting ? { waiting: told.waiting } : {}) };
  }
  if (told.macro_id !== run.macroId) {
    const steps = run.steps.map((step) => (step.state === "running" ? { ...step, inner: told.message } : step));
    return { ...run, steps };
  }
  const steps = run.steps.map((step, index): StepRun => {
    const number = index + 1;
    if (number === told.step) return { ...step, state: "running" };
    if (number === told.last?.step) return { ...step, result: told.last, state: told.last.success ? "done" : "failed" };
    return step;
  });
  return { ...run, steps };
}

const stopped = (steps: StepRun[]): StepRun[] =>
  steps.map((step) => (step.state === "pending" || step.state === "running" ? { ...step, state: "not run" } : step));

export const requestOf = (waiting: Waiting): Waiting["confirmation_request"] =>
  waiting.confirmation_request ?? (waiting.inside && requestOf(waiting.inside));

/** Asks the person about the step that waits, and shows what came of it. */
export async function decide(run: Run): Promise<void> {
  const request = run.waiting && requestOf(run.waiting);
  if (!request) return;
  const index = run.waiting!.step - 1;
  const change = (step: Partial<StepRun>, state: Run["state"], summary: string) => {
    const now = runs.value[run.macroId];
    if (now?.waiting !== run.waiting) return;
    const { waiting: _, ...rest } = now!;
    put({ ...rest, state, summary, steps: now!.steps.map((each, at) => (at === index ? { ...each, ...step } : each)) });
  };
  try {
    const { outcome, result } = await askById(request.id, "rest-text");
    const later = run.steps.length > index + 1 ? " Later steps were not run." : "";
    const base = run.steps[index]!.result!;
    if (outcome !== "approved") {
      change({ state: "not run", answered: outcome }, "failed", `Step ${index + 1} was not approved (${outcome}).${later}`);
    } else if (result?.ok) {
      const { error: _e, error_type: _t, ...rest } = base;
      change({ state: "done", answered: outcome, result: { ...rest, success: true, result: result.data } }, "done", `Approved: step ${index + 1} is done.${later}`);
    } else {
      change({ state: "failed", answered: outcome, result: { ...base, error: result?.error?.message ?? "It did not work." } }, "failed", `Approved, but step ${index + 1} did not work.${later}`);
    }
  } catch (error) {
    change({}, "failed", said(error));
  }
}

/** The messages of a stream of server-sent events. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = (rest + value).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) {
        const data = frame.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
        if (data) yield JSON.parse(data) as Record<string, unknown>;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
