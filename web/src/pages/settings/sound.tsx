import { useEffect, useState } from "preact/hooks";

import { said } from "../../api/http";
import { t } from "../../i18n";
import { type Backend, prefer, prefs } from "../../stores/prefs";
import { Field, Switch } from "../../ui/kit";
import { backend, loadVoices, voicesOf } from "../../voice/backends";
import { Devices } from "./devices";
import { Section } from "./section";

export function Sound() {
  return (
    <Section part="voice" title={t("Voice and sound")}>
      <Voice of={backend.value} />
      <Devices />
      <div class="stack settings-switches">
        <Switch label={t("Hands-free")} checked={prefs.value.handsFree} onChange={(handsFree) => prefer({ handsFree })}
          hint={t("Just speak; the agent hears when you are done. Off: hold Space, or the talk button, while you speak.")} />
        <Switch label={t("Speak answers to typed messages")} checked={prefs.value.speakAnswers} onChange={(speakAnswers) => prefer({ speakAnswers })}
          hint={t("Off: what you type on Talk is answered in writing only. What you say is always answered aloud.")} />
        <Switch label={t("Captions")} checked={prefs.value.captions} onChange={(captions) => prefer({ captions })}
          hint={t("What is spoken also appears in large letters.")} />
        <Switch label={t("Tours speak")} checked={prefs.value.tourSpeech} onChange={(tourSpeech) => prefer({ tourSpeech })}
          hint={t("Each step is read out where the browser has a voice. It is always there in writing.")} />
      </div>
    </Section>
  );
}

const HINTS: Partial<Record<Backend, string>> = {
  local: t("The built-in model has one voice."),
  claude: t("With Claude the browser speaks, or the server with its built-in voice."),
};

function Voice({ of }: { of: Backend }) {
  const [wrong, tell] = useState("");
  useEffect(() => {
    tell("");
    loadVoices(of).catch((error: unknown) => tell(said(error)));
  }, [of]);
  const voices = voicesOf(of);
  const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : "";
  return (
    <Field label={t("Voice")} hint={HINTS[of] ?? t("In force from the next conversation on.")} error={wrong}>
      {(field) => (
        <select {...field} disabled={voices.length < 2} value={chosen} onChange={(event) => prefer({ voice: event.currentTarget.value })}>
          {voices.some((voice) => voice.id === "") ? null : <option value="">{t("As the profile has it")}</option>}
          {voices.map(({ id, name, style, gender }) => (
            <option key={id} value={id}>{[name, style, gender].filter(Boolean).join(", ")}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
