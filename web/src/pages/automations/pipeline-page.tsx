/** The page of workflows and the page of agents. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, rich, t } from "../../i18n";
import { at, go, route } from "../../router";
import { toast } from "../../stores/toasts";
import { Icon } from "../../ui/icons";
import { Badge, Button, Card, Field, Problem, Shown } from "../../ui/kit";
import { useReload } from "../../ui/poll";
import { asMacro } from "../macros/copies";
import { keep, NEW } from "../macros/draft";
import { LeftOutFiles } from "../playbooks/left-out";
import { loadStandings, loadPipelines, nameOfTask, PAGE, runAddress, start, type Pipeline, type PipelineKind, type Standing } from "./api";
import { useHistory } from "./history";
import { Item } from "./item";
import { RunCard } from "./run";
import { Schedules } from "./schedules";
import { PlannedSteps } from "./steps";
import "./flow.css";

const LAST_MS = 5000;

export interface Words {
  kind: PipelineKind;
  list: string;
  run: string;
  nothing: string;
  missing: (name: string) => string;
  back: string;
  /** How to write files of one's own; `folder` is where. */
  files: (folder: ComponentChildren) => ComponentChildren;
  /** Names for guided tours. */
  tours: { list: string; input: string; run: string; outcome: string };
}

export function PipelinePage({ words }: { words: Words }) {
  const { kind } = words;
  const pipelines = useLoad((signal) => loadPipelines(kind, signal), [kind]);
  const last = useLoad((signal) => loadStandings(kind, signal), [kind]);
  useReload(last, LAST_MS);
  useTaskLink(kind);
  const [wanted = "", run = ""] = route.value.rest;
  return (
    <Shown of={pipelines}>
      {({ found, folder, left_out }) => {
        const chosen = wanted ? found.find((each) => each.name === wanted) : found[0];
        return (
          <div class={`split flow ${wanted ? "has-chosen" : ""}`}>
            <Choices words={words} found={found} chosen={chosen?.name ?? ""} last={last.data}>
              <LeftOutFiles files={left_out} folder={folder} />
              <p class="hint">{words.files(<code>{folder}</code>)}</p>
            </Choices>
            <div class="stack flow-main">
              {wanted ? <a class="flow-back" href={at(PAGE[kind])}><Icon name="chevron" size={16} />{words.back}</a> : null}
              {chosen
                ? <One key={chosen.name} words={words} pipeline={chosen} run={run} onRun={last.reload} />
                : <Problem error={new Error(words.missing(wanted))} />}
            </div>
          </div>
        );
      }}
    </Shown>
  );
}

/** `?task=…` is where notices lead: the page of the run that the task is. */
function useTaskLink(kind: PipelineKind): void {
  const task = route.value.query.get("task");
  useEffect(() => {
    if (!task) return;
    const leave = new AbortController();
    nameOfTask(kind, task, leave.signal).then(
      (name) => go(name ? at(PAGE[kind], [name, task]) : at(PAGE[kind]), true),
      (error: unknown) => {
        if (leave.signal.aborted) return;
        toast(said(error), { kind: "bad" });
        go(at(PAGE[kind]), true);
      },
    );
    return () => leave.abort();
  }, [kind, task]);
}

function Choices({ words, found, chosen, last, children }: {
  words: Words; found: Pipeline[]; chosen: string; last: Map<string, Standing> | null; children: ComponentChildren;
}) {
  return (
    <section class="flow-side" aria-label={words.list} data-tour={words.tours.list}>
      <ul class="list">
        {found.map((each) => (
          <li key={each.name}>
            <Item href={at(PAGE[words.kind], [each.name])} title={each.title} about={each.description} chosen={each.name === chosen} standing={last?.get(each.name)}
              facts={plural(each.steps.length, "{count} step", "{count} steps")}>
              {each.modes.includes("voice") ? null : <Badge>{t("Text only")}</Badge>}
            </Item>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

function One({ words, pipeline, run, onRun }: { words: Words; pipeline: Pipeline; run: string; onRun: () => void }) {
  const { kind, tours } = words;
  const history = useHistory(kind, pipeline.name, run, run ? null : tours.outcome, words.nothing);
  const over = () => { history.reload(); onRun(); };
  return (
    <>
      <Card title={pipeline.title} actions={(
        <Button kind="quiet" icon="copy" title={t("The steps that call tools become a macro that you can change.")} onClick={() => { keep(NEW, asMacro(pipeline)); go(at("macros", [NEW])); }}>{t("Make a copy")}</Button>
      )}>
        <p>{pipeline.description}</p>
        <Start words={words} pipeline={pipeline} onRun={onRun} />
        <details class="flow-plan" open={!run}>
          <summary>{plural(pipeline.steps.length, "{count} step", "{count} steps")}</summary>
          <PlannedSteps steps={pipeline.steps} />
        </details>
      </Card>
      {run ? <RunCard key={run} id={run} onOver={over} tour={tours.outcome} /> : null}
      <Schedules kind={kind} name={pipeline.name} input={pipeline.input} onRun={onRun} />
      {history.list}
    </>
  );
}

function Start({ words, pipeline, onRun }: { words: Words; pipeline: Pipeline; onRun: () => void }) {
  const [input, type] = useState("");
  const [busy, set] = useState(false);
  const [problem, tell] = useState<string | null>(null);
  const begin = async () => {
    if (pipeline.needs_input && !input.trim()) {
      tell(t("Enter the input: {input}.", { input: pipeline.input }));
      return;
    }
    set(true);
    tell(null);
    try {
      const id = await start(words.kind, pipeline.name, input.trim());
      go(runAddress({ kind: words.kind, name: pipeline.name, id }));
      onRun();
    } catch (error) {
      tell(said(error));
    } finally {
      set(false);
    }
  };
  return (
    <form class="flow-start" onSubmit={(event) => { event.preventDefault(); void begin(); }}>
      <div data-tour={words.tours.input}>
        <Field label={pipeline.needs_input ? t("Input") : t("Input (optional)")}
          hint={rich("Enter {input}. Press {keys} to run.", { input: pipeline.input, keys: <><kbd>Ctrl</kbd> <kbd>Enter</kbd></> })} error={problem}>
          {(attributes) => (
            <textarea {...attributes} rows={3} value={input} maxLength={words.kind === "workflow" ? 20_000 : 100_000}
              onInput={(event) => type(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void begin(); }
              }} />
          )}
        </Field>
      </div>
      <Button type="submit" kind="primary" icon="play" busy={busy} data-tour={words.tours.run}>{words.run}</Button>
    </form>
  );
}
