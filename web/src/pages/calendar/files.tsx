/** Calendar files in and out. */
import { useState } from "preact/hooks";

import { ApiError, said } from "../../api/http";
import { plural, t } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import { Button, Field, Problem } from "../../ui/kit";
import { CALENDARS, exportAddress, importFile, type CalendarName, type ImportProblem, type ImportReport } from "./api";

const MOST_SHOWN = 50;
const MOST_BYTES = 10 * 1024 * 1024;

export function Files({ keptBy, onClose, onImported }: {
  /** The service that keeps the events, where files go in and out there and not here. */
  keptBy: string | null; onClose: () => void; onImported: () => void;
}) {
  const [calendar, choose] = useState<CalendarName>("primary");
  const [file, take] = useState<File | null>(null);
  const [busy, work] = useState(false);
  const [problem, tell] = useState<string | null>(null);
  const [broken, found] = useState<ImportProblem[]>([]);
  const [report, done] = useState<ImportReport | null>(null);
  const bring = async (skip: boolean) => {
    if (!file) return tell(t("Choose an .ics file first."));
    if (file.size > MOST_BYTES) return tell(t("The file is larger than 10 MiB. Split it, or use `antiphon calendar import`."));
    work(true);
    tell(null);
    found([]);
    done(null);
    try {
      done(await importFile(file, calendar, skip));
      onImported();
    } catch (error) {
      const events = error instanceof ApiError ? (error.body as { events?: ImportProblem[] } | null)?.events : undefined;
      if (events?.length) found(events);
      else tell(said(error));
    } finally {
      work(false);
    }
  };
  if (keptBy) {
    return (
      <Dialog title={t("Calendar files")} onClose={onClose}>
        <p>{t("Your events are stored in {place}. Import and export files there; they appear here.", { place: keptBy })}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("Calendar files")} onClose={onClose} class="cal-dialog">
      <Field label={t("Calendar")}>
        {(attributes) => (
          <select {...attributes} value={calendar} onChange={(event) => choose(event.currentTarget.value as CalendarName)}>
            {CALENDARS.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        )}
      </Field>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); void bring(false); }}>
        <Field label={t("Import a file")} hint={t("An .ics file from any calendar app. Importing the same file again changes nothing.")} error={problem}>
          {(attributes) => <input {...attributes} type="file" accept=".ics,text/calendar" onChange={(event) => { take(event.currentTarget.files?.[0] ?? null); found([]); done(null); tell(null); }} />}
        </Field>
        <Button needs="workspace.write" type="submit" kind="primary" icon="upload" busy={busy}>{t("Import into {calendar}", { calendar })}</Button>
      </form>
      {broken.length ? (
        <div class="stack" role="alert">
          <Problem error={new Error(plural(broken.length, "Nothing was imported: {count} event is not valid.", "Nothing was imported: {count} events are not valid."))} />
          <Broken list={broken} />
          <Button busy={busy} onClick={() => bring(true)}>{t("Import the valid ones")}</Button>
        </div>
      ) : null}
      {report ? <Report report={report} /> : null}
      <hr class="cal-line" />
      <p class="row"><a class="button plain" href={exportAddress(calendar)} download={`${calendar}.ics`}>{t("Export {calendar}", { calendar })}</a></p>
    </Dialog>
  );
}

function Broken({ list }: { list: ImportProblem[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={t("Events that are not valid")}>
      <table>
        <thead><tr><th scope="col" class="number">{t("Line")}</th><th scope="col">{t("Event")}</th><th scope="col">{t("Problem")}</th></tr></thead>
        <tbody>
          {list.slice(0, MOST_SHOWN).map((one) => (
            <tr key={`${one.line}${one.property}`}><td class="number">{one.line}</td><td>{one.title || one.uid || t("untitled")}</td><td><code>{one.property}</code> {one.problem}</td></tr>
          ))}
        </tbody>
      </table>
      {list.length > MOST_SHOWN ? <p class="hint">{t("And {count} more.", { count: list.length - MOST_SHOWN })}</p> : null}
    </div>
  );
}

function Report({ report }: { report: ImportReport }) {
  const others = Object.entries(report.others).map(([kind, count]) => `${count} of ${kind}`).join(", ");
  return (
    <div class="cal-report" role="status">
      <p>{t("{added} added, {updated} updated, {unchanged} unchanged.", { added: report.added, updated: report.updated, unchanged: report.unchanged })}</p>
      {others ? <p class="hint">{t("Skipped, because they are not events: {others}.", { others })}</p> : null}
      {report.skipped.length ? <><p>{t("Skipped:")}</p><Broken list={report.skipped} /></> : null}
    </div>
  );
}
