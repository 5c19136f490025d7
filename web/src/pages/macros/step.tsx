/** One step of a macro: the function, its arguments, and what it gets from steps before it. */
import { useEffect, useId, useState } from "preact/hooks";

import { at } from "../../router";
import { Badge, Button, IconButton, Problem, Spinner } from "../../ui/kit";
import { SchemaForm, startValue, type Schema, type Wrong } from "../../ui/schema-form/form";
import { brief } from "../../ui/schema-form/schema";
import { loadTool, type Tool, type ToolSummary } from "../tools/api";
import { innerOf, inside, pipeErrors, type Pipe, type Step } from "./draft";
import { Picker } from "./picker";
import { pathsIn, pathsOf, targetsOf, type Suggestion } from "./suggest";

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
  /** What may be called in a conversation; null while that is not known. */
  spoken: Set<string> | null;
  errors: Wrong[];
  /** What each step gave in the last run, by its number. */
  results: Map<number, unknown>;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** With what becomes of the step as it is by then. */
  onChange: (changed: (step: Step) => Step) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  onRepeat: () => void;
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
    <li class={`macros-step ${here.length ? "is-wrong" : ""}`} data-step={index + 1}>
      <div class="macros-step-head">
        <button type="button" class="macros-step-title" aria-expanded={open} aria-controls={body} onClick={() => onOpen(!open)}>
          <span class="macros-number" aria-hidden="true">{index + 1}</span>
          <span class="hidden-visually">Step {index + 1}: </span>
          <strong class="macros-function">{shown || "choose a function"}</strong>
          {summary?.requiresConfirmation ? <Badge kind="accent">asks first</Badge> : null}
          {here.length ? <Badge kind="bad">{here.length === 1 ? "1 thing is wrong" : `${here.length} things are wrong`}</Badge> : null}
          {open ? null : <small class="muted macros-args">{argsInShort(step, steps)}</small>}
        </button>
        <span class="macros-step-acts">
          <IconButton data-act="up" label={`Move step ${index + 1} up`} icon="up" disabled={index === 0} onClick={() => props.onMove(index - 1)} />
          <IconButton data-act="down" label={`Move step ${index + 1} down`} icon="down" disabled={index === steps.length - 1} onClick={() => props.onMove(index + 1)} />
          <IconButton label={`Repeat step ${index + 1}`} icon="copy" onClick={props.onRepeat} />
          <IconButton label={`Remove step ${index + 1}`} icon="trash" onClick={props.onRemove} />
        </span>
      </div>
      <div id={body} class="macros-step-body" hidden={!open}>
        {open ? (
          <>
            <Picker tools={tools} spoken={props.spoken} value={shown} label="Function" onChoose={(name, args) => void choose(name, args)}
              {...one(here, inner ? "/args/tool_id" : "/function")} />
            {summary ? <p class="hint">{summary.description} <a href={at("tools", [shown])}>About {shown}</a></p> : null}
            {!step.function ? null : error ? <Problem error={error} /> : tool === null ? <Spinner label="Loading the function" /> : (
              <>
                <SchemaForm label={`Arguments of step ${index + 1}`} schema={tool.jsonSchema} value={argsOf(step)}
                  errors={inside(here, inner ? "/args/params" : "/args")} notes={notes(step, steps)} onChange={(args) => onChange((now) => withArgs(now, args))} />
                <Pipes {...props} tool={tool} here={here} />
              </>
            )}
          </>
        ) : null}
      </div>
    </li>
  );
}

/** The arguments of what a step runs, whatever runs it. */
export const argsOf = (step: Pick<Step, "function" | "args">): unknown =>
  innerOf(step) ? ((step.args as Record<string, unknown>)["params"] ?? {}) : step.args;

const withArgs = (step: Step, args: unknown): Step =>
  innerOf(step) ? { ...step, args: { ...(step.args as object), params: args } } : { ...step, args };

/** Where a value goes, as it is called in the form. */
const INSIDE = "params/";
const targetOf = (step: Step, pipe: Pipe): string =>
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

/** What a closed step would be called with. */
function argsInShort(step: Step, steps: Step[]): string {
  const args = Object.entries((argsOf(step) ?? {}) as Record<string, unknown>).map(([name, value]) => `${name}: ${brief(value, 30)}`);
  const piped = step.pipes.map((pipe) => {
    const from = steps.findIndex((each) => each.key === pipe.from) + 1;
    return `${targetOf(step, pipe) || "its input"}: from ${from ? `step ${from}` : "a step to be chosen"}`;
  });
  return [...args, ...piped].join(", ") || "no arguments";
}

/** Fields that get their value when it runs. */
function notes(step: Step, steps: Step[]): Record<string, string> {
  return Object.fromEntries(step.pipes.filter((pipe) => pipe.to).map((pipe) => {
    const from = steps.findIndex((each) => each.key === pipe.from) + 1;
    return [`/${targetOf(step, pipe).replace(/^\/+/, "")}`, from ? `from step ${from}` : "from a step"];
  }));
}

function Pipes({ step, index, steps, tools, results, onChange, tool, here }: StepProps & { tool: Tool; here: Wrong[] }) {
  if (index === 0 && !step.pipes.length) return null;
  const change = (pipes: Pipe[]) => onChange((now) => ({ ...now, pipes }));
  const earlier = steps.slice(0, index);
  return (
    <fieldset class="macros-pipes">
      <legend>Values from earlier steps</legend>
      {step.pipes.length ? null : <p class="hint">What an earlier step finds can fill a field of this one when it runs.</p>}
      {step.pipes.map((pipe, number) => (
        <PipeRow key={number} pipe={{ ...pipe, to: targetOf(step, pipe) }} number={number} step={index} earlier={earlier} all={steps} tools={tools} tool={tool} results={results}
          errors={pipeErrors(here, number, step.pipes.length)}
          onChange={(changed) => change(step.pipes.with(number, { ...changed, to: changed.to && innerOf(step) ? INSIDE + changed.to : changed.to }))}
          onRemove={() => change(step.pipes.toSpliced(number, 1))} />
      ))}
      <Button kind="quiet" icon="plus" onClick={() => change([...step.pipes, { from: earlier.at(-1)?.key ?? "", path: "", to: "" }])}>
        Hand on a value
      </Button>
    </fieldset>
  );
}

function PipeRow({ pipe, number, step, earlier, all, tools, tool, results, errors, onChange, onRemove }: {
  pipe: Pipe; number: number; step: number; earlier: Step[]; all: Step[]; tools: ToolSummary[]; tool: Tool;
  results: Map<number, unknown>; errors: Wrong[]; onChange: (pipe: Pipe) => void; onRemove: () => void;
}) {
  const id = useId();
  const from = all.findIndex((each) => each.key === pipe.from);
  const source = all[from];
  const ran = source ? innerOf(source) : "";
  const output = tools.find((each) => each.toolId === (ran || source?.function))?.output;
  const result = results.get(from + 1);
  const promised = pathsOf(output).map((each) => (ran ? { ...each, path: `result/${each.path}` } : each));
  const paths = result === undefined ? promised : pathsIn(result);
  const targets = targetsOf(tool.jsonSchema);
  const wrong = (name: string) => errors.filter((each) => each.pointer === name).map((each) => each.message + (each.expected ? ` (expected: ${each.expected})` : "")).join("; ");
  const late = from >= step && from >= 0;
  const whole = wrong("");
  return (
    <div class="macros-pipe" role="group" aria-label={`Value ${number + 1}`}>
      <label>From
        <select value={pipe.from} onChange={(event) => onChange({ ...pipe, from: event.currentTarget.value })} aria-invalid={wrong("/step") || late ? true : undefined}>
          {from < 0 ? <option value="">choose a step</option> : null}
          {earlier.map((each, at) => <option key={each.key} value={each.key}>step {at + 1}: {innerOf(each) || each.function || "no function"}</option>)}
          {late ? <option value={pipe.from}>step {from + 1} (comes later)</option> : null}
        </select>
      </label>
      <label>what is at
        <input type="text" list={`${id}-paths`} value={pipe.path} placeholder="all of it" autocomplete="off" spellcheck={false}
          aria-invalid={wrong("/path") ? true : undefined} onInput={(event) => onChange({ ...pipe, path: event.currentTarget.value })} />
      </label>
      <label>goes into
        <input type="text" list={`${id}-targets`} value={pipe.to} placeholder="where it usually belongs" autocomplete="off" spellcheck={false}
          aria-invalid={wrong("/to") ? true : undefined} onInput={(event) => onChange({ ...pipe, to: event.currentTarget.value })} />
      </label>
      <IconButton label={`Remove value ${number + 1}`} icon="trash" onClick={onRemove} />
      <Choices id={`${id}-paths`} of={paths} />
      <Choices id={`${id}-targets`} of={targets} />
      {[["/step", "From"], ["/path", "The path"], ["/to", "The parameter"]].map(([name, title]) =>
        wrong(name!) ? <p class="wrong" key={name}>{title} {wrong(name!)}</p> : null)}
      {late ? <p class="wrong">That step comes after this one. Move it up, or choose another.</p> : null}
      {whole ? <p class="wrong">{whole}</p> : null}
      {result !== undefined && pipe.path ? <p class="hint">In the last run: {paths.find((each) => each.path === pipe.path)?.about ?? "nothing was there"}</p> : null}
    </div>
  );
}

function Choices({ id, of }: { id: string; of: Suggestion[] }) {
  return <datalist id={id}>{of.map((each) => <option key={each.path} value={each.path}>{brief(each.about, 60)}</option>)}</datalist>;
}
