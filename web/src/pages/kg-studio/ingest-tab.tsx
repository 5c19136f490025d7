/** New knowledge: a pasted text, files to read or to import; and the way out, an export. */
import { useEffect, useRef, useState } from "preact/hooks";

import { get, said } from "../../api/http";
import { plural, rich, t } from "../../i18n";
import { go } from "../../router";
import { takeShared } from "../../stores/shared-files";
import { Icon } from "../../ui/icons";
import { Button, Card, Field, IconButton, Problem } from "../../ui/kit";
import { exportPath } from "./api";
import { type Place, tabAt } from "./address";
import { ACCEPTED, choicesOf, HOW, type How, howOf, mistaken } from "./files";
import { JobCard } from "./job";
import { addFile, addText, followTask, headline, jobs } from "./jobs";
import { MOST_CHARACTERS, splitText } from "./splitting";

export function IngestTab({ place, title }: { place: Place; title: string }) {
  const { database } = place;
  useTask(place);
  const own = jobs.value.filter((job) => job.database === database);
  return (
    <div class="kg-ingest">
      <div class="stack">
        <Paste database={database} title={title} />
        <Files place={place} />
        <Card title={t("Export")}>
          <p>{rich("All records and edges of {title}, one per line. The file can be imported again, here or elsewhere.", { title })}</p>
          <div class="row">
            <a class="button plain" href={exportPath(database)} download={`${database}.jsonl`}><Icon name="download" size={16} />{t("Export as JSON Lines")}</a>
          </div>
          <p class="hint">{rich("For CSV, Markdown, GraphML and large files: {code}.", { code: <code>antiphon kb export {database} file.graphml</code> })}</p>
        </Card>
      </div>
      <section class="stack" aria-label={t("Recently added")}>
        <h2>{t("Recently added")}</h2>
        {own.length ? own.map((job) => <JobCard key={job.id} job={job} />)
          : <p class="hint">{t("Nothing since you opened this page. What is found in a text appears here: people, organisations, places and relations, what is new and what was merged.")}</p>}
      </section>
    </div>
  );
}

/** `?task=` names a task whose notice was clicked. */
function useTask({ database, query }: Place): void {
  const id = query.get("task");
  useEffect(() => {
    if (!id) return;
    get<{ tool: string; args: { database_id?: string; text?: string } }>(`/api/tasks/${encodeURIComponent(id)}`).then(
      ({ tool, args }) => {
        if (tool !== "ingest_to_kg" || !args.database_id) return;
        const title = headline(args.text ?? id);
        if (!jobs.peek().some((job) => job.title === title)) followTask(id, args.database_id, title);
        if (args.database_id !== database) go(tabAt(args.database_id, "ingest"), true);
      },
      () => {}, // a task of long ago is not worth an error
    );
  }, [id]);
}

function Paste({ database, title }: { database: string; title: string }) {
  const [text, write] = useState("");
  const parts = text.length > MOST_CHARACTERS ? splitText(text).length : 1;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    addText(database, text, () => write((now) => now || text));
    write("");
  };
  return (
    <Card title={t("Paste text")}>
      <form class="stack" onSubmit={submit} onKeyDown={(event) => { if ((event.ctrlKey || event.metaKey) && event.key === "Enter") submit(event); }}>
        <Field label={t("Text")} hint={parts > 1
          ? plural(parts, "{length} characters, read in {count} part.", "{length} characters, read in {count} parts.", { length: text.length })
          : t("Full names work better than he and she. Every sentence is kept with what was learned from it.")}>
          {(field) => <textarea {...field} rows={7} value={text} placeholder={t("Greta Lindqvall leads Project Aurora at Aurora Labs. Aurora started on 2 March 2026.")}
            onInput={(event) => write(event.currentTarget.value)} />}
        </Field>
        <div class="row">
          <Button kind="primary" type="submit" icon="plus" disabled={!text.trim()}>{rich("Add to {title}", { title })}</Button>
          <span class="hint">{t("This runs in the background; you can leave the page.")}</span>
        </div>
      </form>
    </Card>
  );
}

interface Chosen {
  file: File;
  how: How | null;
  why: string;
}

function Files({ place: { database, query } }: { place: Place }) {
  const [chosen, choose] = useState<Chosen[]>([]);
  const [over, hover] = useState(false);
  const [problem, fail] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const take = async (files: Iterable<File>) => {
    fail(null);
    const taken = await Promise.all([...files].map(async (file) => {
      const read = howOf(file.name, file.size);
      const why = "how" in read ? await mistaken(file, read.how) : read.why;
      return "how" in read && why === null ? { file, how: read.how, why: "" } : { file, how: null, why: why ?? "" };
    }));
    choose((before) => [...before, ...taken].slice(0, 50));
  };
  const shared = query.has("shared");
  useEffect(() => {
    if (!shared) return;
    go(tabAt(database, "ingest"), true);
    takeShared().then(take, (error: unknown) => fail(said(error)));
  }, [shared]);
  const start = () => {
    try {
      for (const { file, how } of chosen) if (how) addFile(database, file, how);
      choose([]);
    } catch (error) {
      fail(said(error));
    }
  };
  const ready = chosen.filter((each) => each.how).length;
  return (
    <Card title={t("Upload files")}>
      {problem ? <Problem error={problem} /> : null}
      <div class={`kg-drop ${over ? "over" : ""}`} onDragOver={(event) => { event.preventDefault(); hover(true); }} onDragLeave={() => hover(false)}
        onDrop={(event) => { event.preventDefault(); hover(false); void take(event.dataTransfer?.files ?? []); }}>
        <Icon name="upload" size={24} />
        <p>{rich("Drop files here, or {button}.", { button: <button type="button" class="kg-link" onClick={() => input.current!.click()}>{t("browse")}</button> })}</p>
        <p class="hint">{t("PDF, Word (.docx), text, Markdown and HTML are read; CSV and JSON Lines are imported row by row. Up to 20 MB each.")}</p>
        <input ref={input} class="hidden-visually" type="file" multiple accept={ACCEPTED} tabIndex={-1} aria-label={t("Files")}
          onChange={(event) => { void take([...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
      </div>
      {chosen.length ? (
        <>
          <ul class="list" aria-label={t("Selected files")}>
            {chosen.map((each, at) => (
              <li class="kg-file" key={`${at} ${each.file.name}`}>
                <span><strong>{each.file.name}</strong> <small class="muted number">{size(each.file.size)}</small></span>
                {each.how ? (
                  <select aria-label={t("How to add {name}", { name: each.file.name })} value={each.how}
                    onChange={(event) => choose(chosen.with(at, { ...each, how: event.currentTarget.value as How }))}>
                    {choicesOf(each.how).map((how) => <option key={how} value={how}>{HOW[how]}</option>)}
                  </select>
                ) : <span class="wrong">{each.why}</span>}
                <IconButton label={t("Remove {name}", { name: each.file.name })} icon="close" onClick={() => choose(chosen.filter((_, other) => other !== at))} />
              </li>
            ))}
          </ul>
          <div class="row"><Button kind="primary" icon="plus" disabled={!ready} onClick={start}>{plural(ready, "Add {count} file", "Add {count} files")}</Button></div>
        </>
      ) : null}
    </Card>
  );
}

const size = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`);
