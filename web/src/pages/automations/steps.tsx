/** Steps in their order, as they are planned or as they went. */
import { useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { loadRules } from "../../api/rules";
import { plural, t } from "../../i18n";
import { at } from "../../router";
import { GateStrip } from "../../ui/gates";
import { Icon } from "../../ui/icons";
import { Badge, Shown, Spinner } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { duration } from "../../ui/time";
import { isOver, loadRun, type Run, type RunStep, type Step, type StepStatus } from "./api";

const SAID: Record<StepStatus, string> = {
  pending: t("Pending"),
  running: t("Running"),
  done: t("Succeeded"),
  left_out: t("Skipped"),
  failed: t("Failed"),
  waiting: t("Waiting for approval"),
  stopped: t("Stopped"),
};
const ICON: Partial<Record<StepStatus, string>> = {
  done: "check",
  left_out: "chevron",
  failed: "warn",
  waiting: "shield",
  stopped: "stop",
};
const KIND = { failed: "bad", waiting: "warn", running: "accent", done: "good" } as const;

export function PlannedSteps({ steps }: { steps: Step[] }) {
  return (
    <ol class="flow-steps">
      {steps.map((step, place) => (
        <li key={step.id} class={`flow-step ${step.optional ? "is-optional" : ""}`}>
          <span class="flow-mark" aria-hidden="true">{place + 1}</span>
          <div class="flow-body">
            <p class="flow-title">{step.title}</p>
            <p class="row flow-facts">
              {step.tool ? <ToolLink tool={step.tool} /> : <span>{t("Writes text")}</span>}
              {step.asks_model ? <Badge kind="accent">{t("Model, or rules without one")}</Badge> : null}
              {step.optional ? <Badge>{t("Optional")}</Badge> : null}
              {step.asks_first ? <Badge kind="warn">{t("Needs approval")}</Badge> : null}
              {!step.known ? <Badge kind="bad">{t("No such tool")}</Badge> : null}
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
  const what = rest.join(" ").replaceAll("_", " ") || t("anything");
  if (step === "input") return not ? t("Only without {what} in the input.", { what }) : t("Only with {what} in the input.", { what });
  return not ? t("Only if “{step}” returned no {what}.", { step, what }) : t("Only if “{step}” returned {what}.", { step, what });
}

const ToolLink = ({ tool }: { tool: string }) => <a class="flow-tool" href={at("tools", [tool])}>{tool}</a>;

export function RunSteps({ run, onResume }: { run: Run; onResume: (step: string) => void }) {
  const [open, set] = useState("");
  const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
  // A step can be the first again where each one before it has a result.
  const kept = run.steps.findIndex((step) => step.status !== "done" && step.status !== "left_out");
  const last = kept < 0 ? run.steps.length - 1 : kept;
  return (
    <ol class="flow-steps" aria-label={t("Steps, {done} of {count} finished", { done, count: run.steps.length })}>
      {run.steps.map((step, place) => (
        <li key={step.step} class={`flow-step is-${step.status}`} data-status={step.status} aria-current={step.status === "running" ? "step" : undefined}>
          <span class="flow-mark" aria-hidden="true">
            {step.status === "running" ? <Spinner /> : ICON[step.status] ? <Icon name={ICON[step.status]!} size={14} /> : place + 1}
          </span>
          <div class="flow-body">
            <p class="flow-title">{step.title}</p>
            <p class="row flow-facts">
              <StatusBadge step={step} over={isOver(run)} />
              {step.seconds !== null ? <span class="number">{duration(step.seconds * 1000)}</span> : null}
              {step.tries > 1 ? <span>{plural(step.tries, "{count} try", "{count} tries")}</span> : null}
              {step.tool && step.tool !== step.title ? <ToolLink tool={step.tool} /> : null}
              {step.tool && step.status !== "pending" && step.status !== "left_out" ? (
                <button type="button" class="link-button" aria-expanded={open === step.step} onClick={() => set(open === step.step ? "" : step.step)}>
                  {open === step.step ? t("Hide details") : t("Details")}
                </button>
              ) : null}
              {isOver(run) && place <= last ? (
                <button type="button" class="link-button" onClick={() => onResume(step.step)}>
                  {t("Resume from here")}<span class="hidden-visually">: {step.title}</span>
                </button>
              ) : null}
            </p>
            {step.error ? <p class="wrong">{step.error}</p> : null}
            {open === step.step ? <Details run={run} step={step} /> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

function StatusBadge({ step, over }: { step: RunStep; over: boolean }) {
  const kind = KIND[step.status as keyof typeof KIND] ?? "plain";
  const words = step.reused ? t("Kept from the earlier run") : over && step.status === "pending" ? t("Not run") : SAID[step.status];
  return <Badge kind={kind}>{words}</Badge>;
}

/** What it was called with, which gates the call passed, and what it gave. */
function Details({ run, step }: { run: Run; step: RunStep }) {
  const loaded = useLoad((signal) => loadRun(run.id, signal, true), [run.id, step.step, step.status]);
  const rules = useLoad(loadRules, []);
  return (
    <div class="flow-given">
      <Shown of={loaded}>{(full) => {
        const one = full.steps.find((each) => each.step === step.step);
        return (
          <>
            {one?.gates.length ? <GateStrip gates={one.gates} rules={rules.data} /> : null}
            {one?.args && Object.keys(one.args).length ? <><h4>{t("Arguments")}</h4><Readable value={one.args} /></> : null}
            {one?.result != null ? <><h4>{t("Output")}</h4><Readable value={one.result} {...(step.tool ? { name: step.tool } : {})} /></> : null}
          </>
        );
      }}</Shown>
    </div>
  );
}
