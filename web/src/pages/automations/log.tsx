/** What happened in a run, line by line. */
import { t } from "../../i18n";
import { clockTime, duration } from "../../ui/time";
import type { Run, RunEvent } from "./api";

export function RunLog({ run }: { run: Run }) {
  if (!run.events.length) return null;
  const first = run.events[0]!.at;
  return (
    <details class="flow-log">
      <summary>{t("Event log ({count})", { count: run.events.length })}</summary>
      <table>
        <thead><tr><th scope="col">{t("Time")}</th><th scope="col">{t("After")}</th><th scope="col">{t("Event")}</th></tr></thead>
        <tbody>
          {run.events.map((event, place) => (
            <tr key={place}>
              <td class="number">{clockTime(event.at)}</td>
              <td class="number">{duration((event.at - first) * 1000)}</td>
              <td>{inWords(event, run)}{event.details.error ? <p class="wrong">{event.details.error}</p> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

export function inWords(event: RunEvent, run: Pick<Run, "steps">): string {
  const [outer = "", inner] = event.step.split("/");
  const place = run.steps.findIndex((step) => step.step === outer) + 1;
  const title = run.steps[place - 1]?.title ?? "";
  const step = inner ? t("Step {place}.{inner}", { place: String(place), inner }) : t("Step {place} ({title})", { place: String(place), title });
  switch (event.event) {
    case "run_started": return t("Run started");
    case "run_finished": return t("Run finished: {status}", { status: ENDS[event.details.status ?? ""] ?? event.details.status ?? "" });
    case "step_started": return t("{step} started", { step });
    case "step_retried": return t("{step} failed on attempt {attempt} and is retried", { step, attempt: event.details.attempt ?? 1 });
    case "step_reused": return t("{step} kept from the earlier run", { step });
    case "step_finished": return t("{step} finished: {status}", { step, status: ENDS[event.details.status ?? ""] ?? "" });
  }
}

const ENDS: Record<string, string> = {
  done: t("succeeded"), succeeded: t("succeeded"), failed: t("failed"), stopped: t("stopped"),
  left_out: t("skipped"), waiting: t("waiting for approval"),
};
