/** One run of a macro, workflow or agent: how far it is, stop, resume, what came of it, and its log. */
import { useEffect, useRef, useState } from "preact/hooks";

import { ApiError, said } from "../../api/http";
import { number, plural, rich, t } from "../../i18n";
import { at, go } from "../../router";
import { askById } from "../../stores/confirmations";
import { toast } from "../../stores/toasts";
import { Badge, Button, Card, CopyButton, Loading, Problem, save } from "../../ui/kit";
import { Icon } from "../../ui/icons";
import { Markdown } from "../../ui/markdown";
import { Readable } from "../../ui/readable";
import { ago, duration, fullTime } from "../../ui/time";
import { isOver, isOwn, requestOf, resume, runAddress, start, STATUS, stop, type Evidence, type Run, type RunSummary } from "./api";
import { RunLog } from "./log";
import { RunSteps } from "./steps";
import { useRun } from "./watch";

export function RunBadge({ run }: { run: Pick<RunSummary, "status"> }) {
  const { said: words, kind } = STATUS[run.status];
  return <Badge kind={kind}>{words}</Badge>;
}

export function RunCard({ id, onOver, tour }: { id: string; onOver: () => void; tour: string }) {
  const { run, error, look } = useRun(id, onOver);
  const top = useRef<HTMLDivElement>(null);
  // The form is above and the list of runs below: whoever chooses a run wants to see it.
  useEffect(() => top.current?.scrollIntoView({ block: "start" }), [id, !run]);
  return (
    <div ref={top} class="flow-run">
      <Card title={t("Run")} tour={tour} {...(run ? { actions: <Acts key={run.id} run={run} look={look} /> } : {})}>
        {error ? <Problem error={error} retry={look} /> : null}
        {run ? (
          <>
            <Head run={run} />
            {run.input ? <Input text={run.input} /> : null}
            <RunSteps run={run} onResume={(step) => void goOn(run, look, step)} />
            <Ending run={run} />
            <RunLog run={run} />
          </>
        ) : error ? null : <Loading />}
      </Card>
    </div>
  );
}

function Head({ run }: { run: Run }) {
  const over = isOver(run);
  const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
  const current = run.steps.find((step) => step.status === "running");
  const words = run.stop_requested ? t("Stopping…")
    : current ? t("Step {place} of {count}: {title}", { place: run.steps.indexOf(current) + 1, count: run.steps.length, title: current.title })
      : STATUS[run.status].said;
  return (
    <div class="flow-head">
      <p class="row">
        <RunBadge run={run} />
        <span title={fullTime(run.created_at)}>{ago(run.created_at)}</span>
        {run.finished_at ? <span class="muted number">{duration((run.finished_at - run.created_at) * 1000)}</span> : null}
        {run.attempts > 1 ? <Badge>{plural(run.attempts, "{count} start", "{count} starts")}</Badge> : null}
        {run.schedule_id ? <Badge>{t("Scheduled")}</Badge> : null}
        {run.resumed_from ? <a href={runAddress({ ...run, id: run.resumed_from })}>{t("Resumed from an earlier run")}</a> : null}
      </p>
      {over ? null : (
        <progress class="flow-bar" max={Math.max(1, run.steps.length)} value={run.steps.length ? done : undefined} aria-label={t("Progress")} />
      )}
      {/* Said aloud once for each change: the step in words, then how it ended. */}
      <p class={over ? "hidden-visually" : "hint"} role="status">{over ? t("The run has ended: {words}.", { words: STATUS[run.status].said }) : words}</p>
    </div>
  );
}

function Input({ text }: { text: string }) {
  const short = text.length <= 160 && !text.includes("\n");
  if (short) return <p class="flow-asked">{text}</p>;
  return <details class="flow-asked"><summary>{t("Input ({length} characters)", { length: number(text.length) })}</summary><pre>{text}</pre></details>;
}

/** Goes on with a run: what waits is answered first. */
async function goOn(run: Run, look: () => void, step?: string): Promise<void> {
  try {
    const request = step ? undefined : requestOf(run.waiting);
    if (run.status === "waiting" && request) {
      const { outcome } = await askById(request.id, run.session_id);
      if (outcome !== "approved") {
        // The server may have seen to it already.
        await stop(run.id).catch(() => undefined);
        return look();
      }
    }
    const { id, reused, warnings } = await resume(run.id, step);
    toast(reused.length
      ? plural(reused.length, "Resumed. {count} finished step is not run again.", "Resumed. {count} finished steps are not run again.")
      : t("Resumed from the beginning."), { kind: "good" });
    for (const words of warnings) toast(words, { kind: "bad" });
    go(runAddress({ ...run, id }));
  } catch (error) {
    toast(said(error), { kind: "bad" });
    look();
  }
}

function Acts({ run, look }: { run: Run; look: () => void }) {
  const [busy, set] = useState(false);
  const act = async (work: () => Promise<void>) => {
    set(true);
    try {
      await work();
    } catch (error) {
      // It came to its end before it could be stopped: the page shows how.
      if (!(error instanceof ApiError && error.status === 409 && !isOver(run))) toast(said(error), { kind: "bad" });
    } finally {
      set(false);
      look();
    }
  };
  const asks = run.status === "waiting" && requestOf(run.waiting) !== undefined;
  // Whoever started it here is asked here.
  useEffect(() => {
    if (asks && isOwn(run.id)) void act(() => goOn(run, look));
  }, [asks]);
  if (!isOver(run)) {
    return <Button kind="danger" icon="stop" busy={busy || run.stop_requested} onClick={() => act(async () => { await stop(run.id); })}>{t("Stop")}</Button>;
  }
  const again = () => act(async () => go(runAddress({ ...run, id: await start(run.kind, run.name, run.input) })));
  return (
    <>
      {run.can_resume ? <Button kind="primary" icon="play" busy={busy} onClick={() => act(() => goOn(run, look))}>{asks ? t("Review and resume") : t("Resume")}</Button> : null}
      {asks ? <Button icon="stop" disabled={busy} onClick={() => act(async () => { await stop(run.id); })}>{t("Stop")}</Button> : null}
      <Button kind="quiet" icon="refresh" disabled={busy} onClick={again}>{t("Run again")}</Button>
      {run.text && run.kind !== "macro" ? <CopyButton text={run.text} label={t("Copy result")} /> : null}
      {run.text && run.kind !== "macro" ? <Button kind="quiet" icon="download" onClick={() => save(`${run.name}.md`, run.text!, "text/markdown")}>{t("Download")}</Button> : null}
    </>
  );
}

function Ending({ run }: { run: Run }) {
  if (!isOver(run)) return null;
  const stopped = run.status === "stopped";
  // What a macro is for comes of its last step; the others have a text of their own.
  const outcome = run.kind === "macro" ? run.steps.findLast((step) => step.result != null) ?? null : null;
  return (
    <div class="stack">
      {stopped ? <p class="flow-note"><Icon name="info" size={16} />{t("It was stopped. Results of finished steps are kept for a week; Resume continues after them.")}</p> : null}
      {run.status === "waiting" ? <p class="flow-note"><Icon name="shield" size={16} />{requestOf(run.waiting)?.preview ?? t("A step needs your approval.")}</p> : null}
      {run.error && !stopped ? <Problem error={new Error(explained(run))} /> : null}
      {run.text && run.status === "succeeded" ? (
        <section class="flow-result" aria-label={t("Result")}>
          <div class="row">
            <h3>{t("Result")}</h3>
            {run.by ? <Badge>{run.by === "model" ? t("Written by a model") : t("Assembled by rules")}</Badge> : null}
          </div>
          {run.note ? <p class="hint">{run.note}</p> : null}
          <Markdown text={cited(run.text, run.evidence)} />
          {outcome === null ? null : <Readable value={outcome.result} {...(outcome.tool ? { name: outcome.tool } : {})} />}
        </section>
      ) : null}
      {run.evidence.length ? <Sources evidence={run.evidence} /> : null}
    </div>
  );
}

function explained(run: Run): string {
  if (run.error_type === "VALIDATION" && !run.can_resume) return `${run.error} ${t("Change the input and run it again.")}`;
  return run.can_resume ? `${run.error} ${t("Fix the cause, then resume after the finished steps.")}` : run.error!;
}

/** Tools that give records without saying which graph they are in. */
const LOOKED_UP = ["kb_search", "kb_get", "cross_kg_search", "search_kg", "query_kg", "rank_results"];

export function recordAddress(one: Evidence): string | null {
  if (one.database_id) return at("kg-studio", [one.database_id, "record", one.id]);
  if (LOOKED_UP.includes(one.tool)) return at("kg-studio", [], { q: one.title });
  return one.tool === "search_playbooks" ? at("playbooks", [one.id]) : null;
}

/** Ids in square brackets lead to what they name. */
export function cited(text: string, evidence: Evidence[]): string {
  const known = new Map(evidence.map((one) => [one.id, recordAddress(one)]));
  return text.replace(/\[([^\][\n]{1,200})\](?!\()/g, (whole, id: string) => {
    const address = known.get(id);
    return address ? `[\\[${id}\\]](<${address}>)` : whole;
  });
}

function Sources({ evidence }: { evidence: Evidence[] }) {
  return (
    <section aria-label={t("Sources")}>
      <h3>{t("Sources")}</h3>
      <ul class="flow-sources">
        {evidence.map((one) => {
          const address = recordAddress(one);
          return (
            <li key={`${one.database_id}/${one.id}`}>
              {address ? <a href={address}>{one.title}</a> : <span>{one.title}</span>}
              <small class="muted"> {one.database_id ? rich("{id} in {database}", { id: one.id, database: one.database_id }) : one.id} · {one.tool}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
