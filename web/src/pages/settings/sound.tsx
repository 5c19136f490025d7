import { useEffect, useState } from "preact/hooks";

import { said } from "../../api/http";
import { plural, rich, t } from "../../i18n";
import { type Backend, prefer, prefs } from "../../stores/prefs";
import { Badge, Field, Switch } from "../../ui/kit";
import { backend, loadVoices, status, voicesOf } from "../../voice/backends";
import { Devices } from "./devices";
import { Section } from "./section";

export function Sound() {
  return (
    <Section part="voice" title={t("Voice and sound")}>
      <Voice of={backend.value} />
      <Devices />
      <Recording />
      <div class="stack settings-switches">
        <Switch label={t("Hands-free")} checked={prefs.value.handsFree} onChange={(handsFree) => prefer({ handsFree })}
          hint={t("Just speak; the agent hears when you are done. Off: hold Space or the microphone button while you speak.")} />
        <Switch label={t("Speak answers to typed messages")} checked={prefs.value.speakAnswers} onChange={(speakAnswers) => prefer({ speakAnswers })}
          hint={t("Off: typed messages are answered in writing only. Spoken ones are always answered aloud.")} />
        <Switch label={t("Captions")} checked={prefs.value.captions} onChange={(captions) => prefer({ captions })}
          hint={t("What is spoken also appears in large type.")} />
        <Switch label={t("Read tours aloud")} checked={prefs.value.tourSpeech} onChange={(tourSpeech) => prefer({ tourSpeech })}
          hint={t("Each step is read aloud where the browser has a voice. The text is always shown.")} />
      </div>
    </Section>
  );
}

/** What the server does with the sound; people change it there. */
function Recording() {
  const known = status.value;
  if (!known) return null;
  const days = known.recorded_days;
  return (
    <p class="row">
      <strong>{t("Recording")}</strong>
      {days === null ? <Badge>{t("Off")}</Badge> : <Badge kind="bad">{t("On")}</Badge>}
      <span class="hint">{days === null ? rich("Sound is not recorded. The server’s setting {setting} turns it on.", { setting: <code>voice.record</code> })
        : plural(days, "The sound of spoken conversations is recorded and kept for {count} day.", "The sound of spoken conversations is recorded and kept for {count} days.")}</span>
    </p>
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
    <Field label={t("Voice")} hint={HINTS[of] ?? t("Applies from the next conversation.")} error={wrong}>
      {(field) => (
        <select {...field} disabled={voices.length < 2} value={chosen} onChange={(event) => prefer({ voice: event.currentTarget.value })}>
          {voices.some((voice) => voice.id === "") ? null : <option value="">{t("Agent default")}</option>}
          {voices.map(({ id, name, style, gender }) => (
            <option key={id} value={id}>{[name, style, gender].filter(Boolean).join(", ")}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
