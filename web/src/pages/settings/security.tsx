/** How one signs in: the password, passkeys, and the browsers that are signed in. */
import { useState } from "preact/hooks";

import { ApiError, del, get, put } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { addPasskey, hasPasskeys } from "../../sign-in/passkeys";
import { tooMany } from "../../sign-in/words";
import { account, ways } from "../../stores/account";
import { toast } from "../../stores/toasts";
import { Badge, Button, Empty, Field, Shown } from "../../ui/kit";
import { Secret, SHORTEST } from "../../ui/secret";
import { useSubmit } from "../../ui/submit";
import { ago, fullTime } from "../../ui/time";
import { FormEnd } from "../access/frame";
import { Section } from "./section";

export function Security() {
  return (
    <>
      <Section part="security" title={t("Password")}>{account.value!.has_password ? <Password /> : <p class="hint">{t("You have no password. An administrator can send you a link by which you set one.")}</p>}</Section>
      {ways.value?.passkey ? <Passkeys /> : null}
      <Browsers />
    </>
  );
}

function Password() {
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const { busy, wrong, setWrong, submit, form } = useSubmit(["old", "new", "password"]);
  const send = (event: Event) => {
    event.preventDefault();
    if (next.length < SHORTEST) return setWrong({ new: t("Use at least {count} characters.", { count: SHORTEST }) });
    void submit(async () => {
      try {
        await put("/api/account/password", { old, new: next });
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return setWrong({ old: t("This is not your current password.") });
        if (error instanceof ApiError && error.status === 429) return setWrong({ "": tooMany(error.retryAfter) });
        throw error;
      }
      setOld("");
      setNext("");
      toast(t("Password changed. Your other browsers are signed out."), { kind: "good" });
    });
  };
  return (
    <form class="stack" ref={form} onSubmit={send}>
      <input class="hidden-visually" type="text" name="username" autocomplete="username" readonly tabIndex={-1} aria-hidden="true" value={account.value!.user} />
      <Secret label={t("Current password")} name="old" autocomplete="current-password" value={old} onType={setOld} error={wrong["old"]} />
      <Secret label={t("New password")} name="new" autocomplete="new-password" value={next} onType={setNext} error={wrong["new"] ?? wrong["password"]}
        hint={t("At least {count} characters. All other browsers that you are signed in with are signed out.", { count: SHORTEST })} />
      <FormEnd wrong={wrong[""]} busy={busy} label={t("Change password")} />
    </form>
  );
}

interface Passkey { id: string; name: string; created_at: number; used_at: number | null }

function Passkeys() {
  const loaded = useLoad((signal) => get<{ passkeys: Passkey[] }>("/api/account/passkeys", { signal }), []);
  const [name, setName] = useState("");
  const { busy, wrong, submit, form } = useSubmit(["name"]);
  const add = (event: Event) => {
    event.preventDefault();
    void submit(async () => {
      if (!(await addPasskey(name.trim()))) return;
      setName("");
      loaded.reload();
      toast(t("Passkey added."), { kind: "good" });
    });
  };
  const remove = (key: Passkey) => void submit(async () => {
    await del(`/api/account/passkeys/${encodeURIComponent(key.id)}`);
    loaded.reload();
    toast(t("{name} is removed.", { name: key.name }), { kind: "good" });
  });
  return (
    <Section part="passkeys" title={t("Passkeys")}>
      <p class="hint">{t("A passkey signs you in with the fingerprint, face or PIN of a device, without a password.")}</p>
      <Shown of={loaded}>
        {({ passkeys }) => passkeys.length ? (
          <ul class="list">
            {passkeys.map((key) => (
              <li key={key.id} class="row settings-approval">
                <strong>{key.name}</strong>
                <span class="hint" title={fullTime(key.created_at)}>{t("created {when}", { when: ago(key.created_at) })} · {key.used_at === null ? t("never used") : t("last used {when}", { when: ago(key.used_at) })}</span>
                <span class="spring" />
                <Button kind="danger" disabled={busy} onClick={() => remove(key)}>{t("Remove")}<span class="hidden-visually"> {key.name}</span></Button>
              </li>
            ))}
          </ul>
        ) : <Empty icon="key" title={t("No passkeys yet")} />}
      </Shown>
      {hasPasskeys() ? (
        <form class="stack" ref={form} onSubmit={add} autocomplete="off">
          <Field label={t("Name of the new passkey")} error={wrong["name"]} hint={t("By which you know the device, such as work laptop.")}>
            {(field) => <input {...field} type="text" required maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />}
          </Field>
          <FormEnd wrong={wrong[""]} busy={busy} label={t("Add a passkey")} />
        </form>
      ) : <p class="hint">{t("This browser cannot make passkeys here.")}</p>}
    </Section>
  );
}

interface BrowserSession { id: string; way: string; agent: string; created_at: number; used_at: number; expires_at: number; current: boolean }

const WAYS: Record<string, string> = { password: t("password"), link: t("link"), oidc: t("identity provider"), passkey: t("passkey") };

function Browsers() {
  const loaded = useLoad((signal) => get<{ sessions: BrowserSession[] }>("/api/account/sessions", { signal }), []);
  const { busy, wrong, submit } = useSubmit([]);
  const end = (path: string, done: string) => void submit(async () => {
    await del(path);
    toast(done, { kind: "good" });
    loaded.reload();
  });
  const others = loaded.data?.sessions.filter((each) => !each.current).length ?? 0;
  return (
    <Section part="browsers" title={t("Signed-in browsers")}
      actions={others ? <Button disabled={busy} onClick={() => end("/api/account/sessions", plural(others, "{count} other browser is signed out.", "{count} other browsers are signed out."))}>{t("Sign out all others")}</Button> : null}>
      {wrong[""] ? <p class="wrong" role="alert">{wrong[""]}</p> : null}
      <Shown of={loaded}>
        {({ sessions }) => (
          <ul class="list">
            {sessions.map((each) => (
              <li key={each.id} class="row settings-approval">
                <strong>{browserName(each.agent)}</strong>
                {each.current ? <Badge kind="good">{t("this browser")}</Badge> : null}
                <span class="hint" title={`${each.agent} ${fullTime(each.created_at)}`}>{WAYS[each.way] ?? each.way} · {t("signed in {when}", { when: ago(each.created_at) })} · {t("last used {when}", { when: ago(each.used_at) })}</span>
                <span class="spring" />
                {each.current ? null : (
                  <Button kind="danger" disabled={busy} onClick={() => end(`/api/account/sessions/${encodeURIComponent(each.id)}`, t("That browser is signed out."))}>
                    {t("Sign out")}<span class="hidden-visually"> {browserName(each.agent)}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Section>
  );
}

const BROWSERS: [RegExp, string][] = [[/Edg\//, "Edge"], [/OPR\//, "Opera"], [/Firefox\//, "Firefox"], [/Chrom(e|ium)\/|HeadlessChrome/, "Chrome"], [/Safari\//, "Safari"]];
const SYSTEMS: [RegExp, string][] = [[/Android/, "Android"], [/iPhone|iPad/, "iOS"], [/Windows/, "Windows"], [/Mac OS X/, "macOS"], [/Linux/, "Linux"]];

/** What a browser calls itself, as people know it. */
export function browserName(agent: string): string {
  const browser = BROWSERS.find(([mark]) => mark.test(agent))?.[1];
  const system = SYSTEMS.find(([mark]) => mark.test(agent))?.[1];
  if (!browser) return agent.slice(0, 40) || t("Unknown browser");
  return system ? t("{browser} on {system}", { browser, system }) : browser;
}
