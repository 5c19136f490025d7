/** One run: how far it is, how to stop it or go on with it, and what came of it. */
import { useEffect, useRef, useState } from "preact/hooks";

import { ApiError, said } from "../../api/http";
import { at, go } from "../../router";
import { askById } from "../../stores/confirmations";
import { toast } from "../../stores/toasts";
import { Badge, Button, Card, CopyButton, Problem, save, Spinner } from "../../ui/kit";
import { Markdown } from "../../ui/markdown";
import { ago, duration, fullTime } from "../../ui/time";
import { isOver, resume, stop, type Evidence, type Kind, type Run, type RunSummary } from "./api";
import { RunSteps } from "./steps";
import { useRun } from "./watch";

export const STATUS: Record<RunSummary["status"], { said: string; kind: "plain" | "good" | "bad" | "warn" | "accent" }> = {
  queued: { said: "waiting to begin", kind: "plain" },
  running: { said: "running", kind: "accent" },
  succeeded: { said: "done", kind: "good" },
  failed: { said: "failed", kind: "bad" },
  cancelled: { said: "stopped", kind: "warn" },
  unknown: { said: "cut short", kind: "warn" },
};

export function RunBadge({ run }: { run: RunSummary }) {
  if (run.waits) return <Badge kind="warn">waits for you</Badge>;
  const { said: words, kind } = STATUS[run.status];
  return <Badge kind={kind}>{words}</Badge>;
}

export function RunCard({ kind, name, task, onOver, tour }: {
  kind: Kind; name: string; task: string; onOver: () => void; tour: string;
}) {
  const { run, error, look } = useRun(kind, name, task, onOver);
  const top = useRef<HTMLDivElement>(null);
  // The form is above and the list of runs below: whoever chooses a run wants to see it.
  useEffect(() => top.current?.scrollIntoView({ block: "start" }), [task, !run]);
  if (!run) {
    return (
      <div ref={top} class="flow-run"><Card title="Run" tour={tour}>
        {error ? <Problem error={error} retry={look} /> : <div class="loading"><Spinner label="Loading the run" /></div>}
      </Card></div>
    );
  }
  return (
    <div ref={top} class="flow-run"><Card title="Run" tour={tour} actions={<Acts kind={kind} run={run} look={look} />}>
      {error ? <Problem error={error} retry={look} /> : null}
      <Head run={run} />
      {run.input ? <Input text={run.input} /> : null}
      <RunSteps kind={kind} run={run} />
      <Ending kind={kind} run={run} />
    </Card></div>
  );
}

function Head({ run }: { run: Run }) {
  const over = isOver(run);
  const taken = run.finished_at && run.started_at ? duration((run.finished_at - run.started_at) * 1000) : "";
  const words = over ? STATUS[run.status].said : run.cancel_requested ? "Stopping…" : run.message ?? "Waiting to begin";
  return (
    <div class="flow-head">
      <p class="row">
        <RunBadge run={run} />
        <span title={fullTime(run.created_at)}>{ago(run.created_at)}</span>
        {taken ? <span class="muted">took <span class="number">{taken}</span></span> : null}
        {run.attempts > 1 ? <Badge>begun {run.attempts} times</Badge> : null}
        {run.resumed_from ? <Badge>goes on from an earlier run</Badge> : null}
      </p>
      {over ? null : (
        <progress class="flow-bar" max={1} value={run.fraction ?? undefined} aria-label="How far it is" />
      )}
      {/* Said aloud once for each change: the step in words, then how it ended. */}
      <p class={over ? "hidden-visually" : "hint"} role="status">{over ? `The run is over: ${words}.` : words}</p>
    </div>
  );
}

function Input({ text }: { text: string }) {
  const short = text.length <= 160 && !text.includes("\n");
  if (short) return <p class="flow-asked">{text}</p>;
  return <details class="flow-asked"><summary>What it was told ({text.length.toLocaleString()} characters)</summary><pre>{text}</pre></details>;
}

function Acts({ kind, run, look }: { kind: Kind; run: Run; look: () => void }) {
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
  const goOn = () => act(async () => {
    if (run.waiting) {
      const { outcome } = await askById(run.waiting.confirmation_request.id, run.session_id);
      if (outcome === "denied") return;
    }
    const { task_id, reused, warnings } = await resume(kind, run.name, run.task_id);
    toast(reused.length ? `It goes on. ${reused.length} finished ${reused.length === 1 ? "step is" : "steps are"} not run again.` : "It goes on from the beginning.", { kind: "good" });
    for (const words of warnings) toast(words, { kind: "bad" });
    go(at(kind, [run.name, task_id]));
  });
  if (!isOver(run)) {
    return <Button kind="danger" icon="stop" busy={busy || run.cancel_requested} onClick={() => act(async () => { await stop(run.task_id); })}>Stop it</Button>;
  }
  return (
    <>
      {run.can_resume ? <Button kind="primary" icon="play" busy={busy} onClick={goOn}>{run.waiting ? "Answer and go on" : "Resume"}</Button> : null}
      {run.text ? <CopyButton text={run.text} label="Copy the result" /> : null}
      {run.text ? <Button kind="quiet" icon="download" onClick={() => save(`${run.name}.md`, run.text!, "text/markdown")}>Download</Button> : null}
    </>
  );
}

function Ending({ kind, run }: { kind: Kind; run: Run }) {
  if (!isOver(run)) return null;
  return (
    <div class="stack">
      {run.error ? <Problem error={new Error(explained(run, kind))} /> : null}
      {run.text ? (
        <section class="flow-result" aria-label="Result">
          <div class="row">
            <h3>Result</h3>
            {run.by ? <Badge>{run.by === "model" ? "written by a model" : "put together by rules"}</Badge> : null}
          </div>
          {run.note ? <p class="hint">{run.note}</p> : null}
          <Markdown text={cited(run.text, run.evidence)} />
        </section>
      ) : null}
      {run.evidence.length ? <Sources evidence={run.evidence} /> : null}
    </div>
  );
}

function explained(run: Run, kind: Kind): string {
  const noun = kind === "workflows" ? "workflow" : "agent";
  if (run.status === "cancelled") return "It was stopped. Steps that were finished are kept for a week: Resume goes on after them.";
  if (run.error_type === "VALIDATION") return `${run.error} Change what you tell the ${noun}, and run it again.`;
  return run.can_resume ? `${run.error} When that is mended, Resume goes on after the finished steps.` : run.error!;
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
    <section aria-label="What it used">
      <h3>What it used</h3>
      <ul class="flow-sources">
        {evidence.map((one) => {
          const address = recordAddress(one);
          return (
            <li key={`${one.database_id}/${one.id}`}>
              {address ? <a href={address}>{one.title}</a> : <span>{one.title}</span>}
              <small class="muted"> {one.id}{one.database_id ? ` in ${one.database_id}` : ""} · {one.tool}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
