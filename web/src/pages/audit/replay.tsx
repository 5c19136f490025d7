import { useEffect, useRef, useState } from "preact/hooks";

import { post, said } from "../../api/http";
import { useRules } from "../../api/rules";
import { plural, rich, t } from "../../i18n";
import { at } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Button, Field, Problem, Switch } from "../../ui/kit";
import { decisionInWords, policyOf } from "./shapes";

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
    <Dialog title={t("Replay")} onClose={onClose} class="audit-dialog">
      <p>{t("Recorded calls are evaluated again with today's tools and limits, or with the limits below. Nothing runs and nothing is recorded.")}</p>
      <Field label={t("Range")}>
        {(field) => (
          <select {...field} value={last} onChange={(event) => choose(event.currentTarget.value)}>
            {["500", "2000", "10000", "20000"].map((count) => <option key={count} value={count}>{t("Last {count} lines", { count: Number(count) })}</option>)}
          </select>
        )}
      </Field>
      {session ? <Switch label={t("Only the filtered session")} checked={only} onChange={setOnly} /> : null}
      <details class="audit-numbers">
        <summary>{t("Override limits")}</summary>
        <p class="hint">{t("Leave a field empty to keep today's limit. Enter none for no limit.")}</p>
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
        <Button kind="primary" icon="play" busy={busy} disabled={Object.keys(wrong).length > 0} onClick={run}>{t("Re-evaluate")}</Button>
        <Button onClick={onClose}>{t("Close")}</Button>
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
  if (!compared) return <p>{t("These lines contain no decisions.")}</p>;
  return (
    <div class="stack" ref={box}>
      <p class={`audit-verdict ${different ? "warn" : "good"}`}>
        {different
          ? t("{different} of {count} decisions would change.", { different, count: compared })
          : t("None of {count} decisions would change.", { count: compared })}
      </p>
      <p class="hint">
        {plural(sessions, "{count} session, lines {from} to {to}, tools {version}.", "{count} sessions, lines {from} to {to}, tools {version}.",
          { from: String(report.from_seq), to: String(report.to_seq), version: report.registry_version })}
        {assumed.length ? ` ${t("Not in the record, so assumed unchanged: {rules}.", { rules: assumed.map(([rule, count]) => `${rule} (${count})`).join(", ") })}` : ""}
      </p>
      {different ? (
        <>
          <ul class="audit-changes">
            {report.changes.map((change) => (
              <li key={`${change.recorded} ${change.now}`}><b class="number">{change.count}</b> × <code>{change.recorded}</code> → <code>{change.now}</code></li>
            ))}
          </ul>
          <div class="table-box">
            <table>
              <caption class="hidden-visually">{t("Calls whose decision would change")}</caption>
              <thead><tr><th scope="col" class="number">{t("Line")}</th><th scope="col">{t("Tool")}</th><th scope="col">{t("Then")}</th><th scope="col">{t("Now")}</th></tr></thead>
              <tbody>
                {differences.slice(0, SHOWN).map((each) => (
                  <tr key={each.seq}>
                    <td class="number"><a href={at("audit", [], { line: String(each.seq) })}>{each.seq}</a></td>
                    <td><code>{each.toolId}</code></td>
                    <td>{decisionInWords(each.recorded.decision)} <code>{each.recorded.rule}</code></td>
                    <td>{decisionInWords(each.now.decision)} <code>{each.now.rule}</code>{each.now.message ? <small class="hint"> {each.now.message}</small> : null}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {different > SHOWN ? <p class="hint">{rich("The first {count} are shown. {command} lists them all.", { count: SHOWN, command: <code>antiphon audit replay --json</code> })}</p> : null}
        </>
      ) : null}
    </div>
  );
}
