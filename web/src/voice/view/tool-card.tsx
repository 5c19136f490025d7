/** One call of a tool: a line that says what came of it, and everything else when it is opened. */
import { useState } from "preact/hooks";

import { t } from "../../i18n";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Json, Spinner } from "../../ui/kit";
import { Readable } from "../../ui/readable";
import { duration } from "../../ui/time";
import type { Decision } from "../messages";
import type { ToolEntry, ToolOutcome } from "../transcript";
import { argsInWords, resultInWords } from "./summary";

export function ToolCard({ entry }: { entry: ToolEntry }) {
  const [open, set] = useState(false);
  const outcome = entry.outcome.value;
  return (
    <details class={`tool-card ${outcome && !outcome.ok && !isOpen(outcome) ? "failed" : ""}`}
      onToggle={(event) => { if (event.target === event.currentTarget) set(event.currentTarget.open); }}>
      <summary>
        {outcome ? <Icon name={outcome.ok || isOpen(outcome) ? "tool" : "warn"} size={16} /> : <Spinner label={t("Running")} />}
        <span class="tool-name">{entry.name}</span>
        <span class="tool-line">
          {argsInWords(entry.args)}
          {outcome ? <span class="tool-result">{resultInWords(outcome)}</span> : null}
        </span>
        <Marks decision={entry.decision} outcome={outcome} />
        {outcome?.durationMs != null ? <span class="tool-time number">{duration(outcome.durationMs)}</span> : null}
      </summary>
      {open ? <Details entry={entry} outcome={outcome} /> : null}
    </details>
  );
}

/** The person was asked, and has not answered or said no: nothing went wrong. */
const isOpen = ({ errorType }: ToolOutcome): boolean => errorType === "CONFIRMATION_REQUIRED" || errorType === "CANCELLED";

function Marks({ decision, outcome }: { decision: Decision | null; outcome: ToolOutcome | null }) {
  return (
    <>
      {decision?.outcome === "refuse" ? <Badge kind="bad">{t("refused")}</Badge> : null}
      {decision?.outcome === "confirm" ? <Badge>{t("asked you")}</Badge> : null}
      {outcome?.replayed || decision?.outcome === "replay" ? <Badge kind="accent">{t("replayed")}</Badge> : null}
    </>
  );
}

const OUTCOMES: Record<string, string> = {
  run: t("allowed to run"),
  replay: t("answered from the record, not run again"),
  wait: t("waited for the same call, which was already running"),
  recover: t("looked up after an interruption"),
  confirm: t("waiting for a person's approval"),
  refuse: t("refused"),
};

function Details({ entry, outcome }: { entry: ToolEntry; outcome: ToolOutcome | null }) {
  const { decision } = entry;
  const took = outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : "";
  return (
    <div class="tool-details">
      <dl>
        {decision ? <Line name={t("Decision")}>{OUTCOMES[decision.outcome] ?? decision.outcome}</Line> : null}
        {decision?.rule ? <Line name={t("Rule")}><code>{decision.rule}</code></Line> : null}
        <Line name={t("Ran")}>{entry.here ? t("in this browser") : t("on the server")}{took}</Line>
        {outcome?.errorType ? <Line name={t("Error")}><code>{outcome.errorType}</code> {outcome.error}</Line> : null}
        <Line name={t("Tool")}><a href={at("tools", [entry.name])}>{entry.name}</a></Line>
      </dl>
      <p class="tool-part">{t("Arguments")}</p>
      <Json value={entry.args} label={t("Arguments of {tool}", { tool: entry.name })} />
      {outcome?.ok ? <><p class="tool-part">{t("Result")}</p><div class="tool-result-box"><Readable value={outcome.result} /></div></> : null}
      {outcome ? (
        <details class="tool-raw">
          <summary>{t("Result as JSON")}</summary>
          <Json value={outcome.result} label={t("Result of {tool}", { tool: entry.name })} />
        </details>
      ) : null}
    </div>
  );
}

function Line({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}
