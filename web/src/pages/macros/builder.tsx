/** Building a macro: name, phrase, steps, what to do on failure; then test, dry run, save and run it. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { ApiError, del, post } from "../../api/http";
import { rich, t } from "../../i18n";
import { at, go } from "../../router";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Button, Card, Field, Problem, save as download } from "../../ui/kit";
import type { Wrong } from "../../ui/schema-form/form";
import { ago } from "../../ui/time";
import { loadRun, runAddress, start } from "../automations/api";
import { useHistory } from "../automations/history";
import { RunCard } from "../automations/run";
import { Schedules } from "../automations/schedules";
import type { ToolSummary } from "../tools/api";
import {
  asCopy, bodyOf, differs, draftOf, drafts, duplicate, emptyDraft, exported, keep, moved, NEW, newStep, removed, repeated, savedKey,
  savingBody, unreadIn,
  type Draft, type Macro, type Policy, type Step,
} from "./draft";
import { Examples } from "./examples";
import { PlanCard, type Planned } from "./outcome";
import { keepOutput, outputs, test } from "./outputs";
import { StepCard } from "./step";
import { hindrance, type Ways } from "./ways";

const MOST_STEPS = 20;
/** Which steps are open, by macro; it stays when one saves or comes back. */
const unfolded = new Map<string, Set<string>>();
/** The macro that was saved last: it says so until something is changed. */
const justSaved = signal("");

export function Builder({ macro, macros, tools, ways, run, onSaved, onRun }: {
  macro: Macro | null; macros: Macro[]; tools: ToolSummary[]; ways: Ways | null; run: string; onSaved: () => void; onRun: () => void;
}) {
  const place = macro?.id ?? NEW;
  const [fresh] = useState(() => (macro ? draftOf(macro) : emptyDraft()));
  const current = (): Draft => drafts.value[place] ?? fresh;
  const draft = current();
  const dirty = differs(draft, macro);
  const [errors, blame] = useState<Wrong[]>([]);
  const [problem, fail] = useState<unknown>(null);
  const [plan, foresee] = useState<Planned[] | null>(null);
  const [busy, work] = useState<"" | "save" | "dry" | "delete" | "run">("");
  /** What somebody else has saved since the draft was begun. */
  const [theirs, meet] = useState<Macro | null>(null);
  const [asking, ask] = useState(false);
  const [open, setOpen] = useState<Set<string>>(() => unfolded.get(place) ?? new Set(macro && draft.steps.length > 1 ? [] : draft.steps.map((step) => step.key)));
  const unfold = (keys: Set<string>) => {
    unfolded.set(place, keys);
    setOpen(keys);
  };
  const steps = useRef<HTMLOListElement>(null);
  const focus = useRef("");
  const known = outputs.value[place] ?? {};
  const history = useHistory("macro", place, run, null, t("A run continues on the server, even when you leave this page."));
  const [ended, end] = useState(0);
  useRunOutputs(place, run, !dirty, ended);
  const hint = hindrance(draft.steps, ways, tools);

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
    if (body?.macro_id) found.push({ pointer: "/trigger_phrase", message: t("belongs to another macro") });
    blame(found);
    const wrong = new Set(found.map((each) => Number(/^\/steps\/(\d+)/.exec(each.pointer)?.[1] ?? -1)));
    unfold(new Set([...open, ...draft.steps.filter((_, index) => wrong.has(index)).map((step) => step.key)]));
    fail(found.length ? new Error(t("Fix the problems shown at the fields, then try again.")) : error);
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
  const store = async (over = false): Promise<Macro | null> => {
    if (!readable()) return null;
    begin("save");
    try {
      const { macro: saved } = await post<{ macro: Macro }>("/api/vox/macros", savingBody(draft, over));
      keep(place, null);
      unfolded.set(saved.id, new Set(draft.steps.flatMap((step, index) => (open.has(step.key) ? [savedKey(index)] : []))));
      unfolded.delete(NEW);
      draft.steps.forEach((step, index) => known[step.key] && keepOutput(saved.id, savedKey(index), known[step.key]!));
      onSaved();
      return saved;
    } catch (error) {
      const current = error instanceof ApiError ? (error.body as { current?: Macro } | null)?.current : undefined;
      if (current) meet(current);
      else refused(error);
      return null;
    } finally {
      work("");
    }
  };
  const pressSave = async (over = false) => {
    meet(null);
    const saved = await store(over);
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
    work("run");
    try {
      go(runAddress({ kind: "macro", name: saved.id, id: await start("macro", saved.id) }), !macro);
      onRun();
    } catch (error) {
      fail(error);
    } finally {
      work("");
    }
  };
  const pressDelete = async () => {
    work("delete");
    try {
      await del(`/api/vox/macros/${macro!.id}`);
      keep(place, null);
      toast(t("Macro {name} deleted.", { name: macro!.name }));
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
  const discard = () => {
    keep(place, null);
    blame([]);
    fail(null);
    // What is left open to fill in says so.
    if (!macro) unfold(new Set(fresh.steps.map((step) => step.key)));
  };
  return (
    <div class="stack flow-main macros-main">
      <a class="flow-back" href={at("macros")}><Icon name="chevron" size={16} />{t("All macros")}</a>
      <Card title={macro ? macro.name : t("New macro")} actions={macro ? (
        <>
          <Button kind="quiet" icon="copy" onClick={() => { keep(NEW, duplicate(macro, macros)); go(at("macros", [NEW])); }}>{t("Make a copy")}</Button>
          <Button kind="quiet" icon="download" onClick={() => download(`${macro.trigger_phrase.replaceAll(/\W+/g, "-")}.json`, JSON.stringify(exported(macro), null, 2), "application/json")}>{t("Export")}</Button>
          <Button needs="workspace.write" kind="quiet" icon="trash" onClick={() => ask(true)}>{t("Delete")}</Button>
        </>
      ) : null}>
        {macro ? <p class="hint">{rich("Changed {when} · ID {id}", { when: ago(macro.updated_at), id: <code>{macro.id}</code> })}</p> : <Examples tools={tools} onChoose={(next) => { unfold(new Set()); change(next, "/"); }} />}
        <div class="macros-names">
          <Field label={t("Name")} error={told("/name")}>
            {(attributes) => <input {...attributes} type="text" maxLength={100} value={draft.name} autocomplete="off"
              onInput={(event) => change({ ...draft, name: event.currentTarget.value }, "/name")} />}
          </Field>
          <div data-tour="macros-phrase">
            <Field label={t("Trigger phrase")} error={told("/trigger_phrase")} hint={t("Say or type it in a conversation to run the macro. Small differences are fine.")}>
              {(attributes) => <input {...attributes} type="text" maxLength={200} value={draft.phrase} autocomplete="off" placeholder={t("good morning")}
                onInput={(event) => change({ ...draft, phrase: event.currentTarget.value }, "/trigger_phrase")} />}
            </Field>
          </div>
        </div>
        {hint ? <p class="flow-note macros-hint"><Icon name="info" size={16} />{hint}</p> : null}
        <section data-tour="macros-steps" aria-label={t("Steps")} class="stack">
          <h3>{t("Steps")}</h3>
          {told("/steps") ? <p class="wrong">{t("Steps")}: {told("/steps")}</p> : null}
          <ol class="macros-steps" ref={steps}>
            {draft.steps.map((step, index) => (
              <StepCard key={step.key} step={step} index={index} steps={draft.steps} tools={tools} ways={ways} errors={errors} outputs={known}
                open={open.has(step.key)} onOpen={(on) => unfold(on ? new Set([...open, step.key]) : new Set([...open].filter((key) => key !== step.key)))}
                onChange={(changed) => alter(step.key, changed)}
                onTest={() => { if (readable()) void test(place, current(), current().steps.find((each) => each.key === step.key)!); }}
                onMove={(to) => {
                  const way = to < index ? "up" : "down";
                  const end = to === 0 || to === draft.steps.length - 1;
                  arrange(moved(draft, index, to), `:scope > li:nth-child(${to + 1}) [data-act="${end ? (way === "up" ? "down" : "up") : way}"]`);
                }}
                onRemove={() => arrange(removed(draft, index), `:scope > li:nth-child(${Math.max(1, index)}) .macros-step-title`)}
                onRepeat={() => arrange(repeated(draft, index), `:scope > li:nth-child(${index + 2}) .macros-step-title`)} />
            ))}
          </ol>
          <Button icon="plus" class="macros-add" disabled={draft.steps.length >= MOST_STEPS} onClick={add}>{t("Add step")}</Button>
        </section>
        <div data-tour="macros-policy">
          <Field label={t("If a step fails")} error={told("/error_policy")}>
            {(attributes) => (
              <select {...attributes} value={draft.policy} onChange={(event) => change({ ...draft, policy: event.currentTarget.value as Policy }, "/error_policy")}>
                <option value="abort">{t("Stop")}</option>
                <option value="skip">{t("Skip it and continue; steps that need it fail too")}</option>
                <option value="retry">{t("Try up to three times, then stop")}</option>
              </select>
            )}
          </Field>
        </div>
        {problem ? <Problem error={problem} /> : null}
        {dirty ? (
          <p class="macros-unsaved"><Icon name="info" size={16} />{t("Unsaved changes. They stay in this tab, even when you go to another page.")}
            <Button kind="quiet" class="sf-act" onClick={discard}>{t("Discard changes")}</Button></p>
        ) : macro && justSaved.value === macro.id ? (
          <p class="macros-saved" role="status"><Icon name="check" size={16} />{t("Saved. Say “{phrase}” to run it.", { phrase: macro.trigger_phrase })}</p>
        ) : null}
        <div class="row macros-bar">
          <Button icon="info" data-tour="macros-dry-run" busy={busy === "dry"} onClick={() => void pressDry()}>{t("Dry run")}</Button>
          <span class="spring" />
          <Button needs="workspace.write" icon="check" busy={busy === "save"} disabled={!dirty && !!macro} onClick={() => void pressSave()}>{t("Save")}</Button>
          <Button {...(dirty ? { needs: "workspace.write" as const } : {})} kind="primary" icon="play" data-tour="macros-run" busy={busy === "run"} onClick={() => void pressRun()}>{dirty ? t("Save and run") : t("Run")}</Button>
        </div>
      </Card>
      {plan ? <PlanCard steps={plan} /> : null}
      {run && macro ? <RunCard key={run} id={run} tour="macros-outcome" onOver={() => { history.reload(); onRun(); end((count) => count + 1); }} /> : null}
      {macro ? <Schedules kind="macro" name={macro.id} input={null} onRun={onRun} /> : null}
      {macro ? history.list : null}
      {asking && macro ? (
        <Dialog title={t("Delete {name}?", { name: macro.name })} onClose={() => ask(false)}>
          <p>{t("“{phrase}” will no longer do anything. This cannot be undone; export the macro first if you may need it again.", { phrase: macro.trigger_phrase })}</p>
          <div class="row"><span class="spring" /><Button onClick={() => ask(false)}>{t("Cancel")}</Button>
            <Button kind="danger" icon="trash" busy={busy === "delete"} onClick={() => void pressDelete()}>{t("Delete")}</Button></div>
        </Dialog>
      ) : null}
      {theirs ? (
        <Dialog title={t("Changed meanwhile")} onClose={() => meet(null)}>
          <p>{t("This macro was saved elsewhere {when}, after you started editing. Nothing is lost: choose what to keep.", { when: ago(theirs.updated_at) })}</p>
          <div class="row">
            <span class="spring" />
            <Button onClick={() => { meet(null); keep(place, null); onSaved(); }}>{t("Use the saved version")}</Button>
            <Button onClick={() => { keep(NEW, asCopy(draft, macros)); keep(place, null); meet(null); onSaved(); go(at("macros", [NEW])); }}>{t("Keep mine as a copy")}</Button>
            <Button kind="primary" onClick={() => void pressSave(true)}>{t("Overwrite with mine")}</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}

/** What the steps of a run gave can be handed on, too: where the run is of the steps as they are. */
function useRunOutputs(place: string, run: string, same: boolean, ended: number): void {
  useEffect(() => {
    if (!run || !same || !ended) return;
    const leave = new AbortController();
    loadRun(run, leave.signal, true).then(
      ({ steps }) => steps.forEach((step, index) => {
        if (step.status === "done") keepOutput(place, savedKey(index), { state: "done", value: step.result });
      }),
      () => undefined, // the card of the run says so
    );
    return () => leave.abort();
  }, [place, run, same, ended]);
}
