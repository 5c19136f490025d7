/** What a run would do, and what a run did, step by step. */
import { useEffect, useRef } from "preact/hooks";

import { Badge, Button, Card, Spinner } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { brief } from "../../ui/schema-form/schema";
import { adviceFor, ruleInWords } from "../tools/words";
import { decide, requestOf, type Run, type StepRun } from "./runs";

export interface Planned {
  step: number;
  function: string;
  args: Record<string, unknown>;
  outcome: "run" | "confirm" | "refuse";
  rule: string;
  message?: string;
  steps?: Planned[];
}

/** Brings what is new into sight. */
function useShown(what: unknown) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [what]);
  return box;
}

const OUTCOMES = {
  run: { word: "would run", kind: "good" },
  confirm: { word: "would ask you", kind: "warn" },
  refuse: { word: "would be refused", kind: "bad" },
} as const;

export function PlanCard({ steps }: { steps: Planned[] }) {
  const stops = steps.find((each) => each.outcome !== "run");
  const box = useShown(steps);
  return (
    <Card title="Dry run" class="macros-plan">
      <span ref={box} hidden />
      <p role="status">{stops
        ? `Nothing was called. A run would stop at step ${stops.step}: ${stops.outcome === "confirm" ? "it asks you first" : stops.message ?? "it would be refused"}`
        : "Nothing was called. No gate would stop any of these steps."}</p>
      <Plan steps={steps} />
    </Card>
  );
}

function Plan({ steps }: { steps: Planned[] }) {
  return (
    <ol class="macros-results">
      {steps.map((each) => {
        const { word, kind } = OUTCOMES[each.outcome];
        return (
          <li key={each.step}>
            <span class="row"><span class="macros-number">{each.step}</span><strong class="macros-function">{each.function}</strong><Badge kind={kind}>{word}</Badge>
              {each.rule !== "run" ? <span class="muted">rule <code>{each.rule}</code>{ruleInWords(each.rule) ? `: ${ruleInWords(each.rule)}` : ""}</span> : null}</span>
            {each.message && each.outcome === "refuse" ? <p class="wrong">{each.message}</p> : null}
            <code class="macros-call">{brief(each.args, 300)}</code>
            {each.steps ? <Plan steps={each.steps} /> : null}
          </li>
        );
      })}
    </ol>
  );
}

const STATES: Record<StepRun["state"], { word: string; kind: "plain" | "good" | "bad" | "warn" | "accent" }> = {
  pending: { word: "waits its turn", kind: "plain" },
  running: { word: "running", kind: "accent" },
  waiting: { word: "waits for you", kind: "warn" },
  done: { word: "done", kind: "good" },
  failed: { word: "failed", kind: "bad" },
  "not run": { word: "not run", kind: "plain" },
};

export function RunCard({ run }: { run: Run }) {
  const done = run.steps.filter((step) => step.state === "done").length;
  const request = run.waiting && requestOf(run.waiting);
  const box = useShown(run.state);
  return (
    <Card title={`Run of ${run.name}`} class="macros-run">
      <span ref={box} hidden />
      <div role="status" class="macros-run-status">
        {run.state === "running" ? <p class="row"><Spinner />{`Step ${Math.min(done + 1, run.steps.length)} of ${run.steps.length}`}</p> : <p>{run.summary}</p>}
        {run.problem ? <p class="wrong">{run.problem}</p> : null}
      </div>
      {request ? (
        <div class="macros-waiting">
          <p>{request.preview}</p>
          <Button kind="primary" icon="shield" onClick={() => void decide(run)}>Look at it and decide</Button>
        </div>
      ) : null}
      <ol class="macros-results">
        {run.steps.map((step, index) => {
          const { word, kind } = STATES[step.state];
          return (
            <li key={index} data-state={step.state}>
              <span class="row"><span class="macros-number">{index + 1}</span><strong class="macros-function">{step.function}</strong>
                {step.state === "running" ? <Spinner /> : null}<Badge kind={kind}>{step.answered && step.state === "not run" ? step.answered : word}</Badge>
                {step.result?.tries ? <span class="muted">{step.result.tries} tries</span> : null}</span>
              {step.inner && step.state === "running" ? <p class="hint">{step.inner}</p> : null}
              {step.state === "failed" && step.result?.error ? (
                <p class="wrong">{step.result.error} <span class="hint">{step.result.error_type ? adviceFor(step.result.error_type).advice : ""}</span></p>
              ) : null}
              {step.result?.result !== undefined ? (
                <details open={run.steps.length <= 3}><summary>Result</summary><Readable value={step.result.result} name={step.function} /></details>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
