/** Service tokens: listed, made with bounds, shown once, and revoked. */
import { useState } from "preact/hooks";

import { del, post } from "../../api/http";
import { t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Checklist } from "../../ui/checklist";
import { Dialog } from "../../ui/dialog";
import { Badge, Button, Empty, Field } from "../../ui/kit";
import { useSubmit } from "../../ui/submit";
import { ago, fullTime } from "../../ui/time";
import type { Token } from "./api";
import { FormEnd, listOf, Once } from "./frame";
import { permissionWords } from "./words";
import "../../ui/rows.css";
import "./access.css";

export function TokenRows({ tokens, owners, onDone }: { tokens: readonly Token[]; owners: boolean; onDone: () => void }) {
  const [asking, ask] = useState<Token | null>(null);
  const { busy, wrong, submit } = useSubmit([]);
  const revoke = () => void submit(async () => {
    await del(`/api/tokens/${encodeURIComponent(asking!.id)}`);
    toast(t("{name} is revoked.", { name: asking!.name }), { kind: "good" });
    ask(null);
    onDone();
  });
  if (!tokens.length) return <Empty icon="key" title={t("No tokens yet")} />;
  return (
    <>
      <ul class="rows">
        {tokens.map((token) => (
          <li key={token.id} class="access-token">
            <p>
              <strong>{token.name}</strong> {owners ? <span class="muted">{token.user}</span> : null} {token.state === "active" ? null : <Badge kind={token.state === "revoked" ? "bad" : "warn"}>{token.state === "revoked" ? t("Revoked") : t("Expired")}</Badge>}
              <span class="hint">{boundsOf(token)}</span>
              <span class="hint">{usedOf(token)}</span>
            </p>
            {token.state === "active" ? <Button kind="danger" onClick={() => ask(token)}>{t("Revoke")}<span class="hidden-visually"> {token.name}</span></Button> : null}
          </li>
        ))}
      </ul>
      {asking ? (
        <Dialog title={t("Revoke {name}?", { name: asking.name })} onClose={() => ask(null)}>
          <p>{t("Programs that use it are refused within a second. It cannot be undone.")}</p>
          {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
          <div class="row"><Button kind="danger" busy={busy} onClick={revoke}>{t("Revoke")}</Button><Button onClick={() => ask(null)}>{t("Cancel")}</Button></div>
        </Dialog>
      ) : null}
    </>
  );
}

function boundsOf({ permissions, tools, networks, expires_at: end }: Token): string {
  return [
    permissions ? t("only {permissions}", { permissions: permissions.join(", ") }) : t("all permissions of its user"),
    tools ? t("tools {tools}", { tools: tools.join(", ") }) : "",
    networks ? t("from {networks}", { networks: networks.join(", ") }) : "",
    end === null ? t("no end") : t("until {time}", { time: fullTime(end) }),
  ].filter(Boolean).join(" · ");
}

function usedOf({ created_at: made, used_at: used }: Token): string {
  return `${t("created {when}", { when: ago(made) })} · ${used === null ? t("never used") : t("last used {when}", { when: ago(used) })}`;
}

const DAY_S = 86_400;
const ENDS = [30, 90, 365] as const;

/** `permissions`: those that its user has. */
export function NewToken({ permissions, user, onClose, onDone }: {
  permissions: readonly string[]; user?: string; onClose: () => void; onDone: () => void;
}) {
  const [name, setName] = useState("");
  const [all, setAll] = useState(true);
  const [chosen, choose] = useState<string[]>([]);
  const [tools, setTools] = useState("");
  const [networks, setNetworks] = useState("");
  const [days, setDays] = useState("90");
  const [secret, have] = useState("");
  const { busy, wrong, setWrong, submit, form } = useSubmit(["name", "permissions", "tools", "networks", "expires_at"]);
  const send = (event: Event) => {
    event.preventDefault();
    if (!all && !chosen.length) return setWrong({ permissions: t("Choose at least one, or all of them.") });
    void submit(async () => {
      const made = await post<{ secret: string }>("/api/tokens", {
        name,
        ...(user === undefined ? {} : { user }),
        ...(all ? {} : { permissions: chosen }),
        ...(listOf(tools).length ? { tools: listOf(tools) } : {}),
        ...(listOf(networks).length ? { networks: listOf(networks) } : {}),
        ...(days ? { expires_at: Math.floor(Date.now() / 1000) + Number(days) * DAY_S } : {}),
      });
      have(made.secret);
      onDone();
    });
  };
  if (secret) {
    return (
      <Dialog title={t("Token {name}", { name })} onClose={onClose}>
        <Once label={t("Token")} value={secret} hint={t("Copy it now: it is never shown again. Programs send it as Authorization: Bearer.")} />
        <div class="row"><Button kind="primary" onClick={onClose}>{t("Done")}</Button></div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("New token")} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={send} autocomplete="off">
        <Field label={t("Name")} error={wrong["name"]} hint={t("What it is for, such as nightly import.")}>
          {(field) => <input {...field} type="text" required value={name} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <Field label={t("Expires")} error={wrong["expires_at"]}>
          {(field) => (
            <select {...field} value={days} onChange={(event) => setDays(event.currentTarget.value)}>
              {ENDS.map((count) => <option key={count} value={String(count)}>{t("in {count} days", { count })}</option>)}
              <option value="">{t("never")}</option>
            </select>
          )}
        </Field>
        <Checklist label={t("Permissions")} choices={[{ id: "all", label: t("All that the user has, also later ones") }]} chosen={all ? ["all"] : []} onChange={(on) => setAll(on.length > 0)} />
        {all ? null : (
          <Checklist label={t("Only these")} error={wrong["permissions"]} chosen={chosen} onChange={choose} choices={permissions.map((id) => ({ id, label: permissionWords(id) || id, hint: id }))} />
        )}
        <Field label={t("Tools")} error={wrong["tools"]} hint={t("IDs, or patterns such as kb_*, with commas between them. Empty: all tools of the user.")}>
          {(field) => <input {...field} type="text" spellcheck={false} autocapitalize="none" value={tools} onInput={(event) => setTools(event.currentTarget.value)} />}
        </Field>
        <Field label={t("Networks")} error={wrong["networks"]} hint={t("Such as 10.1.0.0/16, with commas between them. Empty: from anywhere.")}>
          {(field) => <input {...field} type="text" spellcheck={false} autocapitalize="none" value={networks} onInput={(event) => setNetworks(event.currentTarget.value)} />}
        </Field>
        <FormEnd wrong={wrong[""]} busy={busy} label={t("Create")}><Button onClick={onClose}>{t("Cancel")}</Button></FormEnd>
      </form>
    </Dialog>
  );
}
