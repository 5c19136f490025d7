/** The same nodes and edges as tables: to be read, sorted, filtered and used without a picture. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { t } from "../../i18n";
import { Button, Field } from "../kit";
import { edgeKey, type GraphModel, type GraphNode, name } from "./model";
import { TypeMark } from "./legend";

const PAGE = 100;

interface Column<T> {
  title: string;
  number?: boolean;
  /** What it is sorted by. */
  value: (row: T) => string | number;
  cell: (row: T) => ComponentChildren;
}

export function GraphTable({ model, selected, pale, onSelect, onExpand, href }: {
  model: GraphModel;
  version: number;
  selected: string | null;
  pale: ReadonlySet<string>;
  onSelect: (id: string) => void;
  onExpand: (id: string) => void;
  /** Where a record is read. */
  href: (id: string) => string;
}) {
  const [filter, set] = useState("");
  const wanted = filter.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const nodes = model.nodes.filter((node) => !pale.has(node.type) && (has(node.id) || has(node.title) || has(node.type)));
  const kept = new Set(nodes.map((node) => node.id));
  const edges = model.edges.filter((edge) => kept.has(edge.source) || kept.has(edge.target) || (wanted && has(edge.relation)));
  const link = (id: string) => <a href={href(id)}>{name(model.node(id) ?? ({ id, title: "" } as GraphNode))}</a>;
  return (
    <div class="stack">
      <Field label={t("Filter by text")}>
        {(field) => <input {...field} type="search" value={filter} placeholder={t("name, type or relation")}
          onInput={(event) => set(event.currentTarget.value)} />}
      </Field>
      <Table title={t("Nodes ({count})", { count: nodes.length })} rows={nodes} id={(node) => node.id} selected={selected} columns={[
        { title: t("Name"), value: (node) => name(node).toLowerCase(), cell: (node) => link(node.id) },
        { title: t("Type"), value: (node) => node.type, cell: (node) => <span class="graph-kind"><TypeMark type={node.type} />{node.type}</span> },
        { title: t("Edges"), number: true, value: (node) => -node.degree, cell: (node) => node.degree },
        { title: t("Hidden"), number: true, value: (node) => -model.hidden(node.id), cell: (node) => model.hidden(node.id) },
        {
          title: "", value: () => "", cell: (node) => (
            model.hidden(node.id) ? <Button kind="quiet" aria-label={t("Expand {node}", { node: name(node) })}
              onClick={() => { onSelect(node.id); onExpand(node.id); }}>{t("Expand")}</Button> : null
          ),
        },
      ]} />
      <Table title={t("Edges ({count})", { count: edges.length })} rows={edges} id={edgeKey} columns={[
        { title: t("Source"), value: (edge) => edge.source, cell: (edge) => link(edge.source) },
        { title: t("Relation"), value: (edge) => edge.relation, cell: (edge) => edge.relation.replaceAll("_", " ") },
        { title: t("Target"), value: (edge) => edge.target, cell: (edge) => link(edge.target) },
        { title: t("Weight"), number: true, value: (edge) => -edge.weight, cell: (edge) => Number(edge.weight.toFixed(2)) },
      ]} />
    </div>
  );
}

function Table<T>({ title, rows, columns, id, selected }: {
  title: string; rows: T[]; columns: Column<T>[]; id: (row: T) => string; selected?: string | null;
}) {
  const [by, sort] = useState<{ at: number; down: boolean } | null>(null);
  const [most, more] = useState(PAGE);
  const sorted = by ? rows.toSorted((a, b) => order(columns[by.at]!.value(a), columns[by.at]!.value(b)) * (by.down ? -1 : 1)) : rows;
  return (
    <section class="stack" aria-label={title}>
      <h3>{title}</h3>
      <div class="graph-table" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>{columns.map((column, at) => (
              <th key={column.title} scope="col" class={column.number ? "number" : ""}
                aria-sort={by?.at === at ? (by.down ? "descending" : "ascending") : undefined}>
                {column.title === "" ? <span class="hidden-visually">{t("Actions")}</span> : (
                  <button type="button" class="graph-sort" onClick={() => sort({ at, down: by?.at === at && !by.down })}>
                    {column.title}{by?.at === at ? (by.down ? " ↓" : " ↑") : ""}
                  </button>
                )}
              </th>
            ))}</tr>
          </thead>
          <tbody>
            {sorted.slice(0, most).map((row) => (
              <tr key={id(row)} aria-current={selected === id(row) || undefined}>
                {columns.map((column) => <td key={column.title} class={column.number ? "number" : ""}>{column.cell(row)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > most ? <div><Button onClick={() => more(most + PAGE)}>{t("Show {count} more", { count: Math.min(PAGE, sorted.length - most) })}</Button></div> : null}
    </section>
  );
}

const order = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
