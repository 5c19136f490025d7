/** Steps in their order, as they are planned or as they went. */
import { useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Shown, Spinner } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { duration } from "../../ui/time";
import { loadRun, type Kind, type Run, type RunStep, type Step, type StepStatus } from "./api";

const SAID: Record<StepStatus, string> = {
  pending: "not begun",
  running: "at work",
  done: "done",
  left_out: "left out",
  failed: "failed",
  waiting: "waits for you",
  stopped: "stopped here",
};
const ICON: Partial<Record<StepStatus, string>> = {
  done: "check",
  left_out: "chevron",
  failed: "warn",
  waiting: "shield",
  stopped: "stop",
};
const KIND = { failed: "bad", waiting: "warn", stopped: "warn", running: "accent", done: "good" } as const;

export function PlannedSteps({ steps }: { steps: Step[] }) {
  return (
    <ol class="flow-steps">
      {steps.map((step, place) => (
        <li key={step.id} class={`flow-step ${step.optional ? "is-optional" : ""}`}>
          <span class="flow-mark" aria-hidden="true">{place + 1}</span>
          <div class="flow-body">
            <p class="flow-title">{step.title}</p>
            <p class="row flow-facts">
              {step.tool ? <ToolLink tool={step.tool} /> : <span>writes a text</span>}
              {step.asks_model ? <Badge kind="accent">by a model, else by rules</Badge> : null}
              {step.optional ? <Badge>optional</Badge> : null}
              {step.asks_first ? <Badge kind="warn">asks first</Badge> : null}
              {!step.known ? <Badge kind="bad">the registry has no such tool</Badge> : null}
            </p>
            {step.condition ? <p class="hint">{condition(step.condition)}</p> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** `found/results` in words. */
export function condition(path: string): string {
  const not = path.startsWith("not ");
  const [step = "", ...rest] = path.replace(/^not /, "").split("/");
  const what = `${rest.join(" ").replaceAll("_", " ") || "something"}`;
  const from = step === "input" ? "you gave" : `“${step}” gave`;
  return not ? `Only if ${from} no ${what}.` : `Only if ${from} ${what}.`;
}

const ToolLink = ({ tool }: { tool: string }) => <a class="flow-tool" href={at("tools", [tool])}>{tool}</a>;

export function RunSteps({ kind, run }: { kind: Kind; run: Run }) {
  const [open, set] = useState("");
  const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
  return (
    <ol class="flow-steps" aria-label={`Steps, ${done} of ${run.steps.length} finished`}>
      {run.steps.map((step, place) => (
        <li key={step.step} class={`flow-step is-${step.status}`} aria-current={step.status === "running" ? "step" : undefined}>
          <span class="flow-mark" aria-hidden="true">
            {step.status === "running" ? <Spinner /> : ICON[step.status] ? <Icon name={ICON[step.status]!} size={14} /> : place + 1}
          </span>
          <div class="flow-body">
            <p class="flow-title">{step.title}</p>
            <p class="row flow-facts">
              <StatusBadge step={step} />
              {step.seconds !== null ? <span class="number">{duration(step.seconds * 1000)}</span> : null}
              {step.tool ? <ToolLink tool={step.tool} /> : null}
              {step.tool && step.status === "done" ? (
                <button type="button" class="link-button" aria-expanded={open === step.step}
                  onClick={() => set(open === step.step ? "" : step.step)}>
                  {open === step.step ? "Hide what it gave" : "What it gave"}
                </button>
              ) : null}
            </p>
            {step.error ? <p class="wrong">{step.error}</p> : null}
            {open === step.step ? <Given kind={kind} run={run} step={step.step} /> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

function StatusBadge({ step }: { step: RunStep }) {
  const kind = KIND[step.status as keyof typeof KIND] ?? "plain";
  return <Badge kind={kind}>{step.reused ? "done before" : SAID[step.status]}</Badge>;
}

function Given({ kind, run, step }: { kind: Kind; run: Run; step: string }) {
  const loaded = useLoad((signal) => loadRun(kind, run.name, run.task_id, signal, true), [run.task_id, step]);
  return (
    <div class="flow-given">
      <Shown of={loaded}>{(full) => <Readable value={full.steps.find((each) => each.step === step)?.result ?? null} />}</Shown>
    </div>
  );
}
