/** Which model answers, and the key of each provider: one card for each. */
import { useId, useRef, useState } from "preact/hooks";

import { ApiError, get, post, said } from "../../api/http";
import type { Loaded } from "../../api/load";
import { listed, rich, t } from "../../i18n";
import { hasSession, mayForServer } from "../../stores/account";
import { type Backend, prefer, prefs } from "../../stores/prefs";
import { conversation, talking } from "../../stores/talk";
import { toast } from "../../stores/toasts";
import { Badge, Button, Field, Shown, TextInput } from "../../ui/kit";
import { type BackendStatus, loadStatus, modelsOf, status as known, statusError, type VoxStatus } from "../../voice/backends";
import { Section } from "./section";

/** What each one gives. */
const GIVES: Record<Backend, string> = {
  local: t("Listens, understands and speaks on this machine: no key, no network, nothing leaves it. Answers from your knowledge and operates the workspace."),
  gemini: t("Natural spoken conversation with 16 voices. Also creates images."),
  openai: t("Natural spoken conversation with 10 voices. Also creates images. Any compatible server works too."),
  claude: t("Thinks and writes; your browser listens and speaks."),
};
const STARTS: Partial<Record<Backend, string>> = { gemini: "AIza…", openai: "sk-…", claude: "sk-ant-…" };
type Keys = Partial<Record<Backend, string>>;

export function Models() {
  const status: Loaded<VoxStatus> = {
    ...{ data: known.value, error: statusError.value },
    ...{ loading: !known.value, reload: () => void loadStatus() },
  };
  return (
    <Section part="backend" title={t("Models")}>
      <p class="hint">{t("Everything works without a key, with the built-in model. A key adds a model that can talk about anything.")}</p>
      <Shown of={status}>{(data) => <Providers status={data} />}</Shown>
    </Section>
  );
}

function Providers({ status }: { status: VoxStatus }) {
  const { backend, model } = prefs.value;
  const name = useId();
  const choose = (to: Backend | "") => prefer({ backend: to, model: "", voice: "" });
  const usual = status.backends.find((each) => each.name === status.backend);
  const inForce = status.backends.find((each) => each.name === (backend || status.backend));
  // Neither is kept: they are gone with the page, and a key as soon as it is saved.
  const [keys, setKeys] = useState<Keys>({});
  const [token, setToken] = useState("");
  const [busy, work] = useState("");
  const [wrong, tell] = useState<{ token?: string; keys?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  // Whoever is signed in either has the permission, or sets no keys.
  const asksToken = !hasSession.value;
  const setsKeys = asksToken || mayForServer("keys.manage");
  const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key?.trim())) as Keys;
  const typed = Object.keys(given).length > 0;

  const send = async (body: Partial<Record<Backend, string | null>>, done: string) => {
    if (asksToken && !token.trim()) {
      tell({ token: t("Enter the admin token to change keys.") });
      form.current?.querySelector<HTMLInputElement>("[data-token]")?.focus();
      return;
    }
    work("keys");
    tell({});
    try {
      await post("/api/config/keys", body, asksToken ? { headers: { Authorization: `Bearer ${token.trim()}` } } : {});
      setKeys((before) => ({ ...before, ...Object.fromEntries(Object.keys(body).map((each) => [each, ""])) }));
      toast(done, { kind: "good" });
      await loadStatus();
    } catch (error) {
      const unknown = asksToken && error instanceof ApiError && error.status === 401;
      tell(unknown ? { token: t("That is not the admin token. It is in the file admin-token in the data folder.") } : { keys: said(error) });
    } finally {
      work("");
    }
  };
  const save = (event: Event) => {
    event.preventDefault();
    if (!typed) return tell({ keys: t("Enter a key first.") });
    const names = status.backends.filter((each) => given[each.name]).map((each) => each.label);
    void send(given, t("Saved. Keys in use: {names}.", { names: listed(names) }));
  };
  const test = async (which: string) => {
    work(which);
    try {
      known.value = await get<VoxStatus>("/api/vox/status", { query: { probe: true } });
    } catch {
      await loadStatus(); // says what is wrong
    } finally {
      work("");
    }
  };
  return (
    <form class="stack" ref={form} onSubmit={save} autocomplete="off">
      <fieldset class="settings-backends">
        <legend class="hidden-visually">{t("Default model")}</legend>
        <div class="settings-provider">
          <label class="settings-choice">
            <input type="radio" name={name} checked={backend === ""} onChange={() => choose("")} {...named(`${name}-usual`)} />
            <strong id={`${name}-usual`}>{t("Server default")}</strong>
            <span class="hint" id={`${name}-usual-about`}>{t("Currently {model}", { model: usual?.label ?? status.backend })}</span>
          </label>
        </div>
        {status.backends.map((each) => (
          <div key={each.name} class="settings-provider" data-tour={each.name === "gemini" ? "settings-keys" : undefined}>
            <div class="settings-provider-head">
              <label class="settings-choice">
                <input type="radio" name={name} checked={backend === each.name} onChange={() => choose(each.name)} {...named(`${name}-${each.name}`)} />
                <strong id={`${name}-${each.name}`}>{each.label}</strong> <State of={each} />
              </label>
              {each.configured ? <Button kind="quiet" busy={busy === each.name} onClick={() => void test(each.name)}>{t("Test")}<span class="hidden-visually"> {each.label}</span></Button> : null}
            </div>
            <p class="hint" id={`${name}-${each.name}-about`}>{GIVES[each.name]}</p>
            {each.why && each.configured ? <p class="settings-why">{withCode(each.why)}</p> : null}
            {STARTS[each.name] && setsKeys ? (
              <Field label={t("{provider} API key", { provider: each.label })}>
                {(field) => (
                  <div class="settings-key">
                    <input {...field} type="password" autocomplete="off" spellcheck={false} placeholder={each.configured ? t("Set. Type to replace") : STARTS[each.name]}
                      value={keys[each.name] ?? ""} onInput={(event) => setKeys({ ...keys, [each.name]: event.currentTarget.value })} />
                    {each.configured ? (
                      <Button kind="quiet" icon="trash" disabled={busy !== ""} onClick={() => void send({ [each.name]: null }, t("{provider} API key removed.", { provider: each.label }))}>
                        {t("Remove")}<span class="hidden-visually"> {t("{provider} API key", { provider: each.label })}</span>
                      </Button>
                    ) : null}
                  </div>
                )}
              </Field>
            ) : null}
          </div>
        ))}
      </fieldset>
      {inForce && inForce.models.length > 1 ? <Model of={inForce} chosen={backend ? model : ""} /> : null}
      {setsKeys ? <div class="settings-save">
        {asksToken ? <Field label={t("Admin token")} error={wrong.token}
          hint={rich("Only needed to change keys. The server wrote it to the file {file} in its data folder. Keys are stored on the server and never shown again; the environment variable {name} does the same.", { file: <code>admin-token</code>, name: <code>GEMINI_API_KEY</code> })}>
          {(field) => (
            <input {...field} data-token type="password" autocomplete="off" spellcheck={false} value={token} onInput={(event) => setToken(event.currentTarget.value)} />
          )}
        </Field> : null}
        {wrong.keys ? <p class="wrong" role="alert">{wrong.keys}</p> : null}
        <div class="row"><Button kind={typed ? "primary" : "plain"} type="submit" icon="key" busy={busy === "keys"}>{t("Save keys")}</Button></div>
      </div> : null}
      {talking.value && backend ? (
        <p class="row"><span class="hint">{t("The open conversation continues unchanged.")}</span>
          <Button onClick={() => conversation.value?.restart({ backend, model }).catch((error: unknown) => toast(said(error), { kind: "bad" }))}>{t("Use it in this conversation")}</Button></p>
      ) : null}
    </form>
  );
}

/** Called by its name alone; what it gives is read after that. */
const named = (id: string) => ({ "aria-labelledby": id, "aria-describedby": `${id}-about` });

/** What stands between backticks, as code. */
const withCode = (words: string) => words.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));

function State({ of }: { of: BackendStatus }) {
  if (!of.configured) return <Badge>{t("No key")}</Badge>;
  if (of.reachable === false) return <Badge kind="bad">{t("Not reachable")}</Badge>;
  return <Badge kind="good">{of.reachable ? t("Ready") : t("Key set")}</Badge>;
}

function Model({ of, chosen }: { of: BackendStatus; chosen: string }) {
  const list = useId();
  const usual = of.voice_model ?? of.model;
  return (
    <Field label={t("{provider} model for conversations", { provider: of.label })} hint={t("Leave empty for {model}. You can also type a name that is not listed.", { model: usual ?? "" })}>
      {(field) => (
        <>
          <TextInput {...field} list={list} value={chosen} placeholder={usual ?? ""}
            onDone={(model) => prefer({ backend: of.name, model })} />
          <datalist id={list}>{modelsOf(of, "voice").map((each) => <option key={each.id} value={each.id}>{each.label}</option>)}</datalist>
        </>
      )}
    </Field>
  );
}
