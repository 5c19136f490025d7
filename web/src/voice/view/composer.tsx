/** Where one types and speaks: Enter sends, Shift and Enter make a new line, the microphone is a button. */
import { useEffect, useId, useRef } from "preact/hooks";

import { number, t } from "../../i18n";
import { blocked } from "../../stores/blocked";
import { prefs } from "../../stores/prefs";
import { Icon } from "../../ui/icons";
import { Button, IconButton } from "../../ui/kit";
import { hangUp, live, phase, sendText, start } from "../conversation";
import { hearing, microphone } from "../ear";
import { hold } from "../push";
import { draft } from "../thread";
import { answering, MOST_CHARS, stop } from "../written";
import { ModelMenu, VoiceMenu } from "./menus";

/** `slim`: one line, for the dock. */
export function Composer({ slim = false }: { slim?: boolean }) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = draft.value;
  const over = text.length > MOST_CHARS;
  const busy = answering.value && !live.value;
  const send = () => {
    if (!text.trim() || over || busy || blocked.value) return;
    draft.value = "";
    sendText(text);
  };
  useEffect(() => {
    // Who comes to the page comes to write; on a phone the keyboard would cover half of it.
    if (!slim && matchMedia("(pointer: fine)").matches && document.activeElement === document.body) box.current!.focus({ preventScroll: true });
  }, []);
  return (
    <form class={`composer ${slim ? "slim" : ""}`} data-tour="vox-text-box" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label class="hidden-visually" for={id}>{t("Message")}</label>
      <div class="composer-text" data-tour="chat-input">
        <textarea id={id} ref={box} rows={1} value={text} aria-invalid={over} aria-describedby={over ? `${id}-over` : undefined}
          placeholder={live.value ? t("Speak, or type here") : t("Ask anything")}
          onInput={(event) => { draft.value = event.currentTarget.value; }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }} />
        {over ? (
          <p class="wrong" id={`${id}-over`} role="alert">
            {t("This message has {count} characters; the limit is {most}. Shorten it, or add the text under Knowledge and ask about it.", { count: number(text.length), most: number(MOST_CHARS) })}
          </p>
        ) : null}
      </div>
      <div class="composer-bar">
        {slim ? null : <ModelMenu />}
        {slim ? null : <VoiceMenu />}
        {slim ? null : <span class="spring" />}
        <MicButton />
        {busy
          ? <Button icon="stop" onClick={stop}>{t("Stop")}</Button>
          : <IconButton class="composer-send" label={t("Send")} icon="send" type="submit" disabled={blocked.value !== null || over || !text.trim()} />}
      </div>
    </form>
  );
}

/** Turns the microphone on and off; with push-to-talk it is held while one speaks. */
function MicButton() {
  const now = phase.value;
  const push = live.value && !prefs.value.handsFree && microphone.value !== null;
  const label = now === "connecting" ? t("Cancel") : push ? t("Hold to talk") : live.value ? t("Turn the microphone off") : t("Talk");
  return (
    <span data-tour="chat-to-voice">
      <button type="button" class={`vox-talk ${now} ${live.value ? "on" : ""} ${hearing.value ? "hearing" : ""}`} data-tour="vox-talk-button"
        aria-label={label} title={label} aria-pressed={live.value} disabled={blocked.value !== null && !live.value}
        onClick={() => { if (!live.value) void start(); else if (!push) hangUp(); }}
        onPointerDown={(event) => {
          if (!push) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          hold(true);
        }}
        onPointerUp={() => hold(false)} onPointerCancel={() => hold(false)}
        onContextMenu={(event) => push && event.preventDefault()}>
        <Icon name="mic" size={18} />
      </button>
    </span>
  );
}
