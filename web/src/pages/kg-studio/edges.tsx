/** The edges at a record: where they lead, where they were learned; one more, one less. */
import { useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { rich, t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Button, Field, IconButton, Problem } from "../../ui/kit";
import { type GraphEdge, type GraphNode, edgeKey, name } from "../../ui/graph/model";
import { deleteEdge, type KnowledgeRecord, type Neighbourhood, search, writeEdge } from "./api";
import { recordAt } from "./address";

export function Edges({ database, record, near, onChanged }: {
  database: string; record: KnowledgeRecord; near: Neighbourhood; onChanged: () => void;
}) {
  const [adding, add] = useState(false);
  const [problem, fail] = useState<unknown>(null);
  const nodes = new Map(near.nodes.map((node) => [node.id, node]));
  const own = near.edges.filter((edge) => edge.source === record.id || edge.target === record.id);
  const groups = new Map<string, GraphEdge[]>();
  for (const edge of own) {
    const title = `${edge.relation.replaceAll("_", " ")}${edge.source === record.id ? "" : " (from)"}`;
    groups.set(title, [...(groups.get(title) ?? []), edge]);
  }
  const remove = async (edge: GraphEdge) => {
    fail(null);
    try {
      await deleteEdge(database, edge);
      toast(t("Removed: {source} {relation} {target}.", { source: edge.source, relation: edge.relation, target: edge.target }), {
        action: { label: t("Undo"), run: () => void writeEdge(database, edge).then(onChanged) },
      });
      onChanged();
    } catch (error) {
      fail(error);
    }
  };
  return (
    <section class="stack" aria-label={t("Edges")}>
      <header class="card-head"><h3>{rich("Connections {count}", { count: <span class="muted number">{own.length}</span> })}</h3>
        <Button needs="knowledge.write" icon="plus" kind="quiet" aria-expanded={adding} onClick={() => add(!adding)}>{t("Add edge")}</Button></header>
      {problem ? <Problem error={problem} /> : null}
      {adding ? <AddEdge database={database} record={record} onAdded={() => { add(false); onChanged(); }} /> : null}
      {own.length ? [...groups].map(([title, edges]) => (
        <div class="kg-edges" key={title}>
          <h4>{title}</h4>
          <ul>
            {edges.map((edge) => {
              const other = edge.source === record.id ? edge.target : edge.source;
              const node = nodes.get(other);
              return (
                <li key={edgeKey(edge)}>
                  <a href={recordAt(database, other)}>{node ? name(node) : other}</a>
                  {node ? <small class="muted"> {node.type}</small> : null}
                  <IconButton needs="knowledge.write" label={t("Remove edge {relation} {node}", { relation: edge.relation.replaceAll("_", " "), node: node ? name(node) : other })} icon="close" onClick={() => void remove(edge)} />
                  <Learned edge={edge} />
                </li>
              );
            })}
          </ul>
        </div>
      )) : <p class="hint">{t("No connections yet. An edge says how this record relates to another.")}</p>}
    </section>
  );
}

/** The sentence that an edge was learned from. */
function Learned({ edge: { provenance, weight } }: { edge: GraphEdge }) {
  const { sentence, source } = provenance;
  if (typeof sentence !== "string" || !sentence) return null;
  return <p class="hint kg-learned">{[`“${sentence}”`, typeof source === "string" ? source : "", t("weight {weight}", { weight: Number(weight.toFixed(2)) })].filter(Boolean).join(", ")}</p>;
}

function AddEdge({ database, record, onAdded }: { database: string; record: KnowledgeRecord; onAdded: () => void }) {
  const [relation, relate] = useState("");
  const [outward, turn] = useState(true);
  const [typed, type] = useState("");
  const [other, choose] = useState<Pick<GraphNode, "id" | "title" | "type"> | null>(null);
  const [problem, fail] = useState<unknown>(null);
  const [busy, work] = useState(false);
  const asked = { q: typed.trim(), types: [], tags: [], since: "", until: "" };
  const found = useLoad(async (signal) => (asked.q && !other ? (await search(database, asked, 6, signal)).results : []), [database, asked.q, other]);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!other) return;
    work(true);
    fail(null);
    const [source, target] = outward ? [record.id, other.id] : [other.id, record.id];
    try {
      await writeEdge(database, { source, target, relation: relation.trim().replace(/\s+/g, "_"), weight: 1, provenance: { source: "console" } });
      onAdded();
    } catch (error) {
      fail(error);
      work(false);
    }
  };
  return (
    <form class="card stack" onSubmit={submit} aria-label={t("New edge")}>
      {problem ? <Problem error={problem} /> : null}
      <div class="kg-two">
        <Field label={t("Relation")}>
          {(field) => <input {...field} autofocus value={relation} maxLength={100} required placeholder={t("works on, leads, cites…")} onInput={(event) => relate(event.currentTarget.value)} />}
        </Field>
        <Field label={t("Direction")}>
          {(field) => (
            <select {...field} value={outward ? "out" : "in"} onChange={(event) => turn(event.currentTarget.value === "out")}>
              <option value="out">{t("from this record to the other")}</option><option value="in">{t("from the other to this record")}</option>
            </select>
          )}
        </Field>
      </div>
      <Field label={t("Other record")} hint={other ? <code>{other.id}</code> : t("Search by name, then select.")}>
        {(field) => <input {...field} type="search" value={typed} onInput={(event) => { type(event.currentTarget.value); choose(null); }} />}
      </Field>
      {found.data?.length ? (
        <ul class="list" aria-label={t("Matching records")}>
          {found.data.filter((each) => each.id !== record.id).map((each) => (
            <li key={each.id}><button type="button" class="list-item" onClick={() => { choose(each); type(each.title); }}>{each.title}<small>{each.type} · {each.id}</small></button></li>
          ))}
        </ul>
      ) : null}
      <div class="row"><Button kind="primary" type="submit" busy={busy} disabled={!other || !relation.trim()}>{t("Add")}</Button></div>
    </form>
  );
}
