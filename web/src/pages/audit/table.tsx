import { useEffect, useRef } from "preact/hooks";

import { t } from "../../i18n";
import { at } from "../../router";
import { Badge } from "../../ui/kit";
import { clockTime, duration, fullTime } from "../../ui/time";
import { decisionInWords, eventInWords, writeView, type Line, type View } from "./shapes";

const KINDS: Record<string, "good" | "bad" | "warn" | "accent" | "plain"> = {
  run: "good", recover: "good", refuse: "bad", confirm: "warn", replay: "accent",
};

export function Table({ lines, view }: { lines: Line[]; view: View }) {
  const today = new Date().toDateString();
  return (
    <div class="table-box audit-box">
      <table class="audit-table">
        <caption class="hidden-visually">{t("Audit lines. Select a line number to open it.")}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">{t("Line")}</th><th scope="col" class="number audit-wide audit-time">{t("Time")}</th><th scope="col" class="audit-wide">{t("Event")}</th>
            <th scope="col">{t("Tool")}</th><th scope="col">{t("Decision")}</th><th scope="col" class="audit-wide">{t("Error")}</th>
            <th scope="col" class="number audit-wide">{t("Duration")}</th><th scope="col" class="audit-wide">{t("Session")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => <Row key={line.seq} line={line} view={view} today={today} />)}
        </tbody>
      </table>
    </div>
  );
}

function Row({ line, view, today }: { line: Line; view: View; today: string }) {
  const time = new Date(line.at * 1000).toDateString() === today ? clockTime(line.at) : fullTime(line.at);
  const failed = line.decision === "run" && line.ok === false;
  const here = view.line === line.seq;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (here) row.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <tr ref={row} class={here ? "is-open" : ""} aria-current={here ? "true" : undefined}>
      <td class="number">
        <a class="audit-open" href={at("audit", [], writeView({ ...view, line: line.seq }))} aria-label={t("Line {number}", { number: String(line.seq) })}>{line.seq}</a>
      </td>
      <td class="number audit-wide audit-time" title={fullTime(line.at)}>{time}</td>
      <td class="audit-wide">{eventInWords(line.event)}</td>
      <td class="audit-tool">
        {line.toolId ? <code>{line.toolId}</code> : <span class="muted audit-event">{eventInWords(line.event)}</span>}
        <small class="muted number audit-narrow">{time}</small>
      </td>
      <td>
        {line.decision ? <Badge kind={failed ? "bad" : (KINDS[line.decision] ?? "plain")}>{failed ? t("Failed") : decisionInWords(line.decision)}</Badge> : null}
        {line.rule && line.rule !== line.decision ? <> <code>{line.rule}</code></> : null}
      </td>
      <td class="audit-wide">{line.errorType ? <code>{line.errorType}</code> : null}</td>
      <td class="number audit-wide">{typeof line.duration === "number" ? duration(line.duration) : ""}</td>
      <td class="audit-wide audit-session">
        {line.sessionId ? <a href={at("sessions", [line.sessionId], { line: String(line.seq) })}>{line.sessionId.slice(0, 12)}</a> : null}
        {line.turnId ? <span class="muted"> {t("turn {number}", { number: line.turnId })}</span> : null}
      </td>
    </tr>
  );
}
