import { useEffect, useRef, useState } from "preact/hooks";

import { post, said } from "../../api/http";
import { useRules } from "../../api/rules";
import { at } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Button, Field, Problem, Switch } from "../../ui/kit";
import { policyOf } from "./shapes";

interface Decided {
  decision: string;
  rule: string;
  message: string | null;
}

interface Report {
  registry_version: string;
  from_seq: number | null;
  to_seq: number | null;
  compared: number;
  sessions: number;
  different: number;
  changes: { recorded: string; now: string; count: number }[];
  assumed: Record<string, number>;
  differences: { seq: number; toolId: string; sessionId: string; recorded: Decided; now: Decided }[];
}

const SHOWN = 100;
// Numbers that no decision goes by.
const WITHOUT = /tool_time_ms|top_k|history_turns|confirmation_seconds/;

/** What today's tools and policy, or other numbers for it, would decide of recorded calls. */
export function Replay({ session, onClose }: { session: string; onClose: () => void }) {
  const rules = useRules().data;
  const [last, choose] = useState("2000");
  const [only, setOnly] = useState(Boolean(session));
  const [typed, type] = useState<Record<string, string>>({});
  const [busy, work] = useState(false);
  const [report, tell] = useState<Report | null>(null);
  const [error, fail] = useState<unknown>(null);
  const { policy, wrong } = policyOf(typed);
  const run = async () => {
    work(true);
    fail(null);
    try {
      tell(await post<Report>("/api/audit/replay", { last: Number(last), policy, ...(only && session ? { session } : {}) }));
    } catch (problem) {
      fail(new Error(said(problem)));
    }
    work(false);
  };
  return (
    <Dialog title="Replay" onClose={onClose} class="audit-dialog">
      <p>Recorded calls are decided anew, by the tools and numbers of today or by the ones below. Nothing is run, and nothing is written down.</p>
      <Field label="How much">
        {(field) => (
          <select {...field} value={last} onChange={(event) => choose(event.currentTarget.value)}>
            {["500", "2000", "10000", "20000"].map((count) => <option key={count} value={count}>The last {Number(count).toLocaleString()} lines</option>)}
          </select>
        )}
      </Field>
      {session ? <Switch label="Only the session that is filtered by" checked={only} onChange={setOnly} /> : null}
      <details class="audit-numbers">
        <summary>With other numbers</summary>
        <p class="hint">Empty is as it is now; “none” is no limit.</p>
        <div class="audit-policy">
          {Object.entries(rules?.policy ?? {}).filter(([name]) => !WITHOUT.test(name)).map(([name, value]) => (
            <Field key={name} label={name} error={wrong[name]}>
              {(field) => (
                <input {...field} type="text" inputMode="decimal" placeholder={value === null ? "none" : String(value)} value={typed[name] ?? ""}
                  onInput={(event) => { const { value } = event.currentTarget; type((before) => ({ ...before, [name]: value })); }} />
              )}
            </Field>
          ))}
        </div>
      </details>
      <div class="row">
        <Button kind="primary" icon="play" busy={busy} disabled={Object.keys(wrong).length > 0} onClick={run}>Decide them anew</Button>
        <Button onClick={onClose}>Close</Button>
      </div>
      {error ? <Problem error={error} retry={run} /> : null}
      <div role="status">{report ? <Found report={report} /> : null}</div>
    </Dialog>
  );
}

function Found({ report }: { report: Report }) {
  const { compared, different, sessions, differences } = report;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "start" }), [report]);
  const assumed = Object.entries(report.assumed);
  if (!compared) return <p>There are no decisions among those lines.</p>;
  return (
    <div class="stack" ref={box}>
      <p class={`audit-verdict ${different ? "warn" : "good"}`}>
        {different
          ? `${different.toLocaleString()} of ${compared.toLocaleString()} decisions would be different.`
          : `None of ${compared.toLocaleString()} decisions would be different.`}
      </p>
      <p class="hint">
        {sessions === 1 ? "1 session" : `${sessions} sessions`}, lines {report.from_seq} to {report.to_seq}, tools {report.registry_version}.
        {assumed.length ? ` A log does not tell everything; taken as it was: ${assumed.map(([rule, count]) => `${rule} (${count})`).join(", ")}.` : ""}
      </p>
      {different ? (
        <>
          <ul class="audit-changes">
            {report.changes.map((change) => (
              <li key={`${change.recorded} ${change.now}`}><b class="number">{change.count}</b> × <code>{change.recorded}</code> would be <code>{change.now}</code></li>
            ))}
          </ul>
          <div class="table-box">
            <table>
              <caption class="hidden-visually">Calls that would be decided differently</caption>
              <thead><tr><th scope="col" class="number">Line</th><th scope="col">Tool</th><th scope="col">Then</th><th scope="col">Now</th></tr></thead>
              <tbody>
                {differences.slice(0, SHOWN).map((each) => (
                  <tr key={each.seq}>
                    <td class="number"><a href={at("audit", [], { line: String(each.seq) })}>{each.seq}</a></td>
                    <td><code>{each.toolId}</code></td>
                    <td>{each.recorded.decision} <code>{each.recorded.rule}</code></td>
                    <td>{each.now.decision} <code>{each.now.rule}</code>{each.now.message ? <small class="hint"> {each.now.message}</small> : null}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {different > SHOWN ? <p class="hint">The first {SHOWN} are shown; <code>antiphon audit replay --json</code> has them all.</p> : null}
        </>
      ) : null}
    </div>
  );
}
