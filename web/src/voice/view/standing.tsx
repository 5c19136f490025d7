/** How the conversation stands, in words that are true: a microphone only where one is on. */
import { t } from "../../i18n";
import { blocked } from "../../stores/blocked";
import { current } from "../../stores/confirmations";
import { prefs } from "../../stores/prefs";
import { Icon } from "../../ui/icons";
import { live, muted, phase } from "../conversation";
import { hearing, listening, opening } from "../ear";

export function standing(): { words: string; icon: string; tone: string } {
  if (blocked.value) return { words: t("Paused"), icon: "clock", tone: "wait" };
  if (current.value) return { words: t("Waiting for your approval"), icon: "shield", tone: "wait" };
  switch (phase.value) {
    case "off":
      return { words: t("Microphone off"), icon: "chat", tone: "off" };
    case "connecting":
      return { words: opening.value ? t("Allow the microphone in your browser…") : t("Connecting…"), icon: "mic", tone: "wait" };
    case "reconnecting":
      return { words: t("Offline. Reconnecting…"), icon: "warn", tone: "bad" };
    case "thinking":
      return { words: t("Thinking…"), icon: "clock", tone: "busy" };
    case "speaking":
      return { words: t("Speaking"), icon: "volume", tone: "busy" };
    case "listening":
      if (!listening.value) return { words: t("Type here"), icon: "chat", tone: "off" };
      if (muted.value) return { words: t("Microphone muted"), icon: "mic-off", tone: "off" };
      if (hearing.value) return { words: t("Listening: say something"), icon: "mic", tone: "on" };
      return { words: t("Hold Space or the microphone while you speak"), icon: "mic", tone: "off" };
  }
}

export function Standing() {
  const { words, icon, tone } = standing();
  const moves = live.value && prefs.value.handsFree && tone === "on" ? "moves" : "";
  return <p class={`standing ${tone} ${moves}`} role="status"><Icon name={icon} size={15} /><span>{words}</span></p>;
}
