/** Who answers, with which voice, and how the person talks. In force at once, also while talking. */
import { useEffect } from "preact/hooks";

import { prefer, prefs, type Backend } from "../../stores/prefs";
import { toast } from "../../stores/toasts";
import { guided } from "../../stores/tour";
import { Field, Problem, Switch } from "../../ui/kit";
import { backend, backendStatus, loadStatus, loadVoices, modelsOf, status, statusError, usable, voicesOf } from "../../voice/backends";
import { phase, restart } from "../../voice/conversation";

export function Choices() {
  useEffect(() => void loadStatus(), []);
  useEffect(() => {
    loadVoices(backend.value).catch((error: Error) => toast(error.message, { kind: "bad" }));
  }, [backend.value]);
  return (
    <details class="vox-choices" open={innerWidth > 900 || guided.value !== null}>
      <summary>Conversation settings</summary>
      <div class="stack">
        {statusError.value ? <Problem error={statusError.value} retry={() => void loadStatus()} /> : null}
        <BackendChoice />
        <ModelChoice />
        <VoiceChoice />
        <Switch label="Hands-free" checked={prefs.value.handsFree}
          hint={prefs.value.handsFree ? "Speak when you like" : "Hold Space while you speak"}
          onChange={(handsFree) => prefer({ handsFree })} />
        <Switch label="Speak answers to typed messages" checked={prefs.value.speakAnswers}
          hint={prefs.value.speakAnswers ? "Everything is answered aloud" : "What you type is answered in writing"}
          onChange={(speakAnswers) => prefer({ speakAnswers })} />
        <Switch label="Captions" checked={prefs.value.captions} onChange={(captions) => prefer({ captions })} />
      </div>
    </details>
  );
}

function BackendChoice() {
  const found = status.value;
  const missing = found?.backends.filter((each) => !usable(each)) ?? [];
  const hint = missing.length ? <>{missing.map((each) => each.label).join(", ")}: add a key in <a href="#/settings">Settings</a>.</> : null;
  return (
    <div data-tour="vox-backend">
      <Field label="Who answers" hint={hint}>
        {(attributes) => (
          <select {...attributes} value={backend.value} disabled={!found}
            onChange={(event) => void restart({ backend: event.currentTarget.value as Backend, model: "", voice: "" })}>
            {found?.backends.map((each) => (
              <option key={each.name} value={each.name} disabled={!usable(each) && each.name !== backend.value} title={each.why ?? undefined}>
                {each.label}{usable(each) ? "" : each.configured ? " (not reachable)" : " (needs a key)"}
              </option>
            ))}
          </select>
        )}
      </Field>
      {backendStatus.value && !usable(backendStatus.value) ? <p class="wrong">{backendStatus.value.why}</p> : null}
    </div>
  );
}

function ModelChoice() {
  const one = backendStatus.value;
  if (!one) return null;
  const models = modelsOf(one, "voice");
  const usual = one.voice_model ?? one.model ?? "";
  const chosen = prefs.value.backend && prefs.value.model ? prefs.value.model : usual;
  const listed = models.some((model) => model.id === chosen) ? models : [...models, { id: chosen, label: chosen }];
  if (listed.length < 2) return null;
  return (
    <Field label="Model">
      {(attributes) => (
        <select {...attributes} value={chosen}
          onChange={(event) => void restart({ backend: backend.value, model: event.currentTarget.value })}>
          {listed.map((model) => <option key={model.id} value={model.id}>{model.label}</option>)}
        </select>
      )}
    </Field>
  );
}

const VOICE_HINTS: Partial<Record<Backend, string>> = {
  local: "The built-in model has one voice. Gemini has sixteen.",
  claude: "Claude reads and writes. Your browser listens and speaks for it, and its maker may be sent what it hears; the built-in voice stays on your server.",
};

function VoiceChoice() {
  const voices = voicesOf(backend.value);
  const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : (voices[0]?.id ?? "");
  return (
    <div data-tour="vox-voice">
      <Field label="Voice" hint={VOICE_HINTS[backend.value]}>
        {(attributes) => (
          <select {...attributes} value={chosen} disabled={voices.length < 2}
            onChange={(event) => void restart({ voice: event.currentTarget.value })}>
            {voices.map(({ id, name, gender, style }) => (
              <option key={id} value={id}>{name}{[gender, style].some(Boolean) ? ` (${[gender, style].filter(Boolean).join(", ")})` : ""}</option>
            ))}
          </select>
        )}
      </Field>
      {phase.value === "connecting" ? <p class="hint">Changing…</p> : null}
    </div>
  );
}
