/** The conversation on every other page: how it stands, what was said last, and where to say the next word. */
import { useEffect } from "preact/hooks";

import { t } from "./i18n";
import { at, route } from "./router";
import { prefer, prefs } from "./stores/prefs";
import { IconButton } from "./ui/kit";
import { loadStatus } from "./voice/backends";
import { caption } from "./voice/captions";
import { conversationId, entries, hangUp, interrupt, live, muted, phase, reconnect, setMuted } from "./voice/conversation";
import { listening } from "./voice/ear";
import "./voice/keys";
import { Composer } from "./voice/view/composer";
import { Recorded } from "./voice/view/recorded";
import { Standing, standing } from "./voice/view/standing";
import "./voice/view/view.css";
import { plain } from "./voice/words";
import "./dock.css";

export function Dock() {
  useEffect(() => void loadStatus(), []);
  const { page } = route.value;
  if (page === "vox" || page === "chat" || page === "shared") return null;
  const back = at("chat", conversationId.value ? [conversationId.value] : []);
  const now = phase.value;
  if (!prefs.value.dockOpen) {
    return (
      <aside class="dock pill" aria-label={t("Conversation")}>
        <button type="button" class={`dock-pill ${standing().tone}`} aria-expanded={false} onClick={() => prefer({ dockOpen: true })}>
          <Standing />
          <span class="hidden-visually">{t("Open the conversation bar")}</span>
        </button>
        {live.value ? <IconButton class="hang-up" label={t("Hang up")} icon="close" onClick={hangUp} /> : null}
      </aside>
    );
  }
  return (
    <aside class="dock" aria-label={t("Conversation")}>
      <a class="dock-said" href={back} title={t("Back to the conversation")}>
        <Standing />
        <span class="dock-line">{lastLine()}</span>
      </a>
      <Composer slim />
      <div class="dock-buttons">
        <Recorded />
        {now === "reconnecting" ? <IconButton label={t("Try now")} icon="refresh" onClick={reconnect} /> : null}
        {now === "speaking" || (now === "thinking" && live.value) ? <IconButton label={t("Interrupt (Esc)")} icon="stop" onClick={interrupt} /> : null}
        {live.value && listening.value ? (
          <IconButton label={muted.value ? t("Unmute") : t("Mute")} icon={muted.value ? "mic-off" : "mic"} onClick={() => setMuted(!muted.value)} />
        ) : null}
        {live.value ? <IconButton class="hang-up" label={t("Hang up")} icon="close" onClick={hangUp} /> : null}
        <IconButton label={t("Collapse the conversation bar")} icon="down" aria-expanded onClick={() => prefer({ dockOpen: false })} />
      </div>
    </aside>
  );
}

/** What is being said, or what was said last. */
function lastLine(): string {
  if (phase.value === "speaking" && caption.value) return caption.value;
  const last = entries.value.findLast((each) => each.kind === "assistant" || each.kind === "user");
  return last && (last.kind === "assistant" || last.kind === "user") ? plain(last.text.value).slice(0, 300) : "";
}
