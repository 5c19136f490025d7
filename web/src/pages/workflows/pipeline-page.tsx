/** The page of workflows and the page of agents. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { at, go, route } from "../../router";
import { toast } from "../../stores/toasts";
import { Icon } from "../../ui/icons";
import { Badge, Button, Card, Empty, Field, Problem, Shown } from "../../ui/kit";
import { ago } from "../../ui/time";
import { LeftOutFiles } from "../playbooks/left-out";
import { loadPipelines, loadRuns, nameOfTask, start, type Kind, type Pipeline, type RunSummary } from "./api";
import { RunBadge, RunCard } from "./run";
import { PlannedSteps } from "./steps";
import "./flow.css";

export interface Words {
  kind: Kind;
  one: string;
  list: string;
  run: string;
  steps: string;
  nothing: string;
  /** Of files of one's own. */
  format: string;
  /** Names for guided tours. */
  tours: { list: string; input: string; run: string; outcome: string };
}

export function PipelinePage({ words }: { words: Words }) {
  const { kind } = words;
  const pipelines = useLoad((signal) => loadPipelines(kind, signal), [kind]);
  useTaskLink(kind);
  const [wanted = "", task = ""] = route.value.rest;
  return (
    <Shown of={pipelines}>
      {({ found, folder, left_out }) => {
        const chosen = wanted ? found.find((each) => each.name === wanted) : found[0];
        return (
          <div class={`split flow ${wanted ? "has-chosen" : ""}`}>
            <Choices words={words} found={found} chosen={chosen?.name ?? ""}>
              <LeftOutFiles files={left_out} folder={folder} what={words.one} />
              <p class="hint">Your own: a {words.format} file with <code>title</code>, <code>description</code>, <code>input</code> and <code>steps</code>, in <code>{folder}</code>.</p>
            </Choices>
            <div class="stack flow-main">
              {wanted ? <a class="flow-back" href={at(kind)}><Icon name="chevron" size={16} />All {kind}</a> : null}
              {chosen
                ? <One key={chosen.name} words={words} pipeline={chosen} task={task} />
                : <Problem error={new Error(`There is no ${words.one} “${wanted}”. Choose one from the list.`)} />}
            </div>
          </div>
        );
      }}
    </Shown>
  );
}

/** `?task=…` is where notices lead: the page of the run that the task is. */
function useTaskLink(kind: Kind): void {
  const task = route.value.query.get("task");
  useEffect(() => {
    if (!task) return;
    const leave = new AbortController();
    nameOfTask(kind, task, leave.signal).then(
      (name) => go(name ? at(kind, [name, task]) : at(kind), true),
      (error: unknown) => {
        if (leave.signal.aborted) return;
        toast(said(error), { kind: "bad" });
        go(at(kind), true);
      },
    );
    return () => leave.abort();
  }, [kind, task]);
}

function Choices({ words, found, chosen, children }: { words: Words; found: Pipeline[]; chosen: string; children: ComponentChildren }) {
  return (
    <section class="flow-side" aria-label={words.list} data-tour={words.tours.list}>
      <ul class="list">
        {found.map((each) => (
          <li key={each.name}>
            <a class="list-item" href={at(words.kind, [each.name])} aria-current={each.name === chosen ? "true" : undefined}>
              <strong>{each.title}</strong>
              <small class="flow-about">{each.description}</small>
              <small class="row flow-badges">
                <Badge>{each.steps.length} steps</Badge>
                {each.uses_model ? <Badge>uses a model if there is one</Badge> : null}
                {each.modes.includes("voice") ? null : <Badge>text only</Badge>}
              </small>
            </a>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

function One({ words, pipeline, task }: { words: Words; pipeline: Pipeline; task: string }) {
  const { kind, tours } = words;
  const runs = useLoad((signal) => loadRuns(kind, pipeline.name, signal), [pipeline.name, task]);
  return (
    <>
      <Card title={pipeline.title}>
        <p>{pipeline.description}</p>
        <Start words={words} pipeline={pipeline} />
        <details class="flow-plan" open={!task}>
          <summary>{words.steps}</summary>
          <PlannedSteps steps={pipeline.steps} />
        </details>
      </Card>
      {task
        ? <RunCard key={task} kind={kind} name={pipeline.name} task={task} onOver={runs.reload} tour={tours.outcome} />
        : null}
      <Card title="Past runs" {...(task ? {} : { tour: tours.outcome })}
        actions={<Button kind="quiet" icon="refresh" onClick={runs.reload}>Refresh</Button>}>
        <Shown of={runs}>
          {(found) => found.length
            ? <PastRuns kind={kind} runs={found} task={task} />
            : <Empty icon="clock" title="Nothing has run yet">{words.nothing}</Empty>}
        </Shown>
      </Card>
    </>
  );
}

function Start({ words, pipeline }: { words: Words; pipeline: Pipeline }) {
  const [input, type] = useState("");
  const [busy, set] = useState(false);
  const [problem, tell] = useState<string | null>(null);
  const begin = async () => {
    if (pipeline.needs_input && !input.trim()) {
      tell(`It has nothing to work on. Tell it ${pipeline.input}.`);
      return;
    }
    set(true);
    tell(null);
    try {
      const task = await start(words.kind, pipeline.name, input.trim());
      go(at(words.kind, [pipeline.name, task]));
    } catch (error) {
      tell(said(error));
    } finally {
      set(false);
    }
  };
  return (
    <form class="flow-start" onSubmit={(event) => { event.preventDefault(); void begin(); }}>
      <div data-tour={words.tours.input}>
        <Field label={pipeline.needs_input ? "What should it work on?" : "Anything to add? (it works without)"}
          hint={<>Tell it {pipeline.input}. <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts it.</>} error={problem}>
          {(attributes) => (
            <textarea {...attributes} rows={3} value={input} maxLength={words.kind === "workflows" ? 20_000 : 100_000}
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

function PastRuns({ kind, runs, task }: { kind: Kind; runs: RunSummary[]; task: string }) {
  return (
    <ul class="list">
      {runs.map((run) => (
        <li key={run.task_id}>
          <a class="list-item" href={at(kind, [run.name, run.task_id])} aria-current={run.task_id === task ? "true" : undefined}>
            <span class="flow-said">{run.input.slice(0, 200) || "without a note"}</span>
            <small class="row"><RunBadge run={run} />{ago(run.created_at)}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
