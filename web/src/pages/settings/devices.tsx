/** Which microphone and which loudspeaker, and whether they work. */
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { prefer, prefs } from "../../stores/prefs";
import { said } from "../../api/http";
import { Microphone } from "../../voice/microphone";
import { Button, Field } from "../../ui/kit";
import { playTone } from "./tone";

export function Devices() {
  const [devices, set] = useState<MediaDeviceInfo[]>([]);
  const look = async () => set((await navigator.mediaDevices?.enumerateDevices?.().catch(() => [])) ?? []);
  useEffect(() => {
    void look();
    navigator.mediaDevices?.addEventListener?.("devicechange", look);
    return () => navigator.mediaDevices?.removeEventListener?.("devicechange", look);
  }, []);
  return (
    <div class="settings-devices">
      <MicrophoneChoice devices={devices} onAllowed={look} />
      <SpeakerChoice devices={devices} />
    </div>
  );
}

function Choice({ kind, label, devices, value, onChoose, hint }: {
  kind: MediaDeviceKind; label: string; devices: MediaDeviceInfo[]; value: string;
  onChoose: (id: string) => void; hint: string;
}) {
  // Before the person has allowed the microphone, devices have neither ids nor names.
  const those = devices.filter((each) => each.kind === kind && each.deviceId && each.deviceId !== "default");
  const gone = value && !those.some((each) => each.deviceId === value);
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <select {...field} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">{t("System default")}</option>
          {gone ? <option value={value}>{t("Previously selected (not connected)")}</option> : null}
          {those.map((each, index) => <option key={each.deviceId} value={each.deviceId}>{each.label || `${label} ${index + 1}`}</option>)}
        </select>
      )}
    </Field>
  );
}

function MicrophoneChoice({ devices, onAllowed }: { devices: MediaDeviceInfo[]; onAllowed: () => void }) {
  const [testing, test] = useState<Microphone | null>(null);
  const [opening, open] = useState(false);
  const [wrong, tell] = useState("");
  useEffect(() => () => testing?.close(), [testing]);
  const start = async (device: string) => {
    open(true);
    tell("");
    try {
      test(await Microphone.open(device, () => {}, (lost) => { tell(lost.message); test(null); }));
      onAllowed();
    } catch (error) {
      tell(said(error));
    }
    open(false);
  };
  const choose = (microphone: string) => {
    prefer({ microphone });
    if (testing) void start(microphone);
  };
  return (
    <div class="stack">
      <Choice kind="audioinput" label={t("Microphone")} devices={devices} value={prefs.value.microphone} onChoose={choose}
        hint={t("Names appear once you allow the microphone, for example with the test.")} />
      <div class="row">
        {testing
          ? <Button icon="stop" onClick={() => test(null)}>{t("Stop test")}</Button>
          : <Button icon="mic" busy={opening} onClick={() => void start(prefs.value.microphone)}>{t("Test microphone")}</Button>}
        {testing ? <Level of={testing.analyser} /> : null}
      </div>
      {wrong ? <p class="wrong" role="alert">{wrong}</p> : null}
    </div>
  );
}

/** Above this, in parts of full scale, somebody speaks. */
const HEARD = 0.02;

function Level({ of }: { of: AnalyserNode }) {
  const [level, set] = useState(0);
  const [heard, hear] = useState(false);
  const most = useRef(0);
  useEffect(() => {
    const samples = new Float32Array(of.fftSize);
    const timer = setInterval(() => {
      of.getFloatTimeDomainData(samples);
      const now = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
      // Rises at once and falls slowly, as people are used to from meters.
      most.current = Math.max(now, most.current * 0.8);
      set(most.current);
      if (now > HEARD) hear(true);
    }, 60);
    return () => clearInterval(timer);
  }, [of]);
  // Loudness as ears have it: 60 dB from end to end.
  const shown = Math.max(0, Math.min(1, 1 + (20 * Math.log10(level || 1e-6)) / 60));
  return (
    <span class="settings-level">
      <meter min={0} max={1} low={0.3} optimum={0.6} value={shown} aria-label={t("Microphone level")}>{Math.round(shown * 100)} %</meter>
      <span role="status">{heard ? t("I hear you.") : t("Say something…")}</span>
    </span>
  );
}

function SpeakerChoice({ devices }: { devices: MediaDeviceInfo[] }) {
  const [playing, set] = useState(false);
  const [told, tell] = useState("");
  const play = async () => {
    set(true);
    tell("");
    try {
      await playTone(prefs.value.speaker);
      tell(t("Two notes were played."));
    } catch (error) {
      tell(said(error));
    }
    set(false);
  };
  const choosable = "setSinkId" in AudioContext.prototype;
  return (
    <div class="stack">
      {choosable ? (
        <Choice kind="audiooutput" label={t("Speaker")} devices={devices} value={prefs.value.speaker}
          onChoose={(speaker) => prefer({ speaker })} hint={t("Where you hear the agent.")} />
      ) : (
        <p class="hint">{t("This browser always uses the system's speaker; choose it there.")}</p>
      )}
      <div class="row">
        <Button icon="volume" busy={playing} onClick={() => void play()}>{t("Play test tone")}</Button>
        <span role="status" class="hint">{told}</span>
      </div>
    </div>
  );
}
