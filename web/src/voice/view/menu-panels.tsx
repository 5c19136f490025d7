/** What is in the small menus of the composer. */
import { useEffect } from "preact/hooks";

import { get, said } from "../../api/http";
import { useLoad } from "../../api/load";
import { rich, t } from "../../i18n";
import { prefer, prefs, type Backend } from "../../stores/prefs";
import { TALK_PROFILE } from "../../stores/talk";
import { toast } from "../../stores/toasts";
import { Field, Problem, Switch } from "../../ui/kit";
import { backend, backendStatus, loadStatus, loadVoices, modelFor, modelsOf, status, statusError, usable, voicesOf } from "../backends";
import { conversationId, live, phase, restart } from "../conversation";
import { profile } from "../written";

export function ModelPanel() {
  const one = backendStatus.value;
  return (
    <>
      {statusError.value ? <Problem error={statusError.value} retry={() => void loadStatus()} /> : null}
      <ModelChoice />
      {one && !usable(one) ? <p class="wrong">{one.why}</p> : null}
      <AgentChoice />
    </>
  );
}

/** Backend and model in one list: `gemini/gemini-2.5-flash`. */
function ModelChoice() {
  const found = status.value;
  const mode = live.value ? "voice" : "text";
  const model = modelFor(mode) ?? (mode === "voice" ? backendStatus.value?.voice_model : null) ?? backendStatus.value?.model ?? "";
  const missing = found?.backends.filter((each) => !usable(each)) ?? [];
  const hint = missing.length
    ? rich("{names}: add a key in {settings}.", { names: missing.map((each) => each.label).join(", "), settings: <a href="#/settings">{t("Settings")}</a> })
    : null;
  const choose = (value: string) => {
    const cut = value.indexOf("/");
    const chosen = value.slice(0, cut);
    void restart({ backend: chosen, model: value.slice(cut + 1), voice: chosen === prefs.value.backend ? prefs.value.voice : "" });
  };
  return (
    <Field label={t("Model")} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={`${backend.value}/${model}`} disabled={!found} onChange={(event) => choose(event.currentTarget.value)}>
          {found?.backends.map((each) => {
            const models = modelsOf(each, mode);
            const usual = (mode === "voice" ? each.voice_model : null) ?? each.model;
            const listed = usual && !models.some(({ id }) => id === usual) ? [{ id: usual, label: usual }, ...models] : models;
            return (
              <optgroup key={each.name} label={usable(each) ? each.label : `${each.label} (${each.configured ? t("not reachable") : t("needs a key")})`} disabled={!usable(each)}>
                {listed.map(({ id, label }) => <option key={id} value={`${each.name}/${id}`}>{label}</option>)}
              </optgroup>
            );
          })}
        </select>
      )}
    </Field>
  );
}

interface Profiles {
  profiles: { name: string; description: string }[];
}

/** Other agents than the one that has everything; a conversation keeps the one that it began with. */
function AgentChoice() {
  const found = useLoad((signal) => get<Profiles>("/api/profiles", { signal }), []);
  if (conversationId.value || !found.data || found.data.profiles.length < 2) return null;
  return (
    <Field label={t("Agent")} hint={t("“{name}” knows every database and tool that you may use.", { name: TALK_PROFILE })}>
      {(attributes) => (
        <select {...attributes} value={profile.value} onChange={(event) => { profile.value = event.currentTarget.value; }}>
          {found.data!.profiles.map(({ name, description }) => <option key={name} value={name} title={description}>{name}</option>)}
        </select>
      )}
    </Field>
  );
}

export function VoicePanel() {
  useEffect(() => {
    loadVoices(backend.value).catch((error: unknown) => toast(said(error), { kind: "bad" }));
  }, [backend.value]);
  return (
    <>
      <Switch label={t("Hands-free")} checked={prefs.value.handsFree}
        hint={prefs.value.handsFree ? t("Speak when you like") : t("Push-to-talk: hold Space or the microphone while you speak")}
        onChange={(handsFree) => prefer({ handsFree })} />
      <Switch label={t("Speak answers")} checked={prefs.value.speakAnswers}
        hint={prefs.value.speakAnswers ? t("Typed messages are answered aloud too") : t("Typed messages are answered in writing")}
        onChange={(speakAnswers) => prefer({ speakAnswers })} />
      <Switch label={t("Captions")} checked={prefs.value.captions} onChange={(captions) => prefer({ captions })} />
      <VoiceChoice />
    </>
  );
}

const HINTS: Partial<Record<Backend, string>> = {
  local: t("The built-in model has one voice. Gemini has sixteen."),
  claude: t("Claude reads and writes. Your browser listens and speaks for it and may send audio to its maker; the built-in voice stays on your server."),
};

function VoiceChoice() {
  const voices = voicesOf(backend.value);
  const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : (voices[0]?.id ?? "");
  return (
    <Field label={t("Voice")} hint={phase.value === "connecting" ? t("Changing…") : HINTS[backend.value]}>
      {(attributes) => (
        <select {...attributes} value={chosen} disabled={voices.length < 2}
          onChange={(event) => void restart({ voice: event.currentTarget.value })}>
          {voices.map(({ id, name, gender, style }) => (
            <option key={id} value={id}>{name}{[gender, style].some(Boolean) ? ` (${[gender, style].filter(Boolean).join(", ")})` : ""}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
