import { useRef, useState } from "preact/hooks";

import { ApiError, post, said } from "../../api/http";
import type { Loaded } from "../../api/load";
import { listed, rich, t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Badge, Button, Field, Shown } from "../../ui/kit";
import type { VoxStatus } from "../../voice/backends";
import { Section } from "./section";

const VENDORS = [
  { id: "gemini", label: "Gemini", start: "AIza…" },
  { id: "openai", label: "OpenAI", start: "sk-…" },
  { id: "claude", label: "Claude", start: "sk-ant-…" },
] as const;
type Vendor = (typeof VENDORS)[number]["id"];

export function Keys({ status }: { status: Loaded<VoxStatus> }) {
  // Neither is kept: they are gone with the page, and a key as soon as it is saved.
  const [token, setToken] = useState("");
  const [keys, setKeys] = useState<Partial<Record<Vendor, string>>>({});
  const [busy, set] = useState(false);
  const [wrong, tell] = useState<{ token?: string; keys?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  const send = async (body: Partial<Record<Vendor, string | null>>, done: string) => {
    if (!token.trim()) {
      tell({ token: t("The admin token is needed for this.") });
      form.current?.querySelector<HTMLInputElement>("[data-token]")?.focus();
      return;
    }
    set(true);
    tell({});
    try {
      await post("/api/config/keys", body, { headers: { Authorization: `Bearer ${token.trim()}` } });
      setKeys((before) => ({ ...before, ...Object.fromEntries(Object.keys(body).map((name) => [name, ""])) }));
      toast(done, { kind: "good" });
      status.reload();
    } catch (error) {
      const unknown = error instanceof ApiError && error.status === 401;
      tell(unknown ? { token: t("That is not the admin token. It is in the file admin-token of the data folder.") } : { keys: said(error) });
    } finally {
      set(false);
    }
  };
  const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key?.trim())) as Partial<Record<Vendor, string>>;
  const names = VENDORS.filter((each) => given[each.id]).map((each) => each.label);
  const save = (event: Event) => {
    event.preventDefault();
    if (!names.length) tell({ keys: t("Put a key into one of the fields first.") });
    else void send(given, t("Saved. Keys in use: {names}.", { names: listed(names) }));
  };
  return (
    <Section part="keys" title={t("Keys")}>
      <p class="hint">{t("Keys go in and never come out again, not for you, not for an agent. They are in force at once and after a restart.")}</p>
      <Shown of={status}>
        {(known) => (
          <form class="stack" ref={form} onSubmit={save} autocomplete="off">
            <div class="settings-keys">
              {VENDORS.map(({ id, label, start }) => {
                const there = known.backends.find((each) => each.name === id)?.configured;
                return (
                  <div key={id} class="settings-key">
                    <Field label={t("{provider} API key", { provider: label })}>
                      {(field) => (
                        <input {...field} type="password" autocomplete="off" spellcheck={false} placeholder={there ? t("Set. Type to replace it") : start}
                          value={keys[id] ?? ""} onInput={(event) => setKeys({ ...keys, [id]: event.currentTarget.value })} />
                      )}
                    </Field>
                    {there ? (
                      <div class="row">
                        <Badge kind="good">{t("set")}</Badge>
                        <Button kind="quiet" icon="trash" disabled={busy}
                          onClick={() => void send({ [id]: null }, t("{provider} API key removed.", { provider: label }))}>
                          {t("Remove")}<span class="hidden-visually"> {t("{provider} API key", { provider: label })}</span>
                        </Button>
                      </div>
                    ) : null}
                  </div>
                );
              })}
            </div>
            <Field label={t("Admin token")} error={wrong.token}
              hint={<>{rich("Shows that you may change keys. The server wrote it at its first start: {code} (or that file in your own data folder). It is not kept here.", { code: <code>cat .antiphon/admin-token</code> })}</>}>
              {(field) => (
                <input {...field} data-token type="password" autocomplete="off" spellcheck={false} value={token}
                  onInput={(event) => setToken(event.currentTarget.value)} />
              )}
            </Field>
            {wrong.keys ? <p class="wrong" role="alert">{wrong.keys}</p> : null}
            <div class="row"><Button kind="primary" type="submit" icon="key" busy={busy}>{t("Save the keys")}</Button></div>
          </form>
        )}
      </Shown>
    </Section>
  );
}
