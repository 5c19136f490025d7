import { ruleAbout, useRules } from "../../api/rules";
import { at, go, route } from "../../router";
import { Card, Empty, Field } from "../../ui/kit";
import { duration } from "../../ui/time";
import { COLUMNS, descending, toolRows, type Column, type Metrics, type ToolRow } from "./document";
import { VOICE, type Percentiles } from "./history";

/** By rule since the start; the bar is drawn by the cell itself. */
export function RefusalTable({ counts }: { counts: Record<string, number> }) {
  const rules = useRules().data;
  const rows = descending(counts);
  if (!rows.length) return <p class="hint">Since the server started no call was refused.</p>;
  const most = rows[0]![1];
  return (
    <div class="table-box">
      <table>
        <caption>Since the server started</caption>
        <thead><tr><th scope="col">Rule</th><th scope="col" class="number">Refused</th><th scope="col" class="metrics-bars" aria-hidden="true" /></tr></thead>
        <tbody>
          {rows.map(([rule, count]) => (
            <tr key={rule}>
              <td><a href={at("audit", [], { rule })}><code>{rule}</code></a><small class="hint metrics-about">{ruleAbout(rules, rule)}</small></td>
              <td class="number">{count.toLocaleString()}</td>
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
  const { sessionInitTokens, systemPromptTokens, toolDeclTokens } = figures.context;
  return (
    <>
      {rows.length ? (
        <div class="table-box">
          <table>
            <caption>Since the server started</caption>
            <thead><tr><th scope="col">Backend</th><th scope="col" class="number">Read</th><th scope="col" class="number">of them cached</th><th scope="col" class="number">Written</th></tr></thead>
            <tbody>
              {rows.map(([backend, tokens]) => (
                <tr key={backend}><td>{backend}</td><td class="number">{tokens.input.toLocaleString()}</td><td class="number">{tokens.cached.toLocaleString()}</td><td class="number">{tokens.output.toLocaleString()}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <p class="hint">
        Declaring all {figures.registry.tools} tools costs a session about {toolDeclTokens.toLocaleString()} tokens
        {systemPromptTokens ? `, its instructions ${systemPromptTokens.toLocaleString()} more, together ${sessionInitTokens.toLocaleString()}` : ""}; a profile with fewer tools costs less.
      </p>
    </>
  );
}

const ABOUT: Record<string, string> = {
  time_to_first_audio: "from the end of what the person said to the first sound of the answer",
  turn_gap: "still to be played when the model was done",
  barge_in_stop: "from cutting in to silence on the server's side",
};

export function VoiceTable({ voice }: { voice: Record<string, Percentiles | null> }) {
  return (
    <div class="table-box">
      <table>
        <caption>Over the last 1,000 of each</caption>
        <thead><tr><th scope="col">What</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th></tr></thead>
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
  return Math.round(row[column]).toLocaleString();
};

export function ToolTable({ figures }: { figures: Metrics }) {
  const { query } = route.value;
  const sort = COLUMNS.find((column) => column.id === query.get("sort"))?.id ?? "calls";
  const named = query.get("tool") ?? "";
  const rows = toolRows(figures, sort).filter((row) => row.id.includes(named.toLowerCase()));
  const put = (change: Record<string, string>) => go(at("metrics", [], { ...Object.fromEntries(query), ...change }), true);
  return (
    <Card title="Tool by tool" actions={
      <Field label="Name has">{(field) => <input {...field} type="search" value={named} onInput={(event) => put({ tool: event.currentTarget.value })} />}</Field>
    }>
      <p class="hint">Times and answers are over the last 1,000 calls of each tool since the server started; tokens are estimated, a quarter of the characters.</p>
      {rows.length ? (
        <div class="table-box" tabIndex={0} role="region" aria-label="Tool by tool">
          <table class="metrics-tools">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column.id} scope="col" class={column.id === "id" ? "" : "number"}
                    aria-sort={sort === column.id ? (column.id === "id" ? "ascending" : "descending") : undefined}>
                    <button type="button" onClick={() => put({ sort: column.id === "calls" ? "" : column.id })}>
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
                    <td key={column.id} class={column.id === "id" ? "" : `number ${(column.id === "failed" || column.id === "overBudget") && row[column.id] ? "metrics-bad" : ""}`}>
                      {column.id === "id" ? <a href={at("tools", [row.id])}><code>{row.id}</code></a> : shown(row, column.id)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : named ? (
        <Empty icon="search" title={`No tool that ran has “${named}” in its name`} />
      ) : (
        <Empty icon="tool" title="No tool has run since the server started">
          <p><a href={at("tools")}>Try one</a>: its numbers appear here within seconds.</p>
        </Empty>
      )}
    </Card>
  );
}
