/** The databases: which there are, a new one, and the end of one. */
import { useState } from "preact/hooks";

import { said } from "../../api/http";
import { locale, plural, rich, t } from "../../i18n";
import { go } from "../../router";
import { may } from "../../stores/account";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Button, Field, Problem } from "../../ui/kit";
import { ago, fullTime } from "../../ui/time";
import { type Database, deleteDatabase, exportPath, makeDatabase } from "./api";
import { tabAt } from "./address";

/** More would push the search out of sight. */
const FIRST = 8;

export function Databases({ databases, chosen, onMade }: { databases: Database[]; chosen: string; onMade: () => void }) {
  const [making, make] = useState(false);
  const [all, unfold] = useState(false);
  // A few, whole; the chosen one is among them.
  const first = databases.slice(0, FIRST);
  const open = databases.find((each) => each.id === chosen);
  const shown = all ? databases : !open || first.includes(open) ? first : [...first.slice(0, -1), open];
  return (
    <nav class="kg-databases" aria-label={t("Databases")} data-tour="kg-studio-databases">
      <ul>
        {shown.map((each) => (
          <li key={each.id}>
            <a class="kg-database" href={tabAt(each.id, "search")} aria-current={each.id === chosen ? "true" : undefined}>
              <strong>{each.title || each.id}</strong>
              <small class="number" title={each.updated ? t("Updated {ago}, {date}", { ago: since(each.updated), date: whole(each.updated) }) : ""}>
                {records(each.records)} · {edges(each.edges)}
              </small>
            </a>
          </li>
        ))}
        {shown.length < databases.length ? (
          <li><button type="button" class="kg-database kg-new" onClick={() => unfold(true)}>{t("Show all {count}", { count: databases.length })}</button></li>
        ) : null}
        {may("knowledge.write") ? (
          <li>
            <button type="button" class="kg-database kg-new" onClick={() => make(true)}><Icon name="plus" />{t("New database")}</button>
          </li>
        ) : null}
      </ul>
      {making ? <Make taken={databases.map((each) => each.id)} onClose={() => make(false)} onMade={onMade} /> : null}
    </nav>
  );
}

const records = (count: number): string => plural(count, "{count} record", "{count} records");
const edges = (count: number): string => plural(count, "{count} edge", "{count} edges");
const seconds = (iso: string): number => Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(iso) || !iso.includes("T") ? iso : `${iso}Z`) / 1000;
const MONTHS = 45 * 86_400;
const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
/** An ISO time in words; as it is written where it is none. */
export function since(iso: string, now = Date.now() / 1000): string {
  const then = seconds(iso);
  if (Number.isNaN(then)) return iso;
  return Math.abs(now - then) < MONTHS ? ago(then, now) : day.format(then * 1000);
}
export const whole = (iso: string): string => (Number.isNaN(seconds(iso)) ? iso : fullTime(seconds(iso)));

/** An id made of a title, as the server takes it. */
export function idOf(title: string): string {
  const plain = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "").slice(0, 64);
}

function Make({ taken, onClose, onMade }: { taken: string[]; onClose: () => void; onMade: () => void }) {
  const [title, setTitle] = useState("");
  const [own, setOwn] = useState<string | null>(null);
  const [description, describe] = useState("");
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const id = own ?? idOf(title);
  const wrong = !id ? null
    : taken.includes(id) ? t("A database with this ID already exists.")
    : /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id) ? null : t("Lowercase letters, digits, - and _, at most 64 characters.");
  const submit = async (event: Event) => {
    event.preventDefault();
    work(true);
    fail(null);
    try {
      await makeDatabase({ id, title: title.trim(), description: description.trim() });
      onMade();
      toast(t("Database {title} created. Add something to it.", { title: title.trim() || id }), { kind: "good" });
      onClose();
      go(tabAt(id, "ingest"));
    } catch (error) {
      fail(error);
    }
    work(false);
  };
  return (
    <Dialog title={t("New database")} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {problem ? <Problem error={problem} /> : null}
        <Field label={t("Title")}>
          {(field) => <input {...field} autofocus value={title} maxLength={1000} required onInput={(event) => setTitle(event.currentTarget.value)} />}
        </Field>
        <Field label={t("ID")} hint={t("Used by tools and addresses. It cannot be changed later.")} error={wrong}>
          {(field) => <input {...field} value={id} required onInput={(event) => setOwn(event.currentTarget.value)} />}
        </Field>
        <Field label={t("Description")}>
          {(field) => <textarea {...field} rows={2} value={description} onInput={(event) => describe(event.currentTarget.value)} />}
        </Field>
        <div class="row"><span class="spring" /><Button onClick={onClose}>{t("Cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!id || wrong !== null}>{t("Create")}</Button></div>
      </form>
    </Dialog>
  );
}

/** Nothing brings a database back, so its id has to be typed. */
export function Unmake({ database, onClose, onGone }: { database: Database; onClose: () => void; onGone: () => void }) {
  const [typed, type] = useState("");
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (typed !== database.id) return;
    work(true);
    try {
      await deleteDatabase(database.id);
      toast(t("Database {title} deleted.", { title: database.title || database.id }));
      onGone();
    } catch (error) {
      fail(said(error));
      work(false);
    }
  };
  return (
    <Dialog title={t("Delete {title}?", { title: database.title || database.id })} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {problem ? <Problem error={problem} /> : null}
        <p>
          {rich("This deletes {records} and {edges} and cannot be undone. If you are not sure, {export}.", { records: records(database.records), edges: edges(database.edges), export: <a href={exportPath(database.id)} download={`${database.id}.jsonl`}>{t("export it first")}</a> })}
        </p>
        <Field label={t("Type {id} to confirm", { id: database.id })}>
          {(field) => <input {...field} autofocus autocomplete="off" value={typed} onInput={(event) => type(event.currentTarget.value)} />}
        </Field>
        <div class="row"><span class="spring" /><Button onClick={onClose}>{t("Cancel")}</Button>
          <Button kind="danger" type="submit" icon="trash" busy={busy} disabled={typed !== database.id}>{t("Delete permanently")}</Button></div>
      </form>
    </Dialog>
  );
}
