/**
 * A macro while it is being built. Steps have names of their own, so that what is handed from one
 * to another still fits after they were moved. Drafts outlive the page: they are kept in this tab.
 */
import { signal } from "@preact/signals";

import { t } from "../../i18n";
import { Unread, unread, type Wrong } from "../../ui/schema-form/form";

export type Policy = "abort" | "skip" | "retry";

export interface Pipe {
  /** The key of the step that gives the value; empty: none is chosen. */
  from: string;
  /** Where in its result; empty: all of it. */
  path: string;
  /** The parameter that gets it; empty: where it usually belongs. */
  to: string;
}

export interface Step {
  key: string;
  function: string;
  args: unknown;
  pipes: Pipe[];
}

export interface Draft {
  id: string | null;
  /** When what it changes was saved; somebody may have saved it again since. */
  base?: number;
  name: string;
  phrase: string;
  policy: Policy;
  steps: Step[];
}

/** As the server has it. */
export interface Macro {
  id: string;
  name: string;
  trigger_phrase: string;
  steps: { function: string; args: Record<string, unknown>; pipe_from: unknown }[];
  error_policy: Policy;
  created_at: number;
  updated_at: number;
  step_count: number;
}

export interface MacroBody {
  name: string;
  trigger_phrase: string;
  steps: { function: string; args: unknown; pipe_from?: unknown }[];
  error_policy: Policy;
  id?: string;
}

/** The function that runs a tool of the catalogue: `{tool_id, params}`. */
export const RUNNER = "run_tool";

/** The tool of the catalogue that a step runs; empty where it calls a function itself. */
export function innerOf({ function: name, args }: Pick<Step, "function" | "args">): string {
  const id = name === RUNNER && args && typeof args === "object" ? (args as Record<string, unknown>)["tool_id"] : "";
  return typeof id === "string" ? id : "";
}

let made = 0;
export const newKey = (): string => `s${Date.now().toString(36)}${(++made).toString(36)}`;
/** The steps of what is saved are called by their place. */
export const savedKey = (index: number): string => `k${index + 1}`;
export const newStep = (name = ""): Step => ({ key: newKey(), function: name, args: {}, pipes: [] });
export const emptyDraft = (): Draft => ({ id: null, name: "", phrase: "", policy: "abort", steps: [newStep()] });

/** Any document that looks like a macro: a saved one, an example, or one from a file. */
export function draftOf(macro: Partial<Macro>): Draft {
  const steps: Step[] = (macro.steps ?? []).map((step, index) => ({
    key: savedKey(index), function: step.function, args: step.args ?? {}, pipes: [],
  }));
  (macro.steps ?? []).forEach((step, index) => {
    const given = step.pipe_from == null ? [] : Array.isArray(step.pipe_from) ? step.pipe_from : [step.pipe_from];
    steps[index]!.pipes = given.map((each: unknown) => {
      const body = (typeof each === "object" && each !== null ? each : { step: each }) as Record<string, unknown>;
      const from = steps[Number(body["step"]) - 1]?.key ?? "";
      return { from, path: String(body["path"] ?? ""), to: String(body["to"] ?? "") };
    });
  });
  return {
    id: macro.id ?? null,
    ...(macro.updated_at === undefined ? {} : { base: macro.updated_at }),
    name: macro.name ?? "",
    phrase: macro.trigger_phrase ?? "",
    policy: macro.error_policy ?? "abort",
    steps: steps.length ? steps : [newStep()],
  };
}

/** What is sent. */
export function bodyOf(draft: Draft): MacroBody {
  const numbers = new Map(draft.steps.map((step, index) => [step.key, index + 1]));
  return {
    name: draft.name,
    trigger_phrase: draft.phrase,
    steps: draft.steps.map((step) => {
      const pipes = step.pipes.map((pipe) => pipeOf(pipe, numbers));
      const from = pipes.length ? { pipe_from: pipes.length === 1 ? pipes[0] : pipes } : {};
      return { function: step.function, args: step.args, ...from };
    }),
    error_policy: draft.policy,
    ...(draft.id ? { id: draft.id } : {}),
  };
}

function pipeOf({ from, path, to }: Pipe, numbers: Map<string, number>): unknown {
  const step = numbers.get(from) ?? 0;
  if (!path && !to) return step;
  return { step, ...(path ? { path } : {}), ...(to ? { to } : {}) };
}

/** What is sent to save it: what was changed meanwhile is not written over, unless `over`. */
export const savingBody = (draft: Draft, over = false): MacroBody & { updated_at?: number } => ({
  ...bodyOf(draft), ...(draft.id && draft.base !== undefined && !over ? { updated_at: draft.base } : {}),
});

/** Whether saving would change anything. */
export function differs(draft: Draft, saved: Macro | null): boolean {
  return written(bodyOf(draft)) !== written(bodyOf(saved ? draftOf(saved) : { ...emptyDraft(), id: draft.id }));
}

/** Where something was written that is no value yet. */
export function unreadIn(draft: Draft): Wrong[] {
  return draft.steps.flatMap((step, index) => unread(step.args, `/steps/${index}/args`));
}

// -- changing ------------------------------------------------------------------------------------

export function moved(draft: Draft, index: number, to: number): Draft {
  const steps = draft.steps.toSpliced(index, 1).toSpliced(to, 0, draft.steps[index]!);
  return { ...draft, steps };
}

/** Without a step; what came from it has to be chosen anew. */
export function removed(draft: Draft, index: number): Draft {
  const gone = draft.steps[index]!.key;
  const steps = draft.steps.toSpliced(index, 1).map((step) => ({
    ...step,
    pipes: step.pipes.map((pipe) => (pipe.from === gone ? { ...pipe, from: "" } : pipe)),
  }));
  return { ...draft, steps: steps.length ? steps : [newStep()] };
}

export function repeated(draft: Draft, index: number): Draft {
  const step = draft.steps[index]!;
  return { ...draft, steps: draft.steps.toSpliced(index + 1, 0, { ...step, key: newKey() }) };
}

/** As a new macro, under a name and a phrase that are not taken. */
export function duplicate(macro: Macro, others: Macro[]): Draft {
  const free = (text: string, taken: string[]) => {
    for (let number = 1; ; number++) {
      const tried = `${text} copy${number > 1 ? ` ${number}` : ""}`;
      if (!taken.includes(tried.toLowerCase())) return tried;
    }
  };
  const name = free(macro.name, others.map((each) => each.name.toLowerCase()));
  const phrase = free(macro.trigger_phrase, others.map((each) => each.trigger_phrase.toLowerCase()));
  return { ...draftOf({ ...macro, name, trigger_phrase: phrase }), id: null };
}

/** A draft as a new macro, under a name and a phrase that are not taken. */
export function asCopy(draft: Draft, others: Macro[]): Draft {
  const { steps: _, ...named } = duplicate({ ...others[0]!, name: draft.name, trigger_phrase: draft.phrase, steps: [] }, others);
  return { ...named, policy: draft.policy, steps: draft.steps };
}

// -- what is wrong -------------------------------------------------------------------------------

/** Those inside a place, with pointers from there on. */
export function inside(errors: Wrong[], at: string): Wrong[] {
  return errors
    .filter((each) => each.pointer === at || each.pointer.startsWith(`${at}/`))
    .map((each) => ({ ...each, pointer: each.pointer.slice(at.length) }));
}

/** What is wrong with one pipe. A single one has no number in its pointers. */
export function pipeErrors(errors: Wrong[], index: number, count: number): Wrong[] {
  const numbered = inside(errors, `/pipe_from/${index}`);
  const plain = inside(errors, "/pipe_from").filter((each) => !/^\/\d/.test(each.pointer));
  return count === 1 || index === 0 ? [...numbered, ...plain] : numbered;
}

// -- files ---------------------------------------------------------------------------------------

export const exported = ({ name, trigger_phrase, steps, error_policy }: Macro): object => ({
  name, trigger_phrase, steps, error_policy,
});

/** The macros in a text: one, a list, or `{"macros": […]}`. Throws what is wrong, in words. */
export function imported(text: string): Partial<Macro>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(t("This is not valid JSON: {reason}", { reason: error instanceof Error ? error.message : String(error) }));
  }
  const inner = value && typeof value === "object" && "macros" in value ? (value as { macros: unknown }).macros : value;
  const list = Array.isArray(inner) ? inner : [inner];
  if (!list.length) throw new Error(t("It contains no macro."));
  list.forEach((each: unknown, index) => {
    const one = each as Partial<Macro> | null;
    const where = list.length > 1 ? t("Macro {number}", { number: index + 1 }) : t("This");
    if (!one || typeof one !== "object" || !Array.isArray(one.steps)) throw new Error(t("{where} is not a macro: it has no list of steps.", { where }));
    const bad = one.steps.findIndex((step) => !step || typeof step !== "object" || typeof step.function !== "string");
    if (bad >= 0) throw new Error(t("{where} is not a macro: step {number} names no function.", { where, number: bad + 1 }));
  });
  return list.map((each: Partial<Macro>) => {
    const { id: _, ...rest } = each;
    return rest;
  });
}

// -- kept in this tab ------------------------------------------------------------------------------

const KEY = "antiphon.macros.drafts";
export const NEW = "new";

const written = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (each instanceof Unread ? { $unread: [each.text, each.problem] } : each));

function read(text: string): Record<string, Draft> {
  return JSON.parse(text, (_, each) => (each && Array.isArray(each.$unread) ? new Unread(each.$unread[0], each.$unread[1]) : each));
}

function stored(): Record<string, Draft> {
  try {
    return read(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** Unsaved drafts, by the id of their macro or `new`. */
export const drafts = signal<Record<string, Draft>>(stored());

export function keep(place: string, draft: Draft | null): void {
  const { [place]: _, ...others } = drafts.value;
  drafts.value = draft ? { ...others, [place]: draft } : others;
  try {
    sessionStorage.setItem(KEY, written(drafts.value));
  } catch {
    // The tab may refuse to keep it: it lasts until the page is left.
  }
}
