/** What the registry says of a tool, and what it did so far. */
import type { ComponentChildren } from "preact";

import type { Loaded } from "../../api/load";
import { t } from "../../i18n";
import { at } from "../../router";
import { may, mayForServer } from "../../stores/account";
import { Badge, Card, CopyButton, Shown } from "../../ui/kit";
import { ago, duration, fullTime } from "../../ui/time";
import type { AuditLine, Metrics, Tool } from "./api";
import { WORDS } from "./search";
import { ruleInWords } from "./words";

export function Metadata({ tool }: { tool: Tool }) {
  const rows: [string, ComponentChildren][] = [
    [t("Version"), tool.version],
    [t("Category"), WORDS[tool.category] ?? tool.category],
    [t("Area"), tool.catalogue ?? "workspace"],
    [t("Side effects"), { none: t("none"), read_only: t("read-only"), writes: t("writes") }[tool.sideEffects]],
    [t("Idempotent"), tool.idempotent ? t("yes: repeating a call changes nothing more") : t("no")],
    [t("Confirmation"), tool.requiresConfirmation ? t("a person approves each call") : t("none")],
    [t("Risk"), tool.requiresConfirmation ? (tool.risk === "low" ? t("low: a spoken yes is enough") : t("high: cannot be approved by voice")) : tool.risk],
    [t("Modes"), tool.allowedModes.join(", ")],
    [t("Execution"), { server: t("on the server"), client: t("in the user's browser"), background: t("in the background, as a task") }[tool.execution]],
    [t("Isolation"), tool.execution === "client" ? t("none: the browser runs it") : { inline: t("none: runs in the server"), thread: t("a thread"), process: t("a worker process with limits") }[tool.isolation]],
    [t("Latency budget"), duration(tool.latencyBudgetMs)],
    [t("Timeout"), duration(tool.timeoutMs)],
    [t("Rate limit"), tool.rateLimit ? t("{count} in {time}", { count: tool.rateLimit.calls, time: duration(tool.rateLimit.windowMs) }) : t("none")],
    [t("Availability"), tool.availability ? <code>{JSON.stringify(tool.availability)}</code> : t("always")],
    [t("When interrupted"), { cancel: t("stops"), finish: t("finishes and answers"), detach: t("continues without answering") }[tool.interruption]],
    [t("Redacted in the audit"), tool.redact?.length ? tool.redact.map((each) => <code key={each}>{each} </code>) : t("nothing")],
    [t("Handlers"), tool.variants?.length ? tool.variants.map((each) => `${each.name ?? "?"} (${each.weight ?? 1})`).join(", ") : t("one")],
    [t("Digest"), <span class="tools-digest"><code>{tool.digest}</code><CopyButton text={tool.digest} /></span>],
  ];
  return (
    <Card title={t("Contract")}>
      <div class="table-box"><table class="tools-facts">
        <tbody>{rows.map(([name, value]) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody>
      </table></div>
    </Card>
  );
}

export function Numbers({ tool, metrics, calls }: { tool: Tool; metrics: Metrics | null; calls: Loaded<{ lines: AuditLine[] } | null> }) {
  const id = tool.toolId;
  const outcomes = metrics?.calls[id] ?? {};
  const latency = metrics?.latency[id];
  const total = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
  const failed = Object.entries(outcomes).filter(([type]) => type !== "ok");
  const measured = mayForServer("metrics.read");
  if (!measured && !may("audit.read")) return null;
  return (
    <Card title={t("Usage")} actions={measured ? <a href={at("metrics")}>{t("All metrics")}</a> : null}>
      {total && latency ? (
        <dl class="tools-figures">
          <Figure name="Calls" value={String(total)} />
          <Figure name="Errors" value={String(total - (outcomes["ok"] ?? 0))} note={failed.map(([type, count]) => `${type} ${count}`).join(", ")} />
          <Figure name="p50" value={duration(latency.p50)} />
          <Figure name="p95" value={duration(latency.p95)} />
          <Figure name="p99" value={duration(latency.p99)} />
          <Figure name="Over budget" value={String(latency.overBudget)} note={`of ${duration(tool.latencyBudgetMs)}`} />
          <Figure name={t("Response")} value={t("{count} tokens", { count: metrics?.responseTokens[id]?.avg ?? 0 })} note={`p95 ${metrics?.responseTokens[id]?.p95 ?? 0}`} />
        </dl>
      ) : measured ? <p class="hint">{t("No runs since the server started.")}</p> : null}
      {may("audit.read") ? <RecentCalls id={id} calls={calls} /> : null}
    </Card>
  );
}

function RecentCalls({ id, calls }: { id: string; calls: Loaded<{ lines: AuditLine[] } | null> }) {
  return (
    <>
      <h3>{t("Recent calls")}</h3>
      <Shown of={calls}>
        {(found) => found?.lines.length ? (
          <div class="table-box" tabIndex={0} role="region" aria-label={t("Recent calls")}>
            <table>
              <thead><tr><th scope="col">{t("Time")}</th><th scope="col">{t("Decision")}</th><th scope="col">{t("Rule")}</th><th scope="col">{t("Outcome")}</th><th scope="col" class="number">{t("Duration")}</th><th scope="col">{t("Session")}</th></tr></thead>
              <tbody>
                {found.lines.map((line) => (
                  <tr key={line.seq}>
                    <td><time title={fullTime(line.at)}>{ago(line.at)}</time></td>
                    <td>{line.decision ?? line.event.replaceAll("_", " ")}</td>
                    <td title={ruleInWords(line.rule ?? "")}><code>{line.rule ?? "–"}</code></td>
                    <td>{line.ok ? <Badge kind="good">ok</Badge> : line.errorType ? <code>{line.errorType}</code> : "–"}</td>
                    <td class="number">{line.duration == null ? "–" : duration(line.duration)}</td>
                    <td><a href={at("sessions", [line.sessionId])}>{line.source ?? line.sessionId}</a></td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p><a href={at("audit", [], { tool: id })}>{t("All calls in the audit")}</a></p>
          </div>
        ) : <p class="hint">{t("No calls yet.")}</p>}
      </Shown>
    </>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return <div><dt>{name}</dt><dd><span class="number">{value}</span>{note ? <small class="hint">{note}</small> : null}</dd></div>;
}
