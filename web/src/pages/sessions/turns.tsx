import { useEffect, useRef } from "preact/hooks";

import { useRules, type Rules } from "../../api/rules";
import { t } from "../../i18n";
import { at, route } from "../../router";
import { CallMenu } from "../../ui/call-menu";
import { GateList, GateStrip } from "../../ui/gates";
import { Icon } from "../../ui/icons";
import { Badge, Json } from "../../ui/kit";
import { isRecord } from "../../ui/readable";
import { clockTime, duration, fullTime } from "../../ui/time";
import { Figure } from "../../voice/view/figure";
import "../../voice/view/view.css";
import { Origins } from "./origins";
import { marksOf, noteInWords, verdictOf, type CallMade, type Entry, type Said, type Session, type Turn } from "./shapes";

/** `under` is the number of the turn that goes on right now. */
export function Turns({ turns, session, under }: { turns: Turn[]; session: Pick<Session, "id" | "mode">; under: number | null }) {
  const rules = useRules().data;
  const line = Number(route.value.query.get("line") ?? 0);
  return (
    <ol class="sessions-turns">
      {turns.map((turn) => (
        <li key={turn.number}><OneTurn turn={turn} session={session} rules={rules} line={line} goesOn={turn.number === under} /></li>
      ))}
    </ol>
  );
}

function OneTurn({ turn, session, rules, line, goesOn }: {
  turn: Turn; session: Pick<Session, "id" | "mode">; rules: Rules | null; line: number; goesOn: boolean;
}) {
  const marks = marksOf(turn);
  const heading = `turn-${turn.number}`;
  return (
    <section class="sessions-turn" aria-labelledby={heading}>
      <header class="row">
        <h3 id={heading}>{t("Turn {number}", { number: turn.number })}</h3>
        <time class="muted number" title={fullTime(turn.started_at)}>{clockTime(turn.started_at)}</time>
        {turn.finish && turn.finish !== "complete" ? <Badge kind="warn">{turn.finish.replaceAll("_", " ")}</Badge> : null}
        {goesOn && turn.finish === null ? <Badge kind="good">{t("in progress")}</Badge> : null}
        {marks.map((mark) => (
          <span key={mark.name} class="sessions-mark" data-mark={mark.name}><Icon name="clock" size={13} />{mark.title} <b class="number">{mark.value}</b></span>
        ))}
        {turn.tokens ? <span class="sessions-mark">{t("{input} tokens in, {output} out", { input: turn.tokens.input, output: turn.tokens.output })}</span> : null}
        {turn.finish !== null ? <a class="sessions-mark" href={at("traces", [session.id, String(turn.number)])}>{t("Trace")}</a> : null}
      </header>
      <ol class="sessions-entries">
        {turn.entries.map((entry, index) => (
          <li key={entry.kind === "said" ? `said-${index}` : entry.seq} class={`is-${entry.kind}`}>
            <OneEntry entry={entry} session={session} rules={rules} open={entry.kind === "call" && entry.seq === line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function OneEntry({ entry, session, rules, open }: { entry: Entry; session: Pick<Session, "id" | "mode">; rules: Rules | null; open: boolean }) {
  if (entry.kind === "said") return <Words said={entry} />;
  if (entry.kind === "image") return <Figure {...entry} />;
  if (entry.kind === "call") return <Call call={entry} session={session} rules={rules} open={open} />;
  return <p class="sessions-note"><Icon name="info" size={14} /> {noteInWords(entry)} <time class="number">{clockTime(entry.at)}</time></p>;
}

const WHO = { user: t("Person"), assistant: t("Agent"), system: t("Note to the agent") };

function Words({ said }: { said: Said }) {
  const heard = said.heard ?? said.text.length;
  const words = (
    <p class="sessions-words">{said.text.slice(0, heard)}{heard < said.text.length ? <span class="muted" title={t("Shown, but not heard")}>{said.text.slice(heard)}</span> : null}</p>
  );
  return (
    <div class={`sessions-said by-${said.role}`}>
      <p class="sessions-who">
        <Icon name={said.channel === "voice" ? "mic" : "edit"} size={13} />
        <b>{WHO[said.role]}</b> <span>{said.channel === "voice" ? t("by voice") : t("in writing")}</span> <time class="number">{clockTime(said.at)}</time>
      </p>
      {said.role === "system" ? <details><summary>{t("Results of earlier calls")}</summary>{words}</details> : words}
    </div>
  );
}

function Call({ call, session, rules, open }: { call: CallMade; session: Pick<Session, "id" | "mode">; rules: Rules | null; open: boolean }) {
  const box = useRef<HTMLDetailsElement>(null);
  const { word, kind } = verdictOf(call);
  useEffect(() => {
    if (!open || !rules) return; // the gates are part of its height
    box.current!.open = true;
    box.current!.scrollIntoView({ block: "start" });
  }, [open, rules]);
  const message = call.answer?.error?.message;
  return (
    <details class={`sessions-call is-${kind}`} ref={box}>
      <summary>
        <span class="row">
          <Icon name="tool" size={15} /><code class="sessions-tool">{call.tool || t("(no name)")}</code>
          <Badge kind={kind}>{word}</Badge>
          {call.rule && call.rule !== "run" ? <code>{call.rule}</code> : null}
          {call.error_type && call.decision === "run" ? <code>{call.error_type}</code> : null}
          {call.source === "tool" ? <span class="hint">{t("called by another tool")}</span> : null}
          {call.source === "confirmation" ? <span class="hint">{t("approved")}</span> : null}
          <span class="spring" />
          {call.duration !== null ? <span class="number muted">{duration(call.duration)}</span> : null}
          <time class="number muted">{clockTime(call.at)}</time>
        </span>
        <GateStrip gates={call.gates} rules={rules} />
        {message ? <span class="sessions-why">{message}</span> : null}
      </summary>
      <div class="sessions-inside">
        <div>
          <h4>{t("Gates")}</h4>
          {call.gates.length ? <GateList gates={call.gates} rules={rules} /> : <p class="hint">{t("A background task. It was decided when it was requested.")}</p>}
        </div>
        <div>
          <h4>{t("Arguments")}</h4>
          <Json value={call.args} label={t("Arguments")} />
          {call.origins ? <Origins origins={call.origins} /> : null}
          <h4>{t("Result")}</h4>
          {call.answer ? <Json value={call.answer} label={t("Result")} /> : (
            <p class="hint">{call.answer_chars
              ? t("Too long to show here: {count} characters.", { count: call.answer_chars })
              : t("The audit keeps no results. Those of a conversation are kept with it.")}</p>
          )}
          {isRecord(call.args) ? <CallMenu call={{ tool: call.tool, args: call.args, mode: session.mode }} /> : null}
          <p class="row hint">
            <a href={at("audit", [], { session: session.id, line: String(call.seq) })}>{t("Audit line {number}", { number: String(call.seq) })}</a>
            <a href={at("tools", [call.tool])}>{t("About {tool}", { tool: call.tool })}</a>
            {call.tool_version ? <span>{t("version {version}", { version: call.tool_version })}</span> : null}
          </p>
        </div>
      </div>
    </details>
  );
}
