/** One step of a macro: the function, its own form, values from earlier steps, and a test of it alone. */
import { useEffect, useId, useState } from "preact/hooks";

import { plural, t } from "../../i18n";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Button, IconButton, Loading, Problem } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { SchemaForm, startValue, type Schema, type Wrong } from "../../ui/schema-form/form";
import { brief } from "../../ui/schema-form/schema";
import { loadTool, type Tool, type ToolSummary } from "../tools/api";
import { innerOf, inside, type Pipe, type Step } from "./draft";
import type { Output } from "./outputs";
import { Picker } from "./picker";
import { Pipes } from "./pipes";
import type { Ways } from "./ways";

const known = new Map<string, Promise<Tool>>();

/** A tool with its schema; each is asked for once. */
function useTool(id: string): { tool: Tool | null; error: Error | null } {
  const [state, set] = useState<{ id: string; tool: Tool | null; error: Error | null }>({ id: "", tool: null, error: null });
  useEffect(() => {
    if (!id) return;
    let here = true;
    const asked = known.get(id) ?? loadTool(id);
    known.set(id, asked);
    asked.then(
      (tool) => here && set({ id, tool, error: null }),
      (error: Error) => {
        known.delete(id);
        if (here) set({ id, tool: null, error });
      },
    );
    return () => { here = false; };
  }, [id]);
  return state.id === id ? state : { tool: null, error: null };
}

export interface StepProps {
  step: Step;
  index: number;
  steps: Step[];
  tools: ToolSummary[];
  /** What may be called in conversations; null while that is not known. */
  ways: Ways | null;
  errors: Wrong[];
  /** What each step gave when it was tested or run, by its key. */
  outputs: Record<string, Output>;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** With what becomes of the step as it is by then. */
  onChange: (changed: (step: Step) => Step) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  onRepeat: () => void;
  onTest: () => void;
}

export function StepCard(props: StepProps) {
  const { step, index, steps, tools, errors, open, onChange, onOpen } = props;
  // A tool of the catalogue is shown as itself: what runs it is nothing to fill in.
  const inner = innerOf(step);
  const shown = inner || step.function;
  const { tool, error } = useTool(shown);
  const summary = tools.find((each) => each.toolId === shown);
  const body = useId();
  const here = inside(errors, `/steps/${index}`);
  const output = props.outputs[step.key];
  const number = index + 1;
  const choose = async (name: string, args?: Record<string, unknown>) => {
    const run = typeof args?.["tool_id"] === "string" ? args["tool_id"] : "";
    if ((run || name) === shown) return;
    const asked = known.get(run || name) ?? loadTool(run || name);
    known.set(run || name, asked);
    const given = argsOf(step);
    onChange((now) => ({ ...now, function: name, args: run ? { tool_id: run, params: given } : given }));
    const schema = await asked.then((found) => found.jsonSchema, () => null);
    if (schema) onChange((now) => ((innerOf(now) || now.function) === (run || name) ? withArgs(now, fitting(argsOf(now), schema)) : now));
  };
  return (
    <li class={`macros-step ${here.length ? "is-wrong" : ""} ${output ? `is-${output.state}` : ""}`} data-step={number}>
      <div class="macros-step-head">
        <button type="button" class="macros-step-title" aria-expanded={open} aria-controls={body} onClick={() => onOpen(!open)}>
          <Icon name="chevron" size={16} />
          <span class="macros-number" aria-hidden="true">{output?.state === "done" ? <Icon name="check" size={14} /> : number}</span>
          <span class="hidden-visually">{t("Step {number}:", { number })} </span>
          <strong class="macros-function">{shown || t("Choose a function")}</strong>
          {summary?.requiresConfirmation ? <Badge kind="accent">{t("Needs approval")}</Badge> : null}
          {here.length ? <Badge kind="bad">{plural(here.length, "{count} problem", "{count} problems")}</Badge> : null}
          {open ? null : <small class="muted macros-args">{argsInShort(step, steps)}</small>}
        </button>
        <span class="macros-step-acts">
          <IconButton data-act="up" label={t("Move step {number} up", { number })} icon="up" disabled={index === 0} onClick={() => props.onMove(index - 1)} />
          <IconButton data-act="down" label={t("Move step {number} down", { number })} icon="down" disabled={index === steps.length - 1} onClick={() => props.onMove(index + 1)} />
          <IconButton label={t("Duplicate step {number}", { number })} icon="copy" onClick={props.onRepeat} />
          <IconButton label={t("Remove step {number}", { number })} icon="trash" onClick={props.onRemove} />
        </span>
      </div>
      <div id={body} class="macros-step-body" hidden={!open}>
        {open ? (
          <>
            <Picker tools={tools} ways={props.ways} value={shown} label={t("Function")} onChoose={(name, args) => void choose(name, args)}
              {...one(here, inner ? "/args/tool_id" : "/function")} />
            {summary ? <p class="hint">{summary.description} <a href={at("tools", [shown])}>{t("About {shown}", { shown })}</a></p> : null}
            {!step.function ? null : error ? <Problem error={error} /> : tool === null ? <Loading /> : (
              <>
                <SchemaForm label={t("Arguments of step {number}", { number })} schema={tool.jsonSchema} value={argsOf(step)}
                  errors={inside(here, inner ? "/args/params" : "/args")} notes={notes(step, steps)} onChange={(args) => onChange((now) => withArgs(now, args))} />
                <Pipes {...props} tool={tool} here={here} />
                <Tested {...props} writes={summary?.sideEffects === "writes"} asks={summary?.requiresConfirmation ?? false} name={shown} />
              </>
            )}
          </>
        ) : null}
      </div>
    </li>
  );
}

/** The step alone, as it is now. What writes and does not ask by itself is asked about here. */
function Tested({ step, index, outputs, onTest, writes, asks, name }: StepProps & { writes: boolean; asks: boolean; name: string }) {
  const [sure, ask] = useState(false);
  const output = outputs[step.key];
  const number = index + 1;
  return (
    <div class="macros-test" role="group" aria-label={t("Test of step {number}", { number })}>
      <div class="row">
        {sure ? (
          <>
            <span>{t("This step changes data. Run it now?")}</span>
            <Button kind="primary" icon="play" onClick={() => { ask(false); onTest(); }}>{t("Run it")}</Button>
            <Button onClick={() => ask(false)}>{t("Cancel")}</Button>
          </>
        ) : (
          <Button icon="play" busy={output?.state === "running"} onClick={() => (writes && !asks ? ask(true) : onTest())}>{t("Test this step")}</Button>
        )}
        {output?.state === "done" ? <Badge kind="good">{t("Succeeded")}</Badge> : output?.state === "failed" ? <Badge kind="bad">{t("Failed")}</Badge> : null}
      </div>
      {output?.state === "failed" ? <p class="wrong" role="alert">{output.problem}</p> : null}
      {output?.state === "done" ? (
        <details open><summary>{t("Output")}</summary><div class="macros-output"><Readable value={output.value} name={name} /></div></details>
      ) : null}
    </div>
  );
}

/** The arguments of what a step runs, whatever runs it. */
export const argsOf = (step: Pick<Step, "function" | "args">): unknown =>
  innerOf(step) ? ((step.args as Record<string, unknown>)["params"] ?? {}) : step.args;

const withArgs = (step: Step, args: unknown): Step =>
  innerOf(step) ? { ...step, args: { ...(step.args as object), params: args } } : { ...step, args };

/** Where a value goes, as it is called in the form. */
export const INSIDE = "params/";
export const targetOf = (step: Step, pipe: Pipe): string =>
  innerOf(step) && pipe.to.startsWith(INSIDE) ? pipe.to.slice(INSIDE.length) : pipe.to;

/** Of these arguments, those that the function has too; with what it starts with. */
function fitting(args: unknown, schema: Schema): Record<string, unknown> {
  const before = Object.entries(args && typeof args === "object" ? args : {});
  return { ...startValue(schema), ...Object.fromEntries(before.filter(([name]) => schema.properties && name in schema.properties)) };
}

const one = (errors: Wrong[], at: string): { error?: string } => {
  const found = errors.find((each) => each.pointer === at || each.pointer === "");
  return found ? { error: found.message } : {};
};

/** Which step a value comes from, in words. */
const sourceOf = (pipe: Pipe, steps: Step[]): string => {
  const from = steps.findIndex((each) => each.key === pipe.from) + 1;
  return from ? t("from step {from}", { from }) : t("from a step");
};

/** What a closed step would be called with. */
function argsInShort(step: Step, steps: Step[]): string {
  const args = Object.entries((argsOf(step) ?? {}) as Record<string, unknown>).map(([name, value]) => `${name}: ${brief(value, 30)}`);
  const piped = step.pipes.map((pipe) => `${targetOf(step, pipe) || t("input")}: ${sourceOf(pipe, steps)}`);
  return [...args, ...piped].join(", ") || t("No arguments");
}

/** Fields that get their value when it runs. */
function notes(step: Step, steps: Step[]): Record<string, string> {
  return Object.fromEntries(step.pipes.filter((pipe) => pipe.to).map((pipe) => [`/${targetOf(step, pipe).replace(/^\/+/, "")}`, sourceOf(pipe, steps)]));
}

