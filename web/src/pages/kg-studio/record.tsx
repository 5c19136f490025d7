/** One record: what it says, what it is connected to, and a way to change it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { go } from "../../router";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Badge, Button, CopyButton, Json, Problem, Shown } from "../../ui/kit";
import { deleteRecord, type KnowledgeRecord, type Neighbourhood, neighbourhood, readRecord } from "./api";
import { type Place, recordAt, searchAt, tabAt } from "./address";
import { whole } from "./databases";
import { Edges } from "./edges";
import { Editor } from "./editor";
import { Outside } from "./search";

export function RecordPane({ place, onChanged }: { place: Place; onChanged: () => void }) {
  const { database, record: id, asked, editing } = place;
  const found = useLoad(async (signal) => {
    const [record, near] = await Promise.all([
      readRecord(database, id!, signal),
      neighbourhood(database, id!, 1, 1000, { signal }),
    ]);
    return { record, near };
  }, [database, id]);
  const changed = () => {
    found.reload();
    onChanged();
  };
  const current = found.data?.record.id === id ? found : { ...found, data: null };
  return (
    <article class="card kg-record" aria-label={t("Record")}>
      <p class="row"><a href={searchAt(database, asked)} class="kg-back"><Icon name="left" size={16} />{asked.q ? t("Results for “{q}”", { q: asked.q }) : t("All records")}</a></p>
      <Shown of={current}>{({ record, near }) => editing
        ? <Editor database={database} record={record} onDone={() => { changed(); go(recordAt(database, record.id, asked), true); }}
            onCancel={() => go(recordAt(database, record.id, asked), true)} />
        : <Read place={place} record={record} near={near} onChanged={changed} onGone={() => { go(searchAt(database, asked)); onChanged(); }} />}</Shown>
    </article>
  );
}

function Read({ place: { database, asked }, record, near, onChanged, onGone }: {
  place: Place; record: KnowledgeRecord; near: Neighbourhood; onChanged: () => void; onGone: () => void;
}) {
  const [removing, remove] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Whoever followed a link to it goes on from here; whoever types in the search does not.
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current!.focus({ preventScroll: true });
    heading.current!.scrollIntoView({ block: "nearest" });
  }, []);
  const edges = near.edges.filter((edge) => edge.source === record.id || edge.target === record.id).length;
  return (
    <>
      <header class="stack kg-record-head">
        <h2 ref={heading} tabIndex={-1}>{record.title || record.id}</h2>
        <div class="row">
          <Badge kind="accent">{record.type}</Badge><code>{record.id}</code>
          <CopyButton text={record.id} label={t("Copy ID")} />
        </div>
        <div class="row">
          <Button needs="knowledge.write" icon="edit" onClick={() => go(recordAt(database, record.id, asked, true))}>{t("Edit")}</Button>
          <a class="button plain" href={tabAt(database, "graph", { around: record.id, node: record.id })}><Icon name="graph" size={16} />{t("Show in graph")}</a>
          <CopyButton text={() => location.href} label={t("Copy link")} />
          <Button needs="knowledge.write" kind="danger" icon="trash" onClick={() => remove(true)}>{t("Delete")}</Button>
        </div>
      </header>
      {record.text ? <p class="as-text kg-text">{record.text}</p> : <p class="hint">{t("No text.")}</p>}
      {record.tags.length ? (
        <ul class="row kg-tags" aria-label={t("Tags")}>
          {record.tags.map((tag) => <li key={tag}><a class="kg-chip" href={searchAt(database, { tags: [tag] })}>{tag}</a></li>)}
        </ul>
      ) : null}
      <dl class="kg-dl">
        {record.url ? <><dt>{t("Address")}</dt><dd><Outside url={record.url} /></dd></> : null}
        {record.source_type ? <><dt>{t("Source")}</dt><dd>{record.source_type}</dd></> : null}
        {record.last_updated ? <><dt>{t("Updated")}</dt><dd title={record.last_updated}>{whole(record.last_updated)}</dd></> : null}
      </dl>
      {Object.keys(record.metadata).length ? <details><summary>{t("Metadata")}</summary><Json value={record.metadata} label={t("Metadata")} /></details> : null}
      <Edges database={database} record={record} near={near} onChanged={onChanged} />
      {removing ? <Remove database={database} record={record} edges={edges} onClose={() => remove(false)} onGone={onGone} /> : null}
    </>
  );
}

function Remove({ database, record, edges, onClose, onGone }: {
  database: string; record: KnowledgeRecord; edges: number; onClose: () => void; onGone: () => void;
}) {
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const go = async () => {
    work(true);
    try {
      await deleteRecord(database, record.id);
      toast(t("{title} deleted.", { title: record.title || record.id }));
      onClose();
      onGone();
    } catch (error) {
      fail(said(error));
      work(false);
    }
  };
  return (
    <Dialog title={t("Delete {title}?", { title: record.title || record.id })} onClose={onClose}>
      {problem ? <Problem error={problem} /> : null}
      <p>{edges ? plural(edges, "The record and its {count} edge are deleted. This cannot be undone.", "The record and its {count} edges are deleted. This cannot be undone.") : t("The record is deleted. This cannot be undone.")}</p>
      <div class="row"><span class="spring" /><Button autofocus onClick={onClose}>{t("Cancel")}</Button>
        <Button kind="danger" icon="trash" busy={busy} onClick={go}>{t("Delete")}</Button></div>
    </Dialog>
  );
}
