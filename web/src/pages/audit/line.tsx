import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { ruleAbout, useRules } from "../../api/rules";
import { t } from "../../i18n";
import { at } from "../../router";
import { GateList } from "../../ui/gates";
import { CallMenu } from "../../ui/call-menu";
import { CopyButton, Json, Shown } from "../../ui/kit";
import { isRecord } from "../../ui/readable";
import { duration, fullTime } from "../../ui/time";
import { lineInWords, type Line, type LineInFull } from "./shapes";

export function LineDetail({ seq }: { seq: number }) {
  const found = useLoad((signal) => get<LineInFull>(`/api/audit/${seq}`, { signal }), [seq]);
  const rules = useRules().data;
  return (
    <Shown of={found}>
      {({ line, gates }) => (
        <>
          <p><strong>{lineInWords(line)}</strong> {line.rule && line.rule !== "run" ? <span class="muted">{ruleAbout(rules, line.rule)}</span> : null}</p>
          <Facts line={line} />
          {gates.length ? (
            <>
              <h3>{t("Arguments")}</h3>
              <Json value={line.args ?? null} label={t("Arguments")} />
              <h3>{t("Gates")}</h3>
              <GateList gates={gates} rules={rules} />
            </>
          ) : null}
          <details open={!gates.length}>
            <summary>{t("Stored line")}</summary>
            <Json value={line} label={t("Line {number} as JSON", { number: String(line.seq) })} />
            <p class="hint audit-hash">{t("The hash covers this line and the hash of the line before it.")}</p>
          </details>
          {line.toolId && isRecord(line.args) ? <CallMenu call={{ tool: line.toolId, args: line.args, mode: line.mode === "voice" ? "voice" : "text" }} /> : null}
          <div class="row"><CopyButton text={() => JSON.stringify(line, null, 2)} label={t("Copy JSON")} /></div>
        </>
      )}
    </Shown>
  );
}

function Facts({ line }: { line: Line }) {
  return (
    <dl class="facts">
      <div><dt>{t("Time")}</dt><dd>{fullTime(line.at)}</dd></div>
      {line.sessionId ? <div><dt>{t("Session")}</dt><dd><a href={at("sessions", [line.sessionId], { line: String(line.seq) })} title={line.sessionId}>{line.sessionId.slice(0, 12)}</a>{line.turnId ? `, ${t("turn {number}", { number: line.turnId })}` : ""}</dd></div> : null}
      {line.toolId ? <div><dt>{t("Tool")}</dt><dd><a href={at("tools", [line.toolId])}>{line.toolId}</a> {String(line["toolVersion"] ?? "")}</dd></div> : null}
      {line.user ? <div><dt>{t("User")}</dt><dd>{line.user}</dd></div> : null}
      {line.mode ? <div><dt>{t("Mode")}</dt><dd>{line.mode === "voice" ? t("Voice") : t("Text")}</dd></div> : null}
      {line.rule ? <div><dt>{t("Rule")}</dt><dd><a href={at("audit", [], { rule: line.rule })}>{line.rule}</a></dd></div> : null}
      {typeof line.duration === "number" ? <div><dt>{t("Duration")}</dt><dd>{duration(line.duration)}</dd></div> : null}
    </dl>
  );
}
