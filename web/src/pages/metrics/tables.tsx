import { ruleAbout, useRules } from "../../api/rules";
import { number, t } from "../../i18n";
import { at, route } from "../../router";
import { putIntoAddress } from "../../ui/filter-chips";
import { Card, Empty, Field } from "../../ui/kit";
import { duration } from "../../ui/time";
import { COLUMNS, descending, toolRows, type Column, type Metrics, type ToolRow } from "./document";
import { VOICE, type Percentiles } from "./history";

/** By rule since the start; the bar is drawn by the cell itself. */
export function RefusalTable({ counts }: { counts: Record<string, number> }) {
  const rules = useRules().data;
  const rows = descending(counts);
  if (!rows.length) return <p class="hint">{t("No calls were refused since the server started.")}</p>;
  const most = rows[0]![1];
  return (
    <div class="table-box">
      <table>
        <caption>{t("Since the server started")}</caption>
        <thead><tr><th scope="col">{t("Rule")}</th><th scope="col" class="number">{t("Refused")}</th><th scope="col" class="metrics-bars" aria-hidden="true" /></tr></thead>
        <tbody>
          {rows.map(([rule, count]) => (
            <tr key={rule}>
              <td><a href={at("audit", [], { rule })}><code>{rule}</code></a><small class="hint metrics-about">{ruleAbout(rules, rule)}</small></td>
              <td class="number">{number(count)}</td>
              <td aria-hidden="true"><meter min={0} max={most} value={count} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TokenTable({ figures }: { figures: Metrics }) {
  const rows = Object.entries(figures.modelTokens);
  return (
    <>
      {rows.length ? (
        <div class="table-box">
          <table>
            <caption>{t("Since the server started")}</caption>
            <thead><tr><th scope="col">{t("Model")}</th><th scope="col" class="number">{t("In")}</th><th scope="col" class="number">{t("Cached")}</th><th scope="col" class="number">{t("Out")}</th></tr></thead>
            <tbody>
              {rows.map(([backend, tokens]) => (
                <tr key={backend}><td>{backend}</td><td class="number">{number(tokens.input)}</td><td class="number">{number(tokens.cached)}</td><td class="number">{number(tokens.output)}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <p class="hint">{t("Declaring all {count} tools takes about {tokens} tokens per session. An agent with fewer tools takes fewer.",
        { count: figures.registry.tools, tokens: figures.context.toolDeclTokens })}</p>
    </>
  );
}

/** From so many characters on a result is worth a look. */
const LONG = 1500;

const ABOUT: Record<string, string> = {
  time_to_first_audio: t("from the end of the question to the first sound of the answer"),
  turn_gap: t("still to be played when the model finished"),
  barge_in_stop: t("from the interruption to silence, on the server"),
};

export function VoiceTable({ voice }: { voice: Record<string, Percentiles | null> }) {
  return (
    <div class="table-box">
      <table>
        <caption>{t("Last 1,000 of each")}</caption>
        <thead><tr><th scope="col">{t("Wait")}</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th></tr></thead>
        <tbody>
          {Object.entries(VOICE).map(([mark, title]) => {
            const found = voice[mark];
            return (
              <tr key={mark}>
                <td>{title}<small class="hint metrics-about">{ABOUT[mark]}</small></td>
                {(["p50", "p95", "p99"] as const).map((name) => <td key={name} class="number">{found ? duration(found[name]) : "–"}</td>)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const shown = (row: ToolRow, column: Column): string => {
  if (column === "id") return row.id;
  if (column === "p50" || column === "p95" || column === "p99") return duration(row[column]);
  return number(Math.round(row[column]));
};

export function ToolTable({ figures }: { figures: Metrics }) {
  const { query } = route.value;
  const sort = COLUMNS.find((column) => column.id === query.get("sort"))?.id ?? "calls";
  const named = query.get("tool") ?? "";
  const rows = toolRows(figures, sort).filter((row) => row.id.includes(named.toLowerCase()));
  return (
    <Card title={t("Tools")} actions={
      <Field label={t("Filter by name")}>{(field) => <input {...field} type="search" value={named} onInput={(event) => putIntoAddress({ tool: event.currentTarget.value })} />}</Field>
    }>
      <p class="hint">{t("Latency and result size cover the last 1,000 calls of each tool since the server started. Tokens are estimates. Large results cost tokens in every round; those over {limit} characters are marked.", { limit: LONG })}</p>
      {rows.length ? (
        <div class="table-box" tabIndex={0} role="region" aria-label={t("Tools")}>
          <table class="metrics-tools">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column.id} scope="col" class={column.id === "id" ? "" : "number"}
                    aria-sort={sort === column.id ? (column.id === "id" ? "ascending" : "descending") : undefined}>
                    <button type="button" onClick={() => putIntoAddress({ sort: column.id === "calls" ? "" : column.id })}>
                      {column.title}{sort === column.id ? <span aria-hidden="true"> {column.id === "id" ? "▲" : "▼"}</span> : null}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  {COLUMNS.map((column) => (
                    <td key={column.id} class={column.id === "id" ? "" : `number ${(column.id === "failed" || column.id === "overBudget") && row[column.id] ? "metrics-bad" : column.id === "chars" && row.chars > LONG ? "metrics-long" : ""}`}>
                      {column.id === "id" ? <a href={at("tools", [row.id])}><code>{row.id}</code></a> : shown(row, column.id)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : named ? (
        <Empty icon="search" title={t("No tool that ran matches “{name}”", { name: named })} />
      ) : (
        <Empty icon="tool" title={t("No tools have run since the server started")}>
          <p><a href={at("tools")}>{t("Try a tool")}</a></p>
        </Empty>
      )}
    </Card>
  );
}
