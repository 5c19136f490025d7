/** What steps gave when they were tested or run: values for later steps to choose from. */
import { signal } from "@preact/signals";

import { callTool } from "../../api/calls";
import { said } from "../../api/http";
import { t } from "../../i18n";
import { lookUp, putAt } from "./paths";
import type { Draft, Step } from "./draft";

export interface Output {
  state: "running" | "done" | "failed";
  value?: unknown;
  problem?: string;
}

/** By the macro (or `new`), then by the key of the step. */
export const outputs = signal<Record<string, Record<string, Output>>>({});

export function keepOutput(place: string, key: string, output: Output): void {
  outputs.value = { ...outputs.value, [place]: { ...outputs.value[place], [key]: output } };
}

/** The arguments of a step with what earlier steps gave. Throws what is missing, in words. */
export function argsFor(draft: Draft, step: Step, known: Record<string, Output>): Record<string, unknown> {
  let args = structuredClone(step.args) as Record<string, unknown>;
  for (const pipe of step.pipes) {
    const number = draft.steps.findIndex((each) => each.key === pipe.from) + 1;
    const source = known[pipe.from];
    if (!number) throw new Error(t("Choose the step that a value comes from."));
    if (source?.state !== "done") throw new Error(t("Test step {number} first: this step takes a value from it.", { number }));
    const to = pipe.to || usual(source.value);
    const value = pipe.to ? lookUp(source.value, pipe.path) : usualValue(source.value, to);
    if (value === undefined) throw new Error(t("Step {number} returned nothing at “{path}”.", { number, path: pipe.path || to }));
    args = putAt(args, to, value);
  }
  return args;
}

/** Where a value without a target goes, as the server puts it. */
const FIRST: Record<string, string> = { databases: "database_id", tools: "tool_id" };
const usual = (result: unknown): string => {
  const name = result && typeof result === "object" ? Object.keys(FIRST).find((each) => each in result) : undefined;
  return name ? FIRST[name]! : "_piped_input";
};
function usualValue(result: unknown, to: string): unknown {
  const name = Object.keys(FIRST).find((each) => FIRST[each] === to);
  const first = name ? lookUp(result, `${name}/0`) : lookUp(result, "result") ?? result;
  return name && first && typeof first === "object" ? (first as Record<string, unknown>)["id"] : first;
}

/** Calls the step through every gate, as a run would; what it gives is kept. */
export async function test(place: string, draft: Draft, step: Step): Promise<void> {
  let args: Record<string, unknown>;
  try {
    args = argsFor(draft, step, outputs.value[place] ?? {});
  } catch (error) {
    return keepOutput(place, step.key, { state: "failed", problem: said(error) });
  }
  keepOutput(place, step.key, { state: "running" });
  try {
    keepOutput(place, step.key, { state: "done", value: await callTool(step.function, args, crypto.randomUUID()) });
  } catch (error) {
    keepOutput(place, step.key, { state: "failed", problem: said(error) });
  }
}
