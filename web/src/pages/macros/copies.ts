/** A workflow or an agent as a macro: the calls it makes, to be changed in the builder. */
import type { Pipeline } from "../automations/api";
import { newKey, type Draft, type Pipe, type Step } from "./draft";

/** What its steps take from each other is kept; what came from the input is left to be filled in. */
export function asMacro(pipeline: Pick<Pipeline, "title" | "steps">): Draft {
  const keys = new Map(pipeline.steps.filter((step) => step.tool).map((step) => [step.id, newKey()]));
  const steps: Step[] = pipeline.steps.filter((step) => step.tool).map((step) => ({
    key: keys.get(step.id)!,
    function: step.tool!,
    args: step.args,
    pipes: Object.entries(step.sources).flatMap(([to, source]): Pipe[] => {
      const [from = "", ...path] = source.split("/");
      const key = keys.get(from);
      return key ? [{ from: key, path: path.join("/"), to }] : [];
    }),
  }));
  const optional = pipeline.steps.some((step) => step.tool && step.optional);
  return { id: null, name: pipeline.title, phrase: pipeline.title.toLowerCase(), policy: optional ? "skip" : "abort", steps };
}
