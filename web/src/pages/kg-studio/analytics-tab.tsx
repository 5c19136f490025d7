/** The graph from above: who is central, what belongs together, what is alone. */
import type { ComponentChildren } from "preact";

import { useLoad } from "../../api/load";
import { number, t } from "../../i18n";
import { Empty, Shown } from "../../ui/kit";
import { analytics, type Analytics } from "./api";
import { recordAt, searchAt, tabAt } from "./address";

const ROWS = 10;

export function AnalyticsTab({ database, round }: { database: string; round: number }) {
  const found = useLoad((signal) => analytics(database, signal), [database, round]);
  return (
    <Shown of={found}>{(data) => data.nodes
      ? <Numbers database={database} data={data} />
      : <Empty icon="metrics" title={t("Nothing to analyse yet")} action={<a class="button primary" href={tabAt(database, "ingest")}>{t("Add text")}</a>} />}</Shown>
  );
}

function Numbers({ database, data }: { database: string; data: Analytics }) {
  const facts: [string, string, string][] = [
    [t("Records"), number(data.nodes), t("nodes in the graph")],
    [t("Edges"), number(data.edges), t("{mean} per record on average", { mean: decimals(data.degree.mean, 1) })],
    [t("Density"), percent(data.density), t("of all possible edges")],
    [t("Components"), number(data.components.count), t("the largest has {largest} records", { largest: data.components.largest })],
    [t("Communities"), number(data.communities.count), data.communities.modularity > 0.3 ? t("well separated (modularity {value})", { value: decimals(data.communities.modularity, 2) }) : t("overlapping (modularity {value})", { value: decimals(data.communities.modularity, 2) })],
    [t("Isolated"), number(data.isolated.count), t("records without an edge")],
  ];
  const ranked = (rows: { id: string; title: string; type: string; value: number }[], shown: (value: number) => string): Row[] =>
    rows.slice(0, ROWS).map((row) => ({ key: row.id, href: recordAt(database, row.id), title: row.title || row.id, hint: row.type, value: row.value, shown: shown(row.value) }));
  const counts = (values: Record<string, number>, href?: (key: string) => string): Row[] =>
    Object.entries(values).slice(0, ROWS).map(([key, value]) => ({ key, title: key.replaceAll("_", " "), value, shown: number(value), ...(href ? { href: href(key) } : {}) }));
  return (
    <div class="stack">
      <dl class="kg-numbers">
        {facts.map(([title, value, hint]) => <div class="card" key={title}><dt>{title}</dt><dd class="number">{value}</dd><dd class="hint">{hint}</dd></div>)}
      </dl>
      <div class="kg-bars">
        <Bars title="PageRank" hint={t("How likely a random walk along the edges ends here.")} rows={ranked(data.pagerank, (value) => value.toFixed(4))} />
        <Bars title={t("Degree")} hint={t("How many edges a record has.")} rows={ranked(data.degree.top, (value) => number(value))} />
        <Bars title={t("Betweenness")} rows={ranked(data.betweenness.top, (value) => value.toFixed(4))}
          hint={data.betweenness.sampled
            ? t("How often it lies on the shortest path between two others, estimated from {sampled} starting points.", { sampled: data.betweenness.sampled })
            : t("How often it lies on the shortest path between two others.")} />
        <Bars title={t("Types")} hint={t("Records by type.")} rows={counts(data.types, (type) => searchAt(database, { types: [type] }))} />
        <Bars title={t("Relations")} hint={t("Edges by relation.")} rows={counts(data.relations)} />
        <Bars title={t("Components")} hint={t("Parts of the graph with no edge between them, by number of records.")}
          rows={data.components.sizes.slice(0, ROWS).map((size, at) => ({ key: String(at), title: t("Part {at}", { at: at + 1 }), value: size, shown: number(size) }))} />
      </div>
      <section class="card" aria-label={t("Communities")}>
        <header class="card-head"><h2>{t("Communities")}</h2></header>
        <p class="hint">{t("Groups with more edges inside than outside, named after their most central record.")}</p>
        <ul class="kg-communities">
          {data.communities.top.slice(0, 12).map((group) => (
            <li key={group.members[0]?.id ?? group.name}>
              <h3>{group.name} <span class="muted number">{group.size}</span></h3>
              <p class="hint">{Object.entries(group.types).map(([type, count]) => `${count} ${type}`).join(", ")}</p>
              <p>{group.members.slice(0, 6).map((member, at) => <>{at ? ", " : ""}<a href={recordAt(database, member.id)}>{member.title || member.id}</a></>)}{group.size > 6 ? "…" : ""}</p>
            </li>
          ))}
        </ul>
      </section>
      {data.isolated.count ? (
        <section class="card" aria-label={t("Without edges")}>
          <header class="card-head"><h2>{t("Without edges")}</h2></header>
          <p>{data.isolated.records.map((each, at) => <>{at ? ", " : ""}<a href={recordAt(database, each.id)}>{each.title || each.id}</a></>)}{data.isolated.count > data.isolated.records.length ? `, ${t("and {count} more", { count: data.isolated.count - data.isolated.records.length })}` : ""}</p>
        </section>
      ) : null}
    </div>
  );
}

interface Row {
  key: string;
  title: string;
  hint?: string;
  href?: string;
  value: number;
  shown: string;
}

/** A list with numbers, and a bar behind each that shows how they compare. */
function Bars({ title, hint, rows }: { title: string; hint: ComponentChildren; rows: Row[] }) {
  const most = Math.max(...rows.map((row) => row.value), 1e-12);
  return (
    <section class="card" aria-label={title}>
      <header class="card-head"><h2>{title}</h2></header>
      <p class="hint">{hint}</p>
      {rows.length ? (
        <ol class="kg-bar-list">
          {rows.map((row) => (
            <li key={row.key}>
              <span class="kg-bar-back" style={{ width: `${(row.value / most) * 100}%` }} />
              <span class="kg-bar-title">{row.href ? <a href={row.href}>{row.title}</a> : row.title}{row.hint ? <small class="muted"> {row.hint}</small> : null}</span>
              <span class="number">{row.shown}</span>
            </li>
          ))}
        </ol>
      ) : <p class="hint">{t("None.")}</p>}
    </section>
  );
}

const decimals = (value: number, digits: number): string => number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (value: number): string => number(value, { style: "percent", maximumSignificantDigits: 3 });
