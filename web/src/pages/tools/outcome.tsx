/** What came of a try: the decision, the advice, and the result as people and as programs read it. */
import { useEffect, useState } from "preact/hooks";

import { get, said } from "../../api/http";
import { rich, t } from "../../i18n";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Button, CopyButton, Json, Tabs } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { brief } from "../../ui/schema-form/schema";
import { duration } from "../../ui/time";
import type { Envelope } from "./api";
import { decide, isEnvelope, type Try } from "./tries";
import { adviceFor, ruleInWords } from "./words";

/** In one word how it stands. */
export function standing({ state, envelope, problem, answered, line }: Try): { word: string; kind: "good" | "bad" | "warn" | "plain" } {
  if (state === "running") return { word: "running", kind: "plain" };
  if (state === "waiting") return { word: t("waiting for you"), kind: "warn" };
  if (problem) return { word: t("no answer"), kind: "bad" };
  if (envelope?.meta.replayed) return { word: "replayed", kind: "plain" };
  if (envelope?.ok) return { word: "done", kind: "good" };
  if (answered && answered !== "approved") return { word: answered, kind: "warn" };
  return line?.decision === "refuse" ? { word: "refused", kind: "warn" } : { word: "failed", kind: "bad" };
}

export function Outcome({ tried }: { tried: Try }) {
  const [form, choose] = useState<"readable" | "json">("readable");
  const { envelope, problem, line, state } = tried;
  const { word, kind } = standing(tried);
  return (
    <section class="tools-outcome" aria-label={t("Result")}>
      <div class="row" role="status">
        <Badge kind={kind}>{word}</Badge>
        {envelope?.error ? <code>{envelope.error.type}</code> : null}
        {envelope && state !== "waiting" ? <span class="muted number">{duration(envelope.meta.duration)}</span> : null}
        {tried.status ? <span class="muted">HTTP {tried.status}</span> : null}
        {line?.decision ? (
          <span class="muted">{rich("decision {decision}, rule {rule}", { decision: <code>{line.decision}</code>, rule: <code>{line.rule}</code> })}{ruleInWords(line.rule ?? "") ? `: ${ruleInWords(line.rule ?? "")}` : ""}</span>
        ) : null}
      </div>
      {problem ? <p class="wrong" role="alert">{problem}</p> : null}
      {tried.here ? <p class="hint">{t("This browser ran it directly, so it passed no gates and is not in the audit. An agent asks the server first.")}</p> : null}
      {envelope?.meta.replayed ? (
        <p class="hint">{envelope.meta.originalTurn != null ? t("Stored result of turn {turn}; nothing ran again.", { turn: envelope.meta.originalTurn }) : t("Stored result of an earlier call; nothing ran again.")}</p>
      ) : null}
      {envelope?.meta.budget ? <BudgetNote budget={envelope.meta.budget} /> : null}
      {envelope?.error ? <Failure tried={tried} error={envelope.error} /> : null}
      {envelope ? (
        <>
          <Tabs label={t("Result format")} chosen={form} onChoose={choose}
            tabs={[{ id: "readable", title: t("Readable") }, { id: "json", title: t("Envelope") }]} />
          {form === "json" ? (
            <div class="stack"><Json value={envelope} label={t("Envelope")} /><CopyButton text={() => JSON.stringify(envelope, null, 2)} /></div>
          ) : envelope.ok ? <Data envelope={envelope} /> : <p class="muted">{t("There is no result to show. The envelope has all details.")}</p>}
        </>
      ) : null}
      <p class="hint tools-key">{rich("Key {key}", { key: <code>{tried.key}</code> })}
        {line ? <> · <a href={at("audit", [], { line: String(line.seq) })}>{t("audit line {seq}", { seq: line.seq })}</a></> : null}</p>
    </section>
  );
}

function BudgetNote({ budget }: { budget: NonNullable<Envelope["meta"]["budget"]> }) {
  const { warning, clamped, ...more } = budget;
  return (
    <p class="hint"><Icon name="clock" size={14} />{" "}
      {clamped !== undefined ? `${t("Reduced to what the mode allows: {values}.", { values: brief(clamped, 80) })} ` : ""}
      {warning ?? ""} {Object.keys(more).length ? brief(more, 80) : ""}</p>
  );
}

function Failure({ tried, error }: { tried: Try; error: NonNullable<Envelope["error"]> }) {
  const { title, advice } = adviceFor(error.type);
  const waits = error.confirmation_request;
  return (
    <div class={`tools-failure ${waits ? "is-waiting" : ""}`}>
      <p><strong>{title}.</strong> {error.message}</p>
      <p class="hint">{advice}{error.suggestion ? ` ${error.suggestion}` : ""}
        {error.retryAfter ? ` ${t("You can retry in {seconds} s.", { seconds: Math.ceil(error.retryAfter) })}` : ""}
        {error.partialSideEffects ? ` ${t("Part of it may have taken effect.")}` : ""}</p>
      {error.nearest?.length ? <p class="hint">{rich("Closest: {names}", { names: error.nearest.map((name) => <a key={name} href={at("tools", [name])}>{name} </a>) })}</p> : null}
      {waits && tried.state === "waiting" ? (
        <>
          <blockquote>{waits.preview}</blockquote>
          <Button kind="primary" icon="shield" onClick={() => void decide(tried.id, waits.id)}>{t("Review and decide")}</Button>
        </>
      ) : null}
    </div>
  );
}

function Data({ envelope }: { envelope: Envelope }) {
  const task = envelope.data?.["task_id"];
  return (
    <>
      <Readable value={envelope.data} />
      {envelope.intents.length ? <p class="hint">{t("Requests to the session: {list}.", { list: envelope.intents.map((each) => each.type).join(", ") })}</p> : null}
      {typeof task === "string" ? <Task id={task} /> : null}
    </>
  );
}

interface TaskState {
  status: string;
  progress: { message?: string; fraction?: number | null } | null;
  result: unknown;
}

const LOOK_MS = 700;

/** Work in the background, until it is over. */
function Task({ id }: { id: string }) {
  const [task, set] = useState<TaskState | null>(null);
  const [problem, fail] = useState("");
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        const now = await get<TaskState>(`/api/tasks/${encodeURIComponent(id)}`, { signal: leave.signal });
        set(now);
        if (["queued", "running"].includes(now.status)) timer = setTimeout(look, LOOK_MS);
      } catch (error) {
        if (!leave.signal.aborted) fail(said(error));
      }
    };
    void look();
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [id]);
  if (problem) return <p class="wrong" role="alert">{problem}</p>;
  const result = task?.result;
  return (
    <div class="tools-task" role="status">
      <p><strong>{t("In the background:")}</strong> {task ? task.status : t("checking…")}{task?.progress?.message ? `: ${task.progress.message}` : ""}</p>
      {task && !task.result ? <progress aria-label={t("Task progress")} max={1} {...(task.progress?.fraction != null ? { value: task.progress.fraction } : {})} /> : null}
      {isEnvelope(result) ? (result.ok ? <Readable value={result.data} /> : <p class="wrong">{result.error?.message}</p>) : null}
    </div>
  );
}
