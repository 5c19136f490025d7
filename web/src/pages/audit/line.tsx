import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { ruleAbout, useRules } from "../../api/rules";
import { at } from "../../router";
import { Dialog } from "../../ui/dialog";
import { GateList } from "../../ui/gates";
import { Button, CopyButton, Json, Shown } from "../../ui/kit";
import { duration, fullTime } from "../../ui/time";
import { lineInWords, type Line, type LineInFull } from "./shapes";

export function LineDialog({ seq, onShow, onClose }: { seq: number; onShow: (seq: number) => void; onClose: () => void }) {
  const found = useLoad((signal) => get<LineInFull>(`/api/audit/${seq}`, { signal }), [seq]);
  const rules = useRules().data;
  return (
    <Dialog title={`Line ${seq}`} onClose={onClose} class="audit-dialog">
      <Shown of={found}>
        {({ line, gates, newest }) => (
          <>
            <p><strong>{lineInWords(line)}</strong> {line.rule && line.rule !== "run" ? <span class="muted">{ruleAbout(rules, line.rule)}</span> : null}</p>
            <Facts line={line} />
            {gates.length ? (
              <div class="audit-call">
                <div><h3>Gates</h3><GateList gates={gates} rules={rules} /></div>
                <div><h3>Arguments</h3><Json value={line.args ?? null} label="Arguments" /></div>
              </div>
            ) : null}
            <details open={!gates.length}><summary>The line as it is kept</summary><Json value={line} label={`Line ${seq} as JSON`} /></details>
            <p class="hint audit-hash">Its hash <code>{line.hash}</code> is over this line and the hash before it, <code>{line.prev}</code>.</p>
            <div class="row">
              <Button disabled={seq <= 1} onClick={() => onShow(seq - 1)}>Line {Math.max(1, seq - 1)}</Button>
              <Button disabled={seq >= newest} onClick={() => onShow(seq + 1)}>Line {seq + 1}</Button>
              <span class="spring" />
              <CopyButton text={() => JSON.stringify(line, null, 2)} label="Copy JSON" />
            </div>
          </>
        )}
      </Shown>
    </Dialog>
  );
}

function Facts({ line }: { line: Line }) {
  return (
    <dl class="audit-facts">
      <div><dt>When</dt><dd>{fullTime(line.at)}</dd></div>
      {line.sessionId ? <div><dt>Session</dt><dd><a href={at("sessions", [line.sessionId], { line: String(line.seq) })}>{line.sessionId}</a>{line.turnId ? `, turn ${line.turnId}` : ""}</dd></div> : null}
      {line.toolId ? <div><dt>Tool</dt><dd><a href={at("tools", [line.toolId])}>{line.toolId}</a> {String(line["toolVersion"] ?? "")}</dd></div> : null}
      {line.user ? <div><dt>User</dt><dd>{line.user}{line.mode ? `, ${line.mode}` : ""}</dd></div> : null}
      {line.rule ? <div><dt>Rule</dt><dd><a href={at("audit", [], { rule: line.rule })}>{line.rule}</a></dd></div> : null}
      {typeof line.duration === "number" ? <div><dt>Took</dt><dd>{duration(line.duration)}</dd></div> : null}
    </dl>
  );
}
