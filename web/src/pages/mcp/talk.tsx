/** What passed between an MCP server and this one: requests beside their answers, and its standard error. */
import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { Button, Shown } from "../../ui/kit";
import { clockTime } from "../../ui/time";
import { exchanges, type McpMessage, type McpServer, pathOf } from "./api";
import { Visible } from "./tools";

export function Transcript({ server }: { server: McpServer }) {
  const loaded = useLoad((signal) => get<{ messages: McpMessage[]; dropped: number }>(`${pathOf(server.name)}/transcript`, { signal }), [server.name, server.since]);
  return (
    <Shown of={loaded}>
      {({ messages, dropped }) => (
        <>
          <div class="row">
            <Button icon="refresh" onClick={loaded.reload}>{t("Load again")}</Button>
            {dropped ? <span class="hint">{plural(dropped, "{count} earlier message is gone.", "{count} earlier messages are gone.")}</span> : null}
          </div>
          {messages.length ? (
            <ol class="mcp-talk">
              {exchanges(messages).map(({ request, answer }, at) => (
                <li key={at}>
                  <Message message={request} />
                  {answer ? <Message message={answer} /> : null}
                </li>
              ))}
            </ol>
          ) : <p class="hint">{t("Nothing was said yet.")}</p>}
        </>
      )}
    </Shown>
  );
}

function Message({ message }: { message: McpMessage }) {
  const who = message.sender === "here" ? t("To the server") : t("From the server");
  return (
    <details class={`mcp-message ${message.sender}`}>
      <summary>
        <span class="muted">{clockTime(message.at)} {who}</span> <strong>{message.method || t("Answer")}</strong>{message.id !== null ? <span class="muted"> #{message.id}</span> : null}
      </summary>
      <pre tabIndex={0}><Visible text={message.text} /></pre>
    </details>
  );
}

export function ErrorOutput({ server }: { server: McpServer }) {
  const loaded = useLoad((signal) => get<{ text: string }>(`${pathOf(server.name)}/stderr`, { signal }), [server.name, server.since]);
  return (
    <Shown of={loaded}>
      {({ text }) => (
        <>
          <div class="row"><Button icon="refresh" onClick={loaded.reload}>{t("Load again")}</Button></div>
          {text ? <pre class="mcp-errors" tabIndex={0} aria-label={t("Standard error")}>{text}</pre> : <p class="hint">{t("It has written nothing.")}</p>}
        </>
      )}
    </Shown>
  );
}
