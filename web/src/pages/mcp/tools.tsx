/** Tools of an MCP server: what waits for a decision, what has changed, and what is accepted. */
import { Fragment } from "preact";

import { plural, t } from "../../i18n";
import { Badge, Button } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";
import { fullTime } from "../../ui/time";
import { decide, type McpDetails, type McpTool } from "./api";

/** What the server made visible: ⟨U+202E⟩ stands for what cannot be seen. */
const HIDDEN = /(⟨U\+[0-9A-F]{4,6}⟩)/;
export function Visible({ text }: { text: string }) {
  return <>{text.split(HIDDEN).map((part, at) => (at % 2 ? <mark key={at} class="mcp-hidden">{part}</mark> : part))}</>;
}

export function Tools({ server, onDone }: { server: McpDetails; onDone: () => void }) {
  const waiting = server.tools.filter((tool) => tool.status === "quarantined");
  const others = server.tools.filter((tool) => tool.status !== "quarantined");
  const { busy, wrong, submit } = useSubmit([]);
  const go = (what: "accept" | "reject", tools: readonly McpTool[]) => void submit(async () => { await decide(server.name, what, tools); onDone(); });
  return (
    <>
      {waiting.length ? (
        <section class="access-part" aria-label={t("Quarantine")}>
          <h3>{t("Quarantine")}</h3>
          <p class="hint">{t("These are new, have changed or look odd. Nobody can call them before you accept them. Read what they say: a model will believe it.")}</p>
          {waiting.map((tool) => <One key={tool.key} tool={tool} busy={busy} onDecide={(what) => go(what, [tool])} />)}
          {waiting.length > 1 ? (
            <div class="row">
              <Button busy={busy} onClick={() => go("accept", waiting)}>{plural(waiting.length, "Accept {count} tool", "Accept all {count} tools")}</Button>
              <Button kind="danger" busy={busy} onClick={() => go("reject", waiting)}>{plural(waiting.length, "Reject {count} tool", "Reject all {count} tools")}</Button>
            </div>
          ) : null}
        </section>
      ) : null}
      {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
      <section class="access-part" aria-label={t("Tools")}>
        <h3>{t("Tools")}</h3>
        {others.length ? others.map((tool) => <One key={tool.key} tool={tool} busy={busy} onDecide={(what) => go(what, [tool])} />)
          : <p class="hint">{t("There are none yet.")}</p>}
      </section>
    </>
  );
}

function One({ tool, busy, onDecide }: { tool: McpTool; busy: boolean; onDecide: (what: "accept" | "reject") => void }) {
  const kind = ({ accepted: "good", quarantined: "warn", rejected: "bad" } as const)[tool.status];
  const words = { accepted: t("accepted"), quarantined: t("in quarantine"), rejected: t("rejected") }[tool.status];
  return (
    <article class="mcp-tool" aria-label={tool.name}>
      <div class="row">
        <code class="mcp-name"><Visible text={tool.name} /></code>
        <Badge kind={kind}>{words}</Badge>
        {tool.there === false ? <Badge>{t("not there now")}</Badge> : null}
        <span class="spring" />
        {tool.status === "accepted" ? null : <Button kind="primary" busy={busy} onClick={() => onDecide("accept")}>{t("Accept")}<span class="hidden-visually"> {tool.name}</span></Button>}
        {tool.status === "rejected" ? null : <Button busy={busy} onClick={() => onDecide("reject")}>{t("Reject")}<span class="hidden-visually"> {tool.name}</span></Button>}
      </div>
      {tool.status === "accepted" || tool.warnings.some((each) => tool.reason.includes(each)) ? null : <p>{tool.reason}</p>}
      {tool.problem ? <p class="wrong">{tool.problem}</p> : null}
      {tool.warnings.length ? <ul class="mcp-warnings">{tool.warnings.map((each) => <li key={each}>{each}</li>)}</ul> : null}
      {tool.status !== "accepted" && tool.differences.length ? (
        <dl class="mcp-differences">
          {tool.differences.map(({ field, before, after }) => (
            <Fragment key={field}>
              <dt>{field}</dt>
              <dd>
                {before ? <del><span class="hidden-visually">{t("Before:")} </span><Visible text={before} /></del> : null}
                {after ? <ins><span class="hidden-visually">{t("Now:")} </span><Visible text={after} /></ins> : null}
              </dd>
            </Fragment>
          ))}
        </dl>
      ) : null}
      {tool.decided_at !== null ? <p class="hint">{t("Decided by {user}, {time}", { user: tool.decided_by ?? "–", time: fullTime(tool.decided_at) })}</p> : null}
    </article>
  );
}
