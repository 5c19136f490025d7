import { useState } from "preact/hooks";

import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { rich, t } from "../../i18n";
import { cannotBeUndone, Fields } from "../../overlays/confirm";
import { at } from "../../router";
import { hasSession, ownName } from "../../stores/account";
import { Badge, Button, Field, Shown } from "../../ui/kit";
import { fullTime } from "../../ui/time";
import { brief, type Confirmation, KINDS, settledHow, STATUSES } from "./shapes";

type OnAnswer = (row: Confirmation, user: string) => void;

export function Detail({ id, onAnswer }: { id: string; onAnswer: OnAnswer }) {
  const loaded = useLoad((signal) => load(id, signal), [id]);
  return <Shown of={loaded}>{(row) => <Whole row={row} onAnswer={onAnswer} />}</Shown>;
}

/** With the values, where it is still open and this person may see them. */
async function load(id: string, signal: AbortSignal): Promise<Confirmation> {
  const path = `/api/confirmations/${encodeURIComponent(id)}`;
  const row = await get<Confirmation>(path, { signal });
  return row.status === "pending" ? get<Confirmation>(path, { query: { session_id: row.session_id }, signal }) : row;
}

function Whole({ row, onAnswer }: { row: Confirmation; onAnswer: OnAnswer }) {
  const open = row.status === "pending";
  const changes = Object.entries(row.changes);
  const fields = row.fields?.filter((field) => !field.empty) ?? [];
  return (
    <>
      <p class="row"><Badge kind={KINDS[row.status]}>{STATUSES[row.status]}</Badge><span class="hint">{settledHow(row)}</span></p>
      <p class="inbox-sentence">{row.title || row.preview}</p>
      {fields.length ? <Fields fields={fields} /> : row.title ? <p class="hint">{row.preview}</p> : null}
      {open ? <Answering row={row} onAnswer={onAnswer} /> : null}
      {changes.length ? (
        <section class="stack" aria-label={t("Changed values")}>
          <h3>{t("Changed before approval")}</h3>
          <dl class="confirm-fields">
            {changes.map(([name, { asked, approved }]) => (
              <div key={name}><dt>{name}</dt><dd><del class="muted">{brief(asked)}</del> {brief(approved)}</dd></div>
            ))}
          </dl>
        </section>
      ) : null}
      <dl class="facts">
        {row.user !== ownName.value ? <div><dt>{t("Asked by")}</dt><dd>{row.user}</dd></div> : null}
        <div><dt>{t("Tool")}</dt><dd><a href={at("tools", [row.tool])}>{row.tool}</a></dd></div>
        <div><dt>{t("Risk")}</dt><dd>{cannotBeUndone(row) ? t("High, cannot be undone") : row.risk === "high" ? t("High") : t("Low")}</dd></div>
        <div><dt>{t("Asked")}</dt><dd>{fullTime(row.created_at)}</dd></div>
        <div><dt>{row.resolved_at ? t("Answered") : t("Expires")}</dt><dd>{fullTime(row.resolved_at ?? row.expires_at)}</dd></div>
        <div><dt>{t("Session")}</dt><dd><a href={at("sessions", [row.session_id])}>{row.session_id.slice(0, 12)}</a></dd></div>
        {row.rule ? <div><dt>{t("Rule")}</dt><dd><code>{row.rule}</code></dd></div> : null}
        {row.audit_seq ? <div><dt>{t("Audit")}</dt><dd><a href={at("audit", [], { line: String(row.audit_seq) })}>{t("Line {number}", { number: String(row.audit_seq) })}</a></dd></div> : null}
      </dl>
    </>
  );
}

function Answering({ row, onAnswer }: { row: Confirmation; onAnswer: OnAnswer }) {
  const [name, type] = useState("");
  const me = ownName.value;
  const waits = row.approvals > 1 && row.approved_by.length > 0;
  // Where people sign in, each of them answers in their own name.
  if (waits && hasSession.value && row.approved_by.includes(me)) {
    return <p class="hint">{t("You have approved it. A second person, who may approve your calls, must approve it too.")}</p>;
  }
  if (row.user !== me && !waits && hasSession.value) {
    return <p class="hint">{t("{user} has to approve it first. Then a second person is asked.", { user: row.user })}</p>;
  }
  return (
    <form class="stack inbox-answer" onSubmit={(event) => { event.preventDefault(); onAnswer(row, name.trim()); }}>
      {row.approvals > 1 ? (
        <p class="hint">{waits ? rich("Approved by {names}. A second person must approve it too.", { names: <b>{row.approved_by.join(", ")}</b> }) : t("Two people must approve this. After you, a second person is asked.")}</p>
      ) : null}
      {waits && !hasSession.value ? (
        <Field label={t("Second person")} hint={t("The name of the person who approves now. Leave it empty if you are signed in under your own name.")}>
          {(field) => <input {...field} type="text" autocomplete="off" maxLength={200} value={name} onInput={(event) => type(event.currentTarget.value)} />}
        </Field>
      ) : null}
      <div class="row"><Button kind="primary" type="submit" icon="shield">{t("Review…")}</Button></div>
    </form>
  );
}
