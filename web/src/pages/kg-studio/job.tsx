/** One job: how far it is, and what came of it. */
import { listed, plural, rich, t } from "../../i18n";
import { Badge, Button, Card, IconButton, Problem } from "../../ui/kit";
import type { ImportReport, IngestReport } from "./api";
import { recordAt, tabAt } from "./address";
import { dismiss, type Job } from "./jobs";

const STATES = {
  running: ["accent", t("running")],
  done: ["good", "done"],
  failed: ["bad", t("failed")],
  stopped: ["warn", "stopped"],
} as const;

export function JobCard({ job }: { job: Job }) {
  const [kind, words] = STATES[job.state];
  return (
    <Card class="kg-job" title={<>{job.title} <span role="status"><Badge kind={kind}>{words}</Badge></span></>} actions={job.state === "running"
      ? <Button kind="quiet" icon="stop" onClick={job.stop}>{t("Stop")}</Button>
      : <IconButton label={t("Dismiss {title}", { title: job.title })} icon="close" onClick={() => dismiss(job.id)} />}>
      {job.state === "running" ? (
        <div class="stack">
          <progress aria-label={t("Progress of {title}", { title: job.title })} max={1} {...(job.fraction === null ? {} : { value: job.fraction })} />
          <p class="hint">{job.message}{job.fraction === null ? "" : `, ${Math.round(job.fraction * 100)} %`}</p>
        </div>
      ) : null}
      {job.problem ? <Problem error={job.problem} /> : null}
      {job.bad.length ? <Bad job={job} /> : null}
      {job.reports.length ? <Learned database={job.database} reports={job.reports} /> : null}
      {job.imports.length ? <Imported imports={job.imports} /> : null}
    </Card>
  );
}

function Bad({ job }: { job: Job }) {
  return (
    <div class="stack">
      <p>{plural(job.bad.length, "{count} row is not valid:", "{count} rows are not valid:")}</p>
      <ul class="kg-bad">{job.bad.slice(0, 20).map((row) => <li key={row.line}>{t("line {line}: {reason}", { line: row.line, reason: row.reason })}</li>)}</ul>
      {job.again && job.state === "failed" ? <div><Button onClick={() => { dismiss(job.id); job.again!(); }}>{t("Import the valid rows")}</Button></div> : null}
    </div>
  );
}

const summed = (all: Record<string, number>[]): [string, number][] => {
  const found = new Map<string, number>();
  for (const each of all) for (const [key, count] of Object.entries(each)) found.set(key, (found.get(key) ?? 0) + count);
  return [...found].sort((a, b) => b[1] - a[1]);
};
const total = (reports: IngestReport[], key: "entities_new" | "entities_merged" | "relations_new" | "relations_merged"): number =>
  reports.reduce((sum, each) => sum + each[key], 0);

function Learned({ database, reports }: { database: string; reports: IngestReport[] }) {
  const first = reports[0]!;
  if (reports.every((each) => each.unchanged)) {
    return <p>{t("This text has been added before, so nothing changed.")} <a href={recordAt(database, first.document)}>{t("Open the document")}</a></p>;
  }
  const by = new Set(reports.map((each) => each.extractor));
  const skipped = summed(reports.map((each) => each.skipped));
  const notes = [...new Set(reports.flatMap((each) => [...each.notes, ...each.by_rules.map((one) => t("Parts {first} to {last} were read by rules only: {reason}", { first: one.first, last: one.last, reason: one.reason }))]))];
  return (
    <div class="stack">
      <dl class="kg-found">
        <div><dt>{t("Entities")}</dt><dd>{rich("{added} new, {merged} merged", { added: <strong class="number">{total(reports, "entities_new")}</strong>, merged: <span class="number">{total(reports, "entities_merged")}</span> })}</dd>
          <dd class="row">{summed(reports.map((each) => each.entities)).map(([type, count]) => <Badge key={type}>{count} {type}</Badge>)}</dd></div>
        <div><dt>{t("Relations")}</dt><dd>{rich("{added} new, {merged} merged", { added: <strong class="number">{total(reports, "relations_new")}</strong>, merged: <span class="number">{total(reports, "relations_merged")}</span> })}</dd>
          <dd class="row">{summed(reports.map((each) => each.relations)).map(([relation, count]) => <Badge key={relation}>{count} {relation.replaceAll("_", " ")}</Badge>)}</dd></div>
      </dl>
      <p class="row">
        <a href={tabAt(database, "graph", { around: first.document, node: first.document })}>{t("Show in graph")}</a>
        <a href={recordAt(database, first.document)}>{t("Open the document")}</a>
      </p>
      <p class="hint">
        {plural(reports.reduce((sum, each) => sum + each.sentences, 0), "{count} sentence, read by {readers}.", "{count} sentences, read by {readers}.", { readers: listed([...by]) })}{skipped.length ? ` ${t("Skipped: {list}.", { list: skipped.map(([why, count]) => `${count} (${why})`).join(", ") })}` : ""}
      </p>
      {notes.map((note) => <p class="hint" key={note}>{note}</p>)}
    </div>
  );
}

function Imported({ imports }: { imports: ImportReport[] }) {
  const sum = (key: "records_added" | "records_changed" | "records_unchanged" | "edges_added" | "edges_changed" | "edges_unchanged") =>
    imports.reduce((all, each) => all + each[key], 0);
  return (
    <table>
      <caption class="hidden-visually">{t("Imported")}</caption>
      <thead><tr><th /><th scope="col" class="number">{t("New")}</th><th scope="col" class="number">{t("Changed")}</th><th scope="col" class="number">{t("Unchanged")}</th></tr></thead>
      <tbody>
        <tr><th scope="row">{t("Records")}</th><td class="number">{sum("records_added")}</td><td class="number">{sum("records_changed")}</td><td class="number">{sum("records_unchanged")}</td></tr>
        <tr><th scope="row">{t("Edges")}</th><td class="number">{sum("edges_added")}</td><td class="number">{sum("edges_changed")}</td><td class="number">{sum("edges_unchanged")}</td></tr>
      </tbody>
    </table>
  );
}
