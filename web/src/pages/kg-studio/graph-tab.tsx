/** The graph to look around in, and its twin as a table. */
import { useEffect, useRef, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, rich, t } from "../../i18n";
import { go } from "../../router";
import { toast } from "../../stores/toasts";
import { GraphCanvas } from "../../ui/graph/canvas";
import { Legend, TypeMark } from "../../ui/graph/legend";
import { GraphModel, MOST_NODES, name } from "../../ui/graph/model";
import { GraphTable } from "../../ui/graph/table";
import { Icon } from "../../ui/icons";
import { Badge, Button, Empty, Field, Problem, Spinner } from "../../ui/kit";
import { neighbourhood, overview } from "./api";
import { change, newRecordAt, type Place, recordAt, tabAt } from "./address";

/** So many neighbours unfold at a time, the closest first. */
const UNFOLDED = 40;
/** First a part that can be taken in, around the best connected record; the whole graph is a press away. */
const FIRST = 40;
const SIZES = [FIRST, 100, 200, 500, MOST_NODES];

export function GraphTab({ place, records, round }: { place: Place; records: number; round: number }) {
  const { database, query } = place;
  const around = query.get("around") ?? "";
  const depth = Math.min(6, Math.max(1, Number(query.get("depth")) || 1));
  const most = Math.min(MOST_NODES, Math.max(1, Number(query.get("most")) || FIRST));
  const selected = query.get("node");
  const table = query.get("view") === "table";
  const groups = query.get("groups");
  const grouped = groups ? groups === "on" : !around && most > FIRST;
  const loaded = useLoad(async (signal) => {
    const model = new GraphModel();
    const piece = around
      ? { ...(await neighbourhood(database, around, depth, most, { signal })), complete: false }
      : await overview(database, most, { signal });
    model.add(piece);
    return { model, complete: piece.complete };
  }, [database, around, depth, most, round]);
  const [version, grow] = useState(0);
  const [pale, setPale] = useState<ReadonlySet<string>>(new Set());
  const [hidden, hide] = useState<GraphModel | null>(null);
  const [unfolding, unfold] = useState<string | null>(null);
  useEffect(() => hide(null), [loaded.data]);
  const model = hidden ?? loaded.data?.model ?? null;

  const latest = useRef(model);
  latest.current = model;
  const expand = async (id: string) => {
    if (!model || unfolding) return;
    if (!model.hidden(id)) {
      toast(t("All neighbours of {id} are shown.", { id: name(model.node(id)!) }));
      return;
    }
    unfold(id);
    try {
      const shown = new Set(model.edgesAt(id).flatMap((edge) => [edge.source, edge.target])).size || 1;
      const piece = await neighbourhood(database, id, 1, Math.min(MOST_NODES, shown + UNFOLDED));
      if (latest.current === model) {
        const { left } = model.add(piece, id);
        if (left) toast(t("The graph shows at most {MOST_NODES} nodes; {left} were left out. Hide some, or focus on one node.", { MOST_NODES, left }));
        grow((count) => count + 1);
      }
    } catch (error) {
      toast(said(error), { kind: "bad" });
    }
    unfold(null);
  };
  const select = (id: string | null) => change({ node: id });
  const open = (id: string) => go(recordAt(database, id));
  const take = (id: string) => {
    hide(model!.without(id));
    if (selected === id) select(null);
  };
  const toggle = (type: string) => {
    const next = new Set(pale);
    if (!next.delete(type)) next.add(type);
    setPale(next);
  };
  const centre = around ? model?.node(around) : undefined;
  if (!records) {
    return (
      <Empty icon="graph" title={t("No graph yet")} action={<a class="button primary" href={tabAt(database, "ingest")}>{t("Add text")}</a>}>
        <p>{rich("People, places and what connects them appear here. You can also {link}.", { link: <a href={newRecordAt(database)}>{t("create a record")}</a> })}</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <div class="kg-graph-bar">
        <p class="kg-graph-what">
          {around ? <>{rich("Around {centre}", { centre: <strong>{centre ? name(centre) : around}</strong> })}</> : loaded.data?.complete ? t("Whole graph") : t("Around the best-connected record")}
          {model ? <span class="muted number"> {t("{shown} of {records} nodes, {edges} edges", { shown: model.nodes.length, records, edges: model.edges.length })}</span> : null}
          {loaded.loading || unfolding ? <Spinner label={t("Loading graph")} /> : null}
        </p>
        {around ? (
          <Field label={t("Steps")}>
            {(field) => <select {...field} value={depth} onChange={(event) => change({ depth: event.currentTarget.value })}>
              {[1, 2, 3, 4, 5, 6].map((each) => <option key={each} value={each}>{each}</option>)}
            </select>}
          </Field>
        ) : null}
        <Field label={t("Max nodes")}>
          {(field) => <select {...field} value={most} onChange={(event) => change({ most: event.currentTarget.value })}>
            {[...new Set([...SIZES, most])].sort((a, b) => a - b).map((each) => <option key={each} value={each}>{each.toLocaleString()}</option>)}
          </select>}
        </Field>
        <div class="row">
          {around || !(loaded.data?.complete ?? true) ? (
            <Button kind="quiet" icon="fit" onClick={() => change({ around: null, depth: null, most: String(MOST_NODES) })}>{t("Whole graph")}</Button>
          ) : most > FIRST && records > FIRST ? (
            <Button kind="quiet" icon="search" onClick={() => change({ most: null })}>{t("Focus")}</Button>
          ) : null}
          {table ? null : <Button icon="people" aria-pressed={grouped} onClick={() => change({ groups: grouped ? "off" : "on" })}>{t("Communities")}</Button>}
          <Button icon={table ? "graph" : "list"} aria-pressed={table} onClick={() => change({ view: table ? null : "table" })}>
            {table ? t("Graph view") : t("Table view")}
          </Button>
        </div>
      </div>
      {loaded.error ? <Problem error={loaded.error} retry={loaded.reload} /> : null}
      {model ? (
        <>
          <Legend model={model} pale={pale} onToggle={toggle} />
          <div class={`kg-graph ${table && !selected ? "alone" : ""}`}>
            {table
              ? <GraphTable model={model} version={version} selected={selected} pale={pale} onSelect={select} onExpand={(id) => void expand(id)} href={(id) => recordAt(database, id)} />
              : <GraphCanvas model={model} version={version} selected={selected} pale={pale} grouped={grouped} onSelect={select} onExpand={(id) => void expand(id)} onOpen={open} onHide={take} />}
            {table && !selected ? null : <Chosen model={model} id={selected} place={place} onSelect={select} onExpand={(id) => void expand(id)} onHide={take} busy={unfolding !== null} />}
          </div>
        </>
      ) : null}
    </div>
  );
}

function Chosen({ model, id, place: { database }, busy, onSelect, onExpand, onHide }: {
  model: GraphModel; id: string | null; place: Place; busy: boolean;
  onSelect: (id: string) => void; onExpand: (id: string) => void; onHide: (id: string) => void;
}) {
  const node = id === null ? undefined : model.node(id);
  if (!node) {
    return (
      <aside class="card kg-chosen" aria-label={t("Selected node")}>
        <p class="hint">{t("Click a node to select it and show its neighbours; a ring marks nodes with more. Drag nodes to move them, and the background to pan. Pinch or scroll to zoom.")}</p>
        <p class="hint">{rich("By keyboard: {key} enters the graph, arrow keys move between nodes, {key2} expands, {key3} opens, {key4} hides, {key5} with arrow keys pans, {key6} {key7} {key8} zoom.", { key: <kbd>Tab</kbd>, key2: <kbd>Enter</kbd>, key3: <kbd>O</kbd>, key4: <kbd>Delete</kbd>, key5: <kbd>Shift</kbd>, key6: <kbd>+</kbd>, key7: <kbd>-</kbd>, key8: <kbd>0</kbd> })}</p>
      </aside>
    );
  }
  const more = model.hidden(node.id);
  const edges = model.edgesAt(node.id);
  return (
    <aside class="card kg-chosen" aria-label={t("Selected node")}>
      <h2><TypeMark type={node.type} /> {name(node)}</h2>
      <p class="row"><Badge>{node.type}</Badge><span class="hint number">{[plural(node.degree, "{count} edge", "{count} edges"), more ? t("{count} not shown", { count: more }) : ""].filter(Boolean).join(", ")}</span></p>
      <div class="row">
        <Button kind="primary" icon="plus" disabled={!more} busy={busy} onClick={() => onExpand(node.id)}>{more ? t("Expand") : t("Fully expanded")}</Button>
        <a class="button plain" href={recordAt(database, node.id)}>{t("Open")}</a>
        <a class="button quiet" href={tabAt(database, "graph", { around: node.id, node: node.id })}>{t("Focus")}</a>
        <Button kind="quiet" onClick={() => onHide(node.id)}>{t("Hide")}</Button>
      </div>
      <ul class="kg-chosen-edges" aria-label={t("Edges of the node")}>
        {edges.slice(0, 60).map((edge) => {
          const out = edge.source === node.id;
          const other = model.node(out ? edge.target : edge.source)!;
          return (
            <li key={`${edge.relation} ${out} ${other.id}`}>
              <span class="muted"><Icon name={out ? "right" : "left"} size={12} /> {edge.relation.replaceAll("_", " ")}</span>{" "}
              <button type="button" class="kg-link" onClick={() => onSelect(other.id)}>{name(other)}</button>
            </li>
          );
        })}
      </ul>
    </aside>
  );
}
