/** Limits and spending caps: those of the settings, and what was set for somebody. */
import { useState } from "preact/hooks";

import { del, get, put } from "../api/http";
import { useLoad } from "../api/load";
import { number, t } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Button, Card, Field, IconButton, Shown } from "../ui/kit";
import { useSubmit } from "../ui/submit";
import { briefAgo } from "../ui/time";
import { chosenOrganisation } from "./access/api";
import { FormEnd, OrganisationPick } from "./access/frame";
import { type Cap, type CapOverview, capPath, type LimitKind, type LimitOverride, type LimitOverview, limitPath, limitTyped, type LimitValue } from "./limits/shapes";
import { money } from "./usage/shapes";

const query = () => (chosenOrganisation() === undefined ? {} : { query: { organisation: chosenOrganisation()! } });

export default function Limits() {
  const organisation = chosenOrganisation();
  const limits = useLoad((signal) => get<LimitOverview>("/api/limits", { signal, ...query() }), [organisation]);
  const caps = useLoad((signal) => get<CapOverview>("/api/usage/caps", { signal, ...query() }), [organisation]);
  return (
    <div class="stack">
      <div class="row access-bar"><p class="hint">{t("What is set here takes the place of the settings, for whom it is set. Nobody sets their own, and nothing is wider than the organisation’s.")}</p><span class="spring" /><OrganisationPick page="limits" /></div>
      <Shown of={caps}>{(data) => <Caps data={data} onDone={caps.reload} />}</Shown>
      <Shown of={limits}>{(data) => <Overrides data={data} onDone={limits.reload} />}</Shown>
    </div>
  );
}

const kindTitle = (kind: LimitKind | Cap["scope"]): string =>
  ({ user: t("User"), role: t("Role"), agent: t("Agent"), organisation: t("Organisation") })[kind];
const forWhom = (kind: LimitKind | Cap["scope"], name: string): string => (kind === "organisation" ? t("Everybody together") : `${kindTitle(kind)} ${name}`);

// -- money -----------------------------------------------------------------------------------------

function Caps({ data, onDone }: { data: CapOverview; onDone: () => void }) {
  const [edited, edit] = useState<Cap | "new" | null>(null);
  const amount = (value: string | null) => (value === null ? t("as in the settings") : money(value, data.currency));
  return (
    <Card title={t("Spending caps")} actions={<Button icon="plus" onClick={() => edit("new")}>{t("Set a cap")}</Button>}>
      {data.usual.length ? (
        <ul>{data.usual.map((each) => <li key={`${each.scope} ${each.period}`}>{usualWords(each.scope, each.period, money(each.cap, data.currency))}</li>)}</ul>
      ) : <p class="hint">{t("The settings have no caps.")}</p>}
      {data.caps.length ? (
        <div class="table-box">
          <table>
            <thead><tr><th scope="col">{t("For")}</th><th scope="col" class="number">{t("Per day")}</th><th scope="col" class="number">{t("Per month")}</th><th scope="col">{t("Set")}</th><th scope="col" /></tr></thead>
            <tbody>
              {data.caps.map((cap) => (
                <tr key={`${cap.scope} ${cap.subject}`}>
                  <td>{forWhom(cap.scope, cap.subject)}</td>
                  <td class="number">{amount(cap.day)}</td>
                  <td class="number">{amount(cap.month)}</td>
                  <td>{t("by {user}, {when}", { user: cap.updated_by, when: briefAgo(cap.updated_at) })}</td>
                  <td><IconButton label={t("Change {name}", { name: forWhom(cap.scope, cap.subject) })} icon="edit" onClick={() => edit(cap)} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {edited ? <CapForm cap={edited === "new" ? null : edited} currency={data.currency} onClose={() => edit(null)} onDone={() => { edit(null); onDone(); }} /> : null}
    </Card>
  );
}

function usualWords(scope: Cap["scope"], period: "day" | "month", amount: string): string {
  if (scope === "organisation") return period === "day" ? t("Everybody together: {amount} a day", { amount }) : t("Everybody together: {amount} a month", { amount });
  if (scope === "agent") return period === "day" ? t("Each agent: {amount} a day", { amount }) : t("Each agent: {amount} a month", { amount });
  return period === "day" ? t("Each user: {amount} a day", { amount }) : t("Each user: {amount} a month", { amount });
}

function CapForm({ cap, currency, onClose, onDone }: { cap: Cap | null; currency: string; onClose: () => void; onDone: () => void }) {
  const [scope, setScope] = useState<Cap["scope"]>(cap?.scope ?? "user");
  const [subject, setSubject] = useState(cap?.subject ?? "");
  const [amounts, setAmounts] = useState({ day: cap?.day ?? "", month: cap?.month ?? "" });
  const { busy, wrong, submit, form } = useSubmit(["subject", "day", "month"]);
  const send = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      const path = capPath(scope, subject.trim());
      await put(path, { day: amounts.day.trim() || null, month: amounts.month.trim() || null }, query());
      onDone();
    });
  };
  const remove = () => void submit(async () => { await del(capPath(scope, subject), query()); onDone(); });
  return (
    <Dialog title={cap ? t("Cap: {name}", { name: forWhom(cap.scope, cap.subject) }) : t("Set a cap")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        {cap ? null : <Whom kinds={["user", "agent", "organisation"]} kind={scope} name={subject} onKind={setScope} onName={setSubject} wrong={wrong["subject"]} />}
        {(["day", "month"] as const).map((period) => (
          <Field key={period} label={period === "day" ? t("Per day, in {currency}", { currency }) : t("Per month, in {currency}", { currency })} error={wrong[period]} hint={t("Empty: as in the settings.")}>
            {(field) => <input {...field} type="text" inputMode="decimal" value={amounts[period]} onInput={(event) => setAmounts({ ...amounts, [period]: event.currentTarget.value })} />}
          </Field>
        ))}
        <FormEnd wrong={wrong[""]} busy={busy} label={t("Save")}>{cap ? <Button kind="danger" busy={busy} onClick={remove}>{t("Remove")}</Button> : null}</FormEnd>
      </form>
    </Dialog>
  );
}

// -- limits ----------------------------------------------------------------------------------------

const valueWords = (value: LimitValue): string => (value === "unlimited" ? t("unlimited") : number(value));

function Overrides({ data, onDone }: { data: LimitOverview; onDone: () => void }) {
  const [edited, edit] = useState<LimitOverride | "new" | null>(null);
  const names = Object.keys({ ...data.user_defaults, ...data.organisation_defaults });
  const value = (values: LimitOverview["user_defaults"], name: string) => (name in values ? valueWords(values[name]!) : "–");
  return (
    <Card title={t("Usage limits")} actions={<Button icon="plus" onClick={() => edit("new")}>{t("Set limits")}</Button>}>
      {data.overrides.length ? (
        <ul class="rows">
          {data.overrides.map((each) => (
            <li key={`${each.kind} ${each.name}`}>
              <button type="button" class="rows-item" onClick={() => edit(each)}>
                <span class="rows-title">{forWhom(each.kind, each.name)}</span>
                <span class="rows-wide muted">{Object.entries(each.limits).map(([name, most]) => `${name} ${valueWords(most)}`).join(", ")}</span>
                <span class="muted">{t("by {user}, {when}", { user: each.updated_by, when: briefAgo(each.updated_at) })}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : <p class="hint">{t("Nothing was set beside the settings.")}</p>}
      <details>
        <summary>{t("Limits of the settings")}</summary>
        <div class="table-box">
          <table>
            <thead><tr><th scope="col">{t("Limit")}</th><th scope="col" class="number">{t("Each user")}</th><th scope="col" class="number">{t("Everybody together")}</th></tr></thead>
            <tbody>
              {names.map((name) => (
                <tr key={name}><td><code>{name}</code></td><td class="number">{value(data.user_defaults, name)}</td><td class="number">{value(data.organisation_defaults, name)}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      {edited ? <LimitForm override={edited === "new" ? null : edited} data={data} onClose={() => edit(null)} onDone={() => { edit(null); onDone(); }} /> : null}
    </Card>
  );
}

function LimitForm({ override, data, onClose, onDone }: { override: LimitOverride | null; data: LimitOverview; onClose: () => void; onDone: () => void }) {
  const [kind, setKind] = useState<LimitKind>(override?.kind ?? "user");
  const [name, setName] = useState(override?.name ?? "");
  const [typed, type] = useState<Record<string, string>>(Object.fromEntries(Object.entries(override?.limits ?? {}).map(([limit, most]) => [limit, String(most)])));
  const { busy, wrong, setWrong, submit, form } = useSubmit(["name", "limits"]);
  const defaults = kind === "organisation" ? data.organisation_defaults : data.user_defaults;
  const send = (event: Event) => {
    event.preventDefault();
    const values = Object.keys(defaults).map((limit) => [limit, limitTyped(typed[limit] ?? "")] as const);
    const bad = values.filter(([, value]) => value === null);
    if (bad.length) return setWrong(Object.fromEntries(bad.map(([limit]) => [limit, t("A number, or the word “unlimited”.")])));
    const limits = Object.fromEntries(values.filter(([, value]) => value !== ""));
    void submit(async () => { await put(limitPath(kind, name.trim()), { limits }, query()); onDone(); });
  };
  const remove = () => void submit(async () => { await del(limitPath(kind, name), query()); onDone(); });
  return (
    <Dialog title={override ? t("Limits: {name}", { name: forWhom(override.kind, override.name) }) : t("Set limits")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        {override ? null : <Whom kinds={["user", "role", "organisation"]} kind={kind} name={name} onKind={setKind} onName={setName} wrong={wrong["name"]} />}
        {Object.entries(defaults).map(([limit, most]) => (
          <Field key={limit} label={limit} error={wrong[limit]}>
            {(field) => <input {...field} type="text" placeholder={valueWords(most)} value={typed[limit] ?? ""} onInput={(event) => type({ ...typed, [limit]: event.currentTarget.value })} />}
          </Field>
        ))}
        <FormEnd wrong={wrong["limits"] ?? wrong[""]} busy={busy} label={t("Save")}>{override ? <Button kind="danger" busy={busy} onClick={remove}>{t("Remove")}</Button> : null}</FormEnd>
      </form>
    </Dialog>
  );
}

/** For whom something is set. */
function Whom<K extends LimitKind | Cap["scope"]>({ kinds, kind, name, onKind, onName, wrong }: {
  kinds: readonly K[]; kind: K; name: string; onKind: (kind: K) => void; onName: (name: string) => void; wrong: string | undefined;
}) {
  return (
    <>
      <Field label={t("For")}>
        {(field) => (
          <select {...field} value={kind} onChange={(event) => onKind(event.currentTarget.value as K)}>
            {kinds.map((each) => <option key={each} value={each}>{each === "organisation" ? t("Everybody together") : kindTitle(each)}</option>)}
          </select>
        )}
      </Field>
      {kind === "organisation" ? null : (
        <Field label={t("Name")} error={wrong}>
          {(field) => <input {...field} type="text" autocapitalize="none" spellcheck={false} required maxLength={300} value={name} onInput={(event) => onName(event.currentTarget.value)} />}
        </Field>
      )}
    </>
  );
}
