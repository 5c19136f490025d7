/** MCP servers: their state, tools and quarantine, what was said, and one's own sign-in to them. */
import { useState } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { plural, t } from "../i18n";
import { at, go } from "../router";
import { mayForServer } from "../stores/account";
import { Badge, Button, Card, Field, Shown, Tabs } from "../ui/kit";
import { useReload } from "../ui/poll";
import { useSubmit } from "../ui/submit";
import { fullTime } from "../ui/time";
import { Listed, Removal } from "./access/frame";
import { AddServer } from "./mcp/add";
import { asksToken, connectServer, givenToken, giveToken, type McpDetails, type McpServer, pathOf, removeServer, stateKind, stateWords } from "./mcp/api";
import { SignIns } from "./mcp/sign-ins";
import { ErrorOutput, Transcript } from "./mcp/talk";
import { Tools } from "./mcp/tools";
import "./mcp/mcp.css";

const POLL_MS = 5000;

export default function Mcp() {
  return (
    <div class="stack">
      <SignIns />
      {mayForServer("mcp.manage") ? <Servers /> : null}
    </div>
  );
}

function Servers() {
  const loaded = useLoad((signal) => get<{ servers: McpServer[] }>("/api/mcp/servers", { signal }), []);
  useReload(loaded, POLL_MS);
  const [adding, add] = useState(false);
  return (
    <Shown of={loaded}>
      {({ servers }) => (
        <>
          {asksToken() ? <Token /> : null}
          <Listed page="mcp" label={t("MCP servers")} items={servers.map((each) => ({ ...each, id: each.name, title: each.name }))}
            actions={<Button kind="primary" icon="plus" onClick={() => add(true)}>{t("Add an MCP server")}</Button>}
            row={(each) => (
              <>
                <span class="rows-title">{each.name}</span>
                <span class="rows-wide muted mcp-place">{each.place}</span>
                {each.quarantined ? <Badge kind="warn">{plural(each.quarantined, "{count} in quarantine", "{count} in quarantine")}</Badge> : null}
                <span class="muted">{plural(each.accepted, "{count} tool", "{count} tools")}</span>
                <Badge kind={stateKind(each)}>{stateWords(each)}</Badge>
              </>
            )}>
            {(each) => <One server={each} onDone={loaded.reload} />}
          </Listed>
          {adding ? <AddServer onClose={() => add(false)} onDone={(name) => { add(false); loaded.reload(); go(at("mcp", [name])); }} /> : null}
        </>
      )}
    </Shown>
  );
}

/** For servers where nobody signs in. */
function Token() {
  const [typed, type] = useState(givenToken());
  return (
    <Card>
      <Field label={t("Admin token")} hint={t("Only needed to change something. The server wrote it to the file admin-token in its data folder; it is gone with this page.")}>
        {(field) => <input {...field} type="password" autocomplete="off" spellcheck={false} value={typed} onInput={(event) => { type(event.currentTarget.value); giveToken(event.currentTarget.value); }} />}
      </Field>
    </Card>
  );
}

type Part = "tools" | "transcript" | "errors";

function One({ server, onDone }: { server: McpServer; onDone: () => void }) {
  const loaded = useLoad((signal) => get<McpDetails>(pathOf(server.name), { signal }), [server.name, server.since, server.state]);
  const [part, choose] = useState<Part>("tools");
  const { busy, wrong, submit } = useSubmit([]);
  const renew = () => { loaded.reload(); onDone(); };
  const parts: { id: Part; title: string }[] = [
    { id: "tools", title: t("Tools") }, { id: "transcript", title: t("Transcript") },
    ...(server.kind === "command" ? [{ id: "errors" as const, title: t("Standard error") }] : []),
  ];
  const refused = Object.entries(server.refused_requests);
  return (
    <>
      <div class="row">
        <Badge kind={stateKind(server)}>{stateWords(server)}</Badge>
        <span class="hint">{t("since {time}", { time: fullTime(server.since) })}</span>
        <span class="spring" />
        <Button icon="refresh" busy={busy} onClick={() => void submit(async () => { await connectServer(server.name); renew(); })}>{t("Connect anew")}</Button>
      </div>
      {server.words ? <p class="wrong">{server.words}</p> : null}
      {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
      <dl class="facts">
        <div class="mcp-wide"><dt>{server.kind === "command" ? t("Command") : t("Address")}</dt><dd class="mcp-place">{server.place}</dd></div>
        {server.title ? <div><dt>{t("Calls itself")}</dt><dd>{server.title}</dd></div> : null}
        {server.protocol ? <div><dt>{t("Protocol")}</dt><dd>{server.protocol}</dd></div> : null}
        {server.missing ? <div><dt>{t("Gone")}</dt><dd>{plural(server.missing, "{count} accepted tool", "{count} accepted tools")}</dd></div> : null}
        {refused.length ? <div><dt>{t("Refused requests")}</dt><dd>{refused.map(([method, times]) => `${method} (${times})`).join(", ")}</dd></div> : null}
      </dl>
      <Tabs label={server.name} tabs={parts} chosen={part} onChoose={choose} />
      {part === "tools" ? <Shown of={loaded}>{(details) => <Tools server={details} onDone={renew} />}</Shown> : null}
      {part === "transcript" ? <Transcript server={server} /> : null}
      {part === "errors" ? <ErrorOutput server={server} /> : null}
      {server.source === "store" ? (
        <Removal label={t("Remove the server…")} title={t("Remove {name}?", { name: server.name })} what={t("Its tools go from new conversations, and what was decided about them is forgotten.")}
          remove={() => removeServer(server.name)} onDone={() => { go(at("mcp")); onDone(); }} />
      ) : <p class="hint">{t("It is one of the settings, and is removed there.")}</p>}
    </>
  );
}
