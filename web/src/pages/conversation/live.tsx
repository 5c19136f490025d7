/** While the microphone is on, and where something is in its way: how it stands, above the composer. */
import { t } from "../../i18n";
import { prefs } from "../../stores/prefs";
import { Button, IconButton } from "../../ui/kit";
import { lazy } from "../../ui/lazy";
import { caption } from "../../voice/captions";
import { hangUp, interrupt, live, muted, phase, reconnect, setMuted, trouble } from "../../voice/conversation";
import { listening, trouble as deaf } from "../../voice/ear";
import { Recorded } from "../../voice/view/recorded";
import { Standing } from "../../voice/view/standing";
import { stop } from "../../voice/written";

const Waveform = lazy(() => import("./waveform").then((part) => part.Waveform));

export function Live() {
  const now = phase.value;
  const ears = deaf.value;
  const line = trouble.value;
  return (
    <>
      {ears || line ? <div class="talk-trouble" role="alert">{ears ? <p>{ears.message}</p> : null}{line ? <p>{line.message}</p> : null}</div> : null}
      <div class={`talk-live ${live.value ? "on" : ""}`} hidden={now === "off"}>
        <Standing />
        <Recorded />
        {live.value ? <Waveform /> : <span class="spring" />}
        {live.value && prefs.value.captions && caption.value ? <p class="talk-caption" role="group" aria-label={t("Captions")}>{caption.value}</p> : null}
        {now === "reconnecting" ? <Button icon="refresh" onClick={reconnect}>{t("Try now")}</Button> : null}
        {now === "reconnecting" && !live.value ? <Button onClick={stop}>{t("Cancel")}</Button> : null}
        {now === "speaking" || (now === "thinking" && live.value) ? <Button icon="stop" title={t("Esc does the same")} data-tour="vox-interrupt" onClick={interrupt}>{t("Interrupt")}</Button> : null}
        {live.value && listening.value ? (
          <IconButton label={muted.value ? t("Unmute") : t("Mute")} icon={muted.value ? "mic-off" : "mic"} aria-pressed={muted.value} onClick={() => setMuted(!muted.value)} />
        ) : null}
        {live.value ? <Button kind="danger" icon="close" onClick={hangUp}>{t("Hang up")}</Button> : null}
      </div>
    </>
  );
}
