/** Knowledge that is being taken in. Jobs go on while other pages are open. */
import { signal } from "@preact/signals";

import { callTool } from "../../api/calls";
import { ApiError, get, post, said } from "../../api/http";
import { t } from "../../i18n";
import { type BadRow, importRows, type ImportReport, ingestFile, type IngestReport, ingestText } from "./api";
import { type How, isBinary, textOf } from "./files";
import { splitCsv, splitJsonLines, splitText } from "./splitting";

export interface Job {
  id: number;
  database: string;
  title: string;
  state: "running" | "done" | "failed" | "stopped";
  /** What it does now, in words. */
  message: string;
  /** 0 to 1; null where nobody knows. */
  fraction: number | null;
  reports: IngestReport[];
  imports: ImportReport[];
  problem: string | null;
  bad: BadRow[];
  /** Imports what fits, without the bad rows. */
  again: (() => void) | null;
  stop: () => void;
}

export const jobs = signal<Job[]>([]);
/** Goes up when something was written: what is shown of a database may be old. */
export const written = signal(0);

const LOOK_EVERY_MS = 350;
let last = 0;

function begin(database: string, title: string, work: (job: Handle) => Promise<void>): void {
  const leave = new AbortController();
  const id = ++last;
  const made: Job = {
    ...{ id, database, title, state: "running", message: t("Waiting"), fraction: null },
    ...{ reports: [], imports: [], problem: null, bad: [], again: null },
    stop: () => leave.abort(),
  };
  jobs.value = [made, ...jobs.value].slice(0, 30);
  const handle: Handle = { signal: leave.signal, say: (change) => update(id, change) };
  work(handle).then(
    () => update(id, { state: "done", fraction: 1 }),
    (error: unknown) => update(id, leave.signal.aborted
      ? { state: "stopped", problem: t("Stopped. What was already added stays.") }
      : { state: "failed", problem: said(error) }),
  ).finally(() => (written.value += 1));
}

interface Handle {
  signal: AbortSignal;
  say: (change: Partial<Job> | ((job: Job) => Partial<Job>)) => void;
}

function update(id: number, change: Partial<Job> | ((job: Job) => Partial<Job>)): void {
  jobs.value = jobs.value.map((job) =>
    job.id === id ? { ...job, ...(typeof change === "function" ? change(job) : change) } : job);
}

export function dismiss(id: number): void {
  jobs.value = jobs.value.filter((job) => job.id !== id);
}

const part = (at: number, of: number): string => (of > 1 ? `${t("Part {at} of {of}", { at: at + 1, of })}: ` : "");

/** What a text is called in a list: how it begins. */
export function headline(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  return line.length > 70 ? `${line.slice(0, 70).replace(/\s+\S*$/, "")}…` : line;
}

/** A pasted text: a task in the background, which goes on whatever becomes of this page. */
/** `giveBack` is called where nothing of it was taken. */
export function addText(database: string, text: string, giveBack: () => void): void {
  begin(database, headline(text), async ({ signal, say }) => {
    const parts = splitText(text);
    for (const [at, piece] of parts.entries()) {
      say({ message: `${part(at, parts.length)}starting`, fraction: at / parts.length });
      const { task_id } = await callTool<{ task_id: string }>("ingest_to_kg", { database_id: database, text: piece }).catch((error: unknown) => {
        if (at === 0) giveBack();
        throw error;
      });
      const report = await watched(task_id, signal, (message, fraction) =>
        say({ message: part(at, parts.length) + message, fraction: fraction === null ? null : (at + fraction) / parts.length }));
      say((job) => ({ reports: [...job.reports, report] }));
    }
  });
}

/** A task that was started before, by this page or by the conversation. */
export function followTask(id: string, database: string, title: string): void {
  begin(database, title, async ({ signal, say }) => {
    const report = await watched(id, signal, (message, fraction) => say({ message, fraction }));
    say({ reports: [report] });
  });
}

interface TaskRow {
  status: string;
  progress: { message: string; fraction: number | null } | null;
  result: { ok: boolean; data?: { report: IngestReport }; error?: { message: string } } | null;
}

/** Waits for a task; to stop waiting is to ask it to stop. */
async function watched(id: string, signal: AbortSignal, tell: (message: string, fraction: number | null) => void): Promise<IngestReport> {
  let asked = false;
  for (;;) {
    if (signal.aborted && !asked) {
      asked = true;
      // 409: it is over already, and the next look says how.
      await post(`/api/tasks/${id}/cancel`).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 409)) throw error;
      });
    }
    const { status, progress, result } = await get<TaskRow>(`/api/tasks/${id}`);
    if (status === "succeeded" && result?.data) return result.data.report;
    if (status !== "queued" && status !== "running") {
      throw new Error(result?.error?.message ?? (status === "cancelled" ? t("It was stopped.") : t("It did not finish.")));
    }
    tell(status === "queued" ? t("Queued") : (progress?.message ?? t("Reading the text")), progress?.fraction ?? null);
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
  }
}

/** A file: read for what it says, or imported row by row. */
export function addFile(database: string, file: File, how: How, skip = false): void {
  begin(database, file.name, async (handle) => {
    if (isBinary(how)) return sending(database, file, handle);
    handle.say({ message: t("Reading the file") });
    if (how === "csv" || how === "jsonl") return importing(database, file, await textOf(file), how, skip, handle);
    // In other encodings, the server finds out in which.
    const text = await textOf(file).catch(() => null);
    if (text === null) await sending(database, file, handle);
    else await reading(database, file, text, how, handle);
  });
}

/** Sent as it is; the server reads it. */
async function sending(database: string, file: File, { signal, say }: Handle): Promise<void> {
  say({ message: t("Uploading"), fraction: 0 });
  const report = await ingestFile(database, file, signal, (fraction) =>
    say(fraction < 1 ? { message: t("Uploading"), fraction } : { message: t("Reading and writing"), fraction: null }));
  say((job) => ({ reports: [...job.reports, report] }));
}

async function reading(database: string, file: File, text: string, kind: How, { signal, say }: Handle): Promise<void> {
  const parts = splitText(text);
  if (!parts.length) throw new Error(t("The file contains no text."));
  for (const [at, piece] of parts.entries()) {
    signal.throwIfAborted();
    say({ message: `${part(at, parts.length)}${t("Reading and writing")}`, fraction: parts.length > 1 ? at / parts.length : null });
    const source = parts.length > 1 ? t("{name} (part {at} of {count})", { name: file.name, at: at + 1, count: parts.length }) : file.name;
    const report = await ingestText(database, { text: piece, kind, source }, signal);
    say((job) => ({ reports: [...job.reports, report] }));
  }
}

async function importing(database: string, file: File, text: string, how: "csv" | "jsonl", skip: boolean, { signal, say }: Handle): Promise<void> {
  const parts = how === "csv" ? splitCsv(text) : splitJsonLines(text);
  if (!parts.length) throw new Error(t("The file contains no rows."));
  for (const [at, { text: rows, lines }] of parts.entries()) {
    signal.throwIfAborted();
    say({ message: `${part(at, parts.length)}importing`, fraction: parts.length > 1 ? at / parts.length : null });
    const placed = (bad: BadRow[]) => bad.map((row) => ({ ...row, line: lines[row.line - 1] ?? row.line }));
    try {
      const report = await importRows(database, rows, how, skip, signal);
      say((job) => ({ imports: [...job.imports, report], bad: [...job.bad, ...placed(report.problems)] }));
    } catch (error) {
      const found = error instanceof ApiError ? (error.body as { problems?: BadRow[] } | null)?.problems : undefined;
      if (found?.length) say({ bad: placed(found), again: () => addFile(database, file, how, true) });
      if (at > 0) throw new Error(t("{error} (Part {at} of {count}; earlier parts are imported.)", { error: said(error), at: at + 1, count: parts.length }));
      throw error;
    }
  }
}
