import { useId, useState } from "preact/hooks";

import { get, said } from "../../api/http";
import type { Loaded } from "../../api/load";
import { t } from "../../i18n";
import { at } from "../../router";
import { type Backend, prefer, prefs } from "../../stores/prefs";
import { conversation, talking } from "../../stores/talk";
import { toast } from "../../stores/toasts";
import { Badge, Button, Field, Shown, TextInput } from "../../ui/kit";
import { type BackendStatus, modelsOf, status as known, type VoxStatus } from "../../voice/backends";
import { Section } from "./section";

/** What each one gives. */
const GIVES: Record<Backend, string> = {
  local: t("Hears, understands and speaks on this machine: no key, no network, nothing leaves it. Answers from your knowledge and drives the workspace."),
  gemini: t("Free conversation in speech, both ways and at once, with 16 voices. Its key also makes images."),
  openai: t("Free conversation in speech, both ways and at once, with 10 voices. Its key also makes images. Any server that speaks its protocol works too."),
  claude: t("Thinks and writes; your browser does the listening and the speaking."),
};

export function Backends({ status }: { status: Loaded<VoxStatus> }) {
  const [probing, probe] = useState(false);
  const test = async () => {
    probe(true);
    try {
      known.value = await get<VoxStatus>("/api/vox/status", { query: { probe: true } });
    } catch {
      status.reload(); // says what is wrong
    } finally {
      probe(false);
    }
  };
  return (
    <Section part="backend" title={t("Who answers")}
      actions={<Button kind="quiet" icon="refresh" busy={probing} onClick={test}>{t("Test the connections")}</Button>}>
      <p class="hint">
        {t("Everything works without a key: talking, typing, tools, knowledge, workflows, macros and the calendar, with the built-in model. A key adds a model that can talk about anything.")}
      </p>
      <Shown of={status}>{(data) => <Choices status={data} />}</Shown>
    </Section>
  );
}

function Choices({ status }: { status: VoxStatus }) {
  const { backend, model } = prefs.value;
  const name = useId();
  const choose = (to: Backend | "") => prefer({ backend: to, model: "", voice: "" });
  const usual = status.backends.find((each) => each.name === status.backend);
  const inForce = status.backends.find((each) => each.name === (backend || status.backend));
  return (
    <>
      <fieldset class="settings-backends">
        <legend class="hidden-visually">{t("Who answers by default")}</legend>
        <label class="settings-choice">
          <input type="radio" name={name} checked={backend === ""} onChange={() => choose("")} {...named(`${name}-usual`)} />
          <span>
            <strong id={`${name}-usual`}>{t("As the server is set up")}</strong>
            <small class="hint" id={`${name}-usual-about`}>{t("Currently {model}", { model: usual?.label ?? status.backend })}</small>
          </span>
        </label>
        {status.backends.map((each) => (
          <label key={each.name} class="settings-choice">
            <input type="radio" name={name} checked={backend === each.name} onChange={() => choose(each.name)} {...named(`${name}-${each.name}`)} />
            <span>
              <strong id={`${name}-${each.name}`}>{each.label}</strong> <State of={each} />
              <small class="hint" id={`${name}-${each.name}-about`}>{GIVES[each.name]}</small>
              {each.why ? <small class="settings-why">{withCode(each.why)} {each.configured ? null : <a href={at("settings", ["keys"])}>{t("Or put it in here.")}</a>}</small> : null}
            </span>
          </label>
        ))}
      </fieldset>
      {inForce && inForce.models.length > 1 ? <Model of={inForce} chosen={backend ? model : ""} /> : null}
      {talking.value && backend ? (
        <p class="row"><span class="hint">{t("The open conversation goes on as it is.")}</span>
          <Button onClick={() => conversation.value?.restart({ backend, model }).catch((error: unknown) => toast(said(error), { kind: "bad" }))}>{t("Use it in this conversation")}</Button></p>
      ) : null}
    </>
  );
}

/** Called by its name alone; what it gives is read after that. */
const named = (id: string) => ({ "aria-labelledby": id, "aria-describedby": `${id}-about` });

/** What stands between backticks, as code. */
const withCode = (words: string) => words.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));

function State({ of }: { of: BackendStatus }) {
  if (!of.configured) return <Badge kind="warn">{t("needs a key")}</Badge>;
  if (of.reachable === false) return <Badge kind="bad">{t("does not answer")}</Badge>;
  return <Badge kind="good">{of.reachable ? t("ready") : t("has a key")}</Badge>;
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
