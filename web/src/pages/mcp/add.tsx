/** A form that adds an MCP server: a command that starts it, or its address. */
import { useState } from "preact/hooks";

import { t } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import { Button, Field, Switch, Tabs } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";
import { FormEnd } from "../access/frame";
import { addServer, commandOf, pairsOf } from "./api";

type Kind = "command" | "address";
const EMPTY = { name: "", command: "", url: "", env: "", headers: "", signIn: false, clientId: "", clientSecret: "", scopes: "" };

export function AddServer({ onClose, onDone }: { onClose: () => void; onDone: (name: string) => void }) {
  const [kind, choose] = useState<Kind>("command");
  const [values, set] = useState(EMPTY);
  const { busy, wrong, setWrong, submit, form } = useSubmit(["name", "command", "url", "env", "headers", "client_id", "client_secret", "scopes"]);
  const type = (name: keyof typeof EMPTY) => (event: { currentTarget: { value: string } }) => set({ ...values, [name]: event.currentTarget.value });
  const send = (event: Event) => {
    event.preventDefault();
    const env = pairsOf(values.env, "=");
    const headers = pairsOf(values.headers, ":");
    if (kind === "command" && env === null) return setWrong({ env: t("One on each line, as NAME=value.") });
    if (kind === "address" && headers === null) return setWrong({ headers: t("One on each line, as Name: value.") });
    const name = values.name.trim();
    const rest = kind === "command" ? { command: commandOf(values.command), env } : {
      url: values.url.trim(), headers, sign_in: values.signIn,
      ...(values.signIn ? { client_id: values.clientId.trim(), client_secret: values.clientSecret.trim() || null, scopes: values.scopes.split(/\s+/).filter(Boolean) } : {}),
    };
    void submit(async () => onDone((await addServer({ name, ...rest })).name));
  };
  return (
    <Dialog title={t("Add an MCP server")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        <Field label={t("Name")} error={wrong["name"]} hint={t("Small letters and digits, such as files. Its tools are called files__read_file.")}>
          {(field) => <input {...field} type="text" required autocapitalize="none" spellcheck={false} value={values.name} onInput={type("name")} />}
        </Field>
        <Tabs label={t("How it is reached")} tabs={[{ id: "command", title: t("Command") }, { id: "address", title: t("Address") }]} chosen={kind} onChoose={choose} />
        {kind === "command" ? (
          <>
            <Field label={t("Command")} error={wrong["command"]} hint={t("It runs on the server’s machine, as the user of the server, with limits and a bare environment.")}>
              {(field) => <input {...field} class="access-secret" type="text" required spellcheck={false} autocapitalize="none" placeholder="npx -y @modelcontextprotocol/server-filesystem /srv/papers" value={values.command} onInput={type("command")} />}
            </Field>
            <Field label={t("Variables of its environment")} error={wrong["env"]} hint={t("One on each line, as NAME=value. They are never shown again.")}>
              {(field) => <textarea {...field} rows={2} spellcheck={false} value={values.env} onInput={type("env")} />}
            </Field>
          </>
        ) : (
          <>
            <Field label={t("Address")} error={wrong["url"]}>
              {(field) => <input {...field} type="url" required spellcheck={false} placeholder="https://example.com/mcp" value={values.url} onInput={type("url")} />}
            </Field>
            <Field label={t("Headers")} error={wrong["headers"]} hint={t("One on each line, as Name: value. They are never shown again.")}>
              {(field) => <textarea {...field} rows={2} spellcheck={false} value={values.headers} onInput={type("headers")} />}
            </Field>
            <Switch label={t("Each user signs in to it")} checked={values.signIn} onChange={(signIn) => set({ ...values, signIn })} hint={t("With OAuth, in their own name. Nobody’s token is used for anybody else.")} />
            {values.signIn ? (
              <>
                <Field label={t("Client ID")} error={wrong["client_id"]} hint={t("Empty: this server registers itself.")}>
                  {(field) => <input {...field} type="text" spellcheck={false} value={values.clientId} onInput={type("clientId")} />}
                </Field>
                <Field label={t("Client secret")} error={wrong["client_secret"]}>
                  {(field) => <input {...field} type="password" autocomplete="off" value={values.clientSecret} onInput={type("clientSecret")} />}
                </Field>
                <Field label={t("Scopes")} error={wrong["scopes"]} hint={t("With spaces between them; empty: those that it asks for.")}>
                  {(field) => <input {...field} type="text" spellcheck={false} value={values.scopes} onInput={type("scopes")} />}
                </Field>
              </>
            ) : null}
          </>
        )}
        <FormEnd wrong={wrong[""]} busy={busy} label={t("Add")}><Button onClick={onClose}>{t("Cancel")}</Button></FormEnd>
      </form>
    </Dialog>
  );
}
