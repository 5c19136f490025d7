/** One call of a tool: a line that says what came of it, and everything else when it is opened. */
import { useState } from "preact/hooks";

import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Json, Spinner } from "../../ui/kit";
import { duration } from "../../ui/time";
import type { Decision } from "../messages";
import type { ToolEntry, ToolOutcome } from "../transcript";
import { Figure, pictureIn } from "./figure";
import { argsInWords, resultInWords } from "./summary";

export function ToolCard({ entry }: { entry: ToolEntry }) {
  const [open, set] = useState(false);
  const outcome = entry.outcome.value;
  const picture = outcome?.ok && entry.name !== "send_image" ? pictureIn(outcome.result) : null;
  return (
    <>
    <details class={`tool-card ${outcome && !outcome.ok ? "failed" : ""}`} data-tour="chat-tool-card"
      onToggle={(event) => set(event.currentTarget.open)}>
      <summary>
        {outcome ? <Icon name={outcome.ok ? "tool" : "warn"} size={16} /> : <Spinner label="Running" />}
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
    {picture ? <Figure {...picture} alt={picture.alt || argsInWords(entry.args)} /> : null}
    </>
  );
}

function Marks({ decision, outcome }: { decision: Decision | null; outcome: ToolOutcome | null }) {
  return (
    <>
      {decision?.outcome === "refuse" ? <Badge kind="bad">refused</Badge> : null}
      {decision?.outcome === "confirm" ? <Badge kind="warn">asked you</Badge> : null}
      {outcome?.replayed || decision?.outcome === "replay" ? <Badge kind="accent">replayed</Badge> : null}
    </>
  );
}

const OUTCOMES: Record<string, string> = {
  run: "allowed to run",
  replay: "answered from before, not run again",
  wait: "waited for the same call that was under way",
  recover: "looked up after an interruption",
  confirm: "held back until a person answers",
  refuse: "refused",
};

function Details({ entry, outcome }: { entry: ToolEntry; outcome: ToolOutcome | null }) {
  const { decision } = entry;
  return (
    <div class="tool-details">
      <dl>
        {decision ? <Line name="Decision">{OUTCOMES[decision.outcome] ?? decision.outcome}</Line> : null}
        {decision?.rule ? <Line name="Rule"><code>{decision.rule}</code></Line> : null}
        <Line name="Ran">{entry.here ? "in this browser" : "on the server"}{outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : ""}</Line>
        {outcome?.errorType ? <Line name="Error"><code>{outcome.errorType}</code> {outcome.error}</Line> : null}
        <Line name="Tool"><a href={at("tools", [entry.name])}>{entry.name}</a></Line>
      </dl>
      <p class="tool-part">Arguments</p>
      <Json value={entry.args} label={`Arguments of ${entry.name}`} />
      {outcome ? <><p class="tool-part">Result</p><Json value={outcome.result} label={`Result of ${entry.name}`} /></> : null}
    </div>
  );
}

function Line({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}
