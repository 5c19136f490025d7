/** Building a macro: name, phrase, steps, what to do on failure; then dry run, save and run it. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { ApiError, del, post } from "../../api/http";
import { at, go } from "../../router";
import { toast } from "../../stores/toasts";
import { Icon } from "../../ui/icons";
import { Dialog } from "../../ui/dialog";
import { Button, Card, Field, Problem, save as download } from "../../ui/kit";
import type { Wrong } from "../../ui/schema-form/form";
import { ago } from "../../ui/time";
import type { ToolSummary } from "../tools/api";
import {
  bodyOf, differs, draftOf, drafts, duplicate, emptyDraft, exported, keep, moved, NEW, newStep, removed, repeated, savedKey,
  unreadIn,
  type Draft, type Macro, type Policy, type Step,
} from "./draft";
import { Examples } from "./examples";
import { PlanCard, RunCard, type Planned } from "./outcome";
import { runs, start } from "./runs";
import { StepCard } from "./step";

const MOST_STEPS = 20;
/** Which steps are open, by macro; it stays when one saves or comes back. */
const unfolded = new Map<string, Set<string>>();
/** The macro that was saved last: it says so until something is changed. */
const justSaved = signal("");

export function Builder({ macro, macros, tools, spoken, onSaved }: {
  macro: Macro | null; macros: Macro[]; tools: ToolSummary[]; spoken: Set<string> | null; onSaved: () => void;
}) {
  const place = macro?.id ?? NEW;
  const [fresh] = useState(() => (macro ? draftOf(macro) : emptyDraft()));
  const current = (): Draft => drafts.value[place] ?? fresh;
  const draft = current();
  const dirty = differs(draft, macro);
  const [errors, blame] = useState<Wrong[]>([]);
  const [problem, fail] = useState<unknown>(null);
  const [plan, foresee] = useState<Planned[] | null>(null);
  const [busy, work] = useState<"" | "save" | "dry" | "delete">("");
  const [asking, ask] = useState(false);
  const [open, setOpen] = useState<Set<string>>(() => unfolded.get(place) ?? new Set(macro && draft.steps.length > 1 ? [] : draft.steps.map((step) => step.key)));
  const unfold = (keys: Set<string>) => {
    unfolded.set(place, keys);
    setOpen(keys);
  };
  const steps = useRef<HTMLOListElement>(null);
  const focus = useRef("");
  const run = macro ? runs.value[macro.id] : undefined;
  const results = new Map(dirty ? [] : run?.steps.map((step, index) => [index + 1, step.result?.result] as const).filter(([, result]) => result !== undefined));

  const unspoken = [...new Set(draft.steps.map((step) => step.function))].filter((name) => name && spoken && !spoken.has(name));

  useLayoutEffect(() => {
    if (!focus.current) return;
    steps.current?.querySelector<HTMLElement>(focus.current)?.focus();
    focus.current = "";
  });
  /** `at` is the place that changed: what was wrong there is not known any more. */
  const change = (next: Draft, at: string) => {
    justSaved.value = "";
    keep(place, differs(next, macro) ? next : null);
    blame((those) => those.filter((each) => !each.pointer.startsWith(at)));
    foresee(null);
  };
  /** As the step is by then, wherever it is: some changes come a little later. */
  const alter = (key: string, changed: (step: Step) => Step) => {
    const now = current();
    const at = now.steps.findIndex((step) => step.key === key);
    if (at >= 0) change({ ...now, steps: now.steps.with(at, changed(now.steps[at]!)) }, `/steps/${at}`);
  };
  const told = (pointer: string) => errors.find((each) => each.pointer === pointer)?.message;

  /** Shows what the server found wrong at its place. */
  const refused = (error: unknown) => {
    const body = error instanceof ApiError ? (error.body as { errors?: Wrong[]; macro_id?: string } | null) : null;
    const found = body?.errors ?? [];
    if (body?.macro_id) found.push({ pointer: "/trigger_phrase", message: "belongs to another macro" });
    blame(found);
    const wrong = new Set(found.map((each) => Number(/^\/steps\/(\d+)/.exec(each.pointer)?.[1] ?? -1)));
    unfold(new Set([...open, ...draft.steps.filter((_, index) => wrong.has(index)).map((step) => step.key)]));
    fail(found.length ? new Error("It cannot be used like this. What is wrong is said at each place.") : error);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.macros-main [aria-invalid="true"]')?.focus());
  };
  /** Something was written that is no value: the server need not be asked. */
  const readable = (): boolean => {
    const bad = unreadIn(draft);
    if (bad.length) refused(new ApiError(0, "", { errors: bad }));
    return !bad.length;
  };
  const begin = (what: typeof busy) => {
    work(what);
    fail(null);
    blame([]);
  };
  const store = async (): Promise<Macro | null> => {
    if (!readable()) return null;
    begin("save");
    try {
      const { macro: saved } = await post<{ macro: Macro }>("/api/vox/macros", bodyOf(draft));
      keep(place, null);
      unfolded.set(saved.id, new Set(draft.steps.flatMap((step, index) => (open.has(step.key) ? [savedKey(index)] : []))));
      unfolded.delete(NEW);
      onSaved();
      return saved;
    } catch (error) {
      refused(error);
      return null;
    } finally {
      work("");
    }
  };
  const pressSave = async () => {
    const saved = await store();
    if (!saved) return;
    justSaved.value = saved.id;
    if (!macro) go(at("macros", [saved.id]), true);
  };
  const pressDry = async () => {
    if (!readable()) return;
    begin("dry");
    try {
      const { steps: planned } = await post<{ steps: Planned[] }>("/api/vox/macros/dry-run", {
        steps: bodyOf(draft).steps, ...(draft.id ? { id: draft.id } : {}),
      });
      foresee(planned);
    } catch (error) {
      refused(error);
    } finally {
      work("");
    }
  };
  const pressRun = async () => {
    const saved = dirty ? await store() : macro;
    if (!saved) return;
    foresee(null);
    if (!macro) go(at("macros", [saved.id]), true);
    await start(saved);
  };
  const pressDelete = async () => {
    work("delete");
    try {
      await del(`/api/vox/macros/${macro!.id}`);
      keep(place, null);
      toast(`${macro!.name} was deleted.`);
      go(at("macros"));
      onSaved();
    } catch (error) {
      fail(error);
    } finally {
      work("");
      ask(false);
    }
  };
  const add = () => {
    const step = newStep();
    unfold(new Set([...open, step.key]));
    focus.current = ":scope > li:last-child input";
    change({ ...draft, steps: [...draft.steps, step] }, "/steps");
  };
  const arrange = (next: Draft, then: string) => {
    focus.current = then;
    change(next, "/steps");
  };
  return (
    <div class="stack macros-main">
      <a class="macros-back" href={at("macros")}><Icon name="chevron" size={16} />All macros</a>
      <Card title={macro ? macro.name : "New macro"} actions={macro ? (
        <>
          <Button kind="quiet" icon="copy" onClick={() => { keep(NEW, duplicate(macro, macros)); go(at("macros", [NEW])); }}>Duplicate</Button>
          <Button kind="quiet" icon="download" onClick={() => download(`${macro.trigger_phrase.replaceAll(/\W+/g, "-")}.json`, JSON.stringify(exported(macro), null, 2), "application/json")}>Export</Button>
          <Button kind="danger" icon="trash" onClick={() => ask(true)}>Delete</Button>
        </>
      ) : null}>
        {macro ? <p class="hint">Changed {ago(macro.updated_at)} · id <code>{macro.id}</code></p> : <Examples tools={tools} onChoose={(next) => { unfold(new Set()); change(next, "/"); }} />}
        <div class="macros-names">
          <Field label="Name" error={told("/name")}>
            {(attributes) => <input {...attributes} type="text" maxLength={100} value={draft.name} autocomplete="off"
              onInput={(event) => change({ ...draft, name: event.currentTarget.value }, "/name")} />}
          </Field>
          <div data-tour="macros-phrase">
            <Field label="Trigger phrase" error={told("/trigger_phrase")} hint="What you say to run it. Small differences are understood.">
              {(attributes) => <input {...attributes} type="text" maxLength={200} value={draft.phrase} autocomplete="off" placeholder="good morning"
                onInput={(event) => change({ ...draft, phrase: event.currentTarget.value }, "/trigger_phrase")} />}
            </Field>
          </div>
        </div>
        {unspoken.length ? (
          <p class="macros-unsaved"><Icon name="mic-off" size={16} />It runs from this page. Saying the phrase on Talk will not run it: the agent
            there may not call {unspoken.join(", ")}.</p>
        ) : null}
        <section data-tour="macros-steps" aria-label="Steps" class="stack">
          <h3>Steps</h3>
          {told("/steps") ? <p class="wrong">Steps: {told("/steps")}</p> : null}
          <ol class="macros-steps" ref={steps}>
            {draft.steps.map((step, index) => (
              <StepCard key={step.key} step={step} index={index} steps={draft.steps} tools={tools} spoken={spoken} errors={errors} results={results}
                open={open.has(step.key)} onOpen={(on) => unfold(on ? new Set([...open, step.key]) : new Set([...open].filter((key) => key !== step.key)))}
                onChange={(changed) => alter(step.key, changed)}
                onMove={(to) => {
                  const way = to < index ? "up" : "down";
                  const end = to === 0 || to === draft.steps.length - 1;
                  arrange(moved(draft, index, to), `:scope > li:nth-child(${to + 1}) [data-act="${end ? (way === "up" ? "down" : "up") : way}"]`);
                }}
                onRemove={() => arrange(removed(draft, index), `:scope > li:nth-child(${Math.max(1, index)}) .macros-step-title`)}
                onRepeat={() => arrange(repeated(draft, index), `:scope > li:nth-child(${index + 2}) .macros-step-title`)} />
            ))}
          </ol>
          <Button icon="plus" class="macros-add" disabled={draft.steps.length >= MOST_STEPS} onClick={add}>Add a step</Button>
        </section>
        <div data-tour="macros-policy">
          <Field label="When a step fails" error={told("/error_policy")}>
            {(attributes) => (
              <select {...attributes} value={draft.policy} onChange={(event) => change({ ...draft, policy: event.currentTarget.value as Policy }, "/error_policy")}>
                <option value="abort">Stop</option>
                <option value="skip">Skip it and go on; steps that needed it fail too</option>
                <option value="retry">Try up to three times, then stop</option>
              </select>
            )}
          </Field>
        </div>
        {problem ? <Problem error={problem} /> : null}
        {dirty ? (
          <p class="macros-unsaved"><Icon name="info" size={16} />Not saved yet. It is kept in this tab, also when you go to another page.
            <Button kind="quiet" class="sf-act" onClick={() => { keep(place, null); blame([]); fail(null); }}>Discard changes</Button></p>
        ) : macro && justSaved.value === macro.id ? (
          <p class="macros-saved" role="status"><Icon name="check" size={16} />Saved. Say “{macro.trigger_phrase}” to run it.</p>
        ) : null}
        <div class="row macros-bar">
          <Button icon="info" data-tour="macros-dry-run" busy={busy === "dry"} onClick={() => void pressDry()}>Dry run</Button>
          <span class="spring" />
          <Button icon="check" busy={busy === "save"} disabled={!dirty && !!macro} onClick={() => void pressSave()}>Save</Button>
          <Button kind="primary" icon="play" data-tour="macros-run" busy={run?.state === "running"} onClick={() => void pressRun()}>{dirty ? "Save and run" : "Run"}</Button>
        </div>
      </Card>
      {plan ? <PlanCard steps={plan} /> : null}
      {run ? <RunCard run={run} /> : null}
      {asking && macro ? (
        <Dialog title={`Delete ${macro.name}?`} onClose={() => ask(false)}>
          <p>“{macro.trigger_phrase}” will do nothing any more. This cannot be taken back; export it first if you may want it again.</p>
          <div class="row"><span class="spring" /><Button onClick={() => ask(false)}>Keep it</Button>
            <Button kind="danger" icon="trash" busy={busy === "delete"} onClick={() => void pressDelete()}>Delete</Button></div>
        </Dialog>
      ) : null}
    </div>
  );
}

