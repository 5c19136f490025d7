/** The talk button with all that belongs to it: how it stands, what is heard, who answers. */
import { blocked } from "../../stores/blocked";
import { current } from "../../stores/confirmations";
import { prefs } from "../../stores/prefs";
import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { caption } from "../../voice/captions";
import { attempt, clear, goOn, hangUp, interrupt, muted, phase, reconnect, setMuted, start, trouble } from "../../voice/conversation";
import { hearing, listening, microphone, opening, trouble as deaf } from "../../voice/ear";
import { ATTEMPTS } from "../../voice/line";
import { hold } from "../../voice/push";
import { Choices } from "./choices";
import { Waveform } from "./waveform";

export function Stage() {
  const now = phase.value;
  const busy = now === "speaking" || now === "thinking";
  return (
    <aside class="vox-stage" aria-label="Talk">
      <Trouble />
      <TalkButton />
      <p class="vox-state" role="status">{stateInWords()}</p>
      <Waveform />
      {now === "reconnecting" ? <Button icon="refresh" onClick={reconnect}>Try now</Button> : null}
      {prefs.value.captions && now !== "off" && (listening.value || caption.value) ? <p class="vox-caption" role="group" aria-label="Captions">{caption.value}</p> : null}
      <div class="vox-buttons">
        <Button icon="stop" data-tour="vox-interrupt" disabled={!busy} title="Esc does the same" onClick={interrupt}>Interrupt</Button>
        {now === "off" ? null : (
          <>
            {listening.value ? (
              <Button icon={muted.value ? "mic-off" : "mic"} aria-pressed={muted.value} onClick={() => setMuted(!muted.value)}>
                {muted.value ? "Unmute" : "Mute"}
              </Button>
            ) : null}
            <Button kind="danger" icon="close" onClick={hangUp}>Hang up</Button>
          </>
        )}
      </div>
      <Choices />
    </aside>
  );
}

function stateInWords(): string {
  if (blocked.value) return "Paused for now";
  if (current.value) return "Waiting for your answer";
  switch (phase.value) {
    case "off":
      return trouble.value?.resumable ? "The conversation waits for you" : "Ready when you are";
    case "connecting":
      return opening.value ? "Allow the microphone in the browser…" : "Connecting…";
    case "reconnecting":
      return `The line was lost. Getting it back, attempt ${attempt.value} of ${ATTEMPTS}…`;
    case "thinking":
      return "One moment…";
    case "speaking":
      return listening.value ? "Cut in whenever you like, or press Esc" : "Esc, or Interrupt, cuts in";
    case "typing":
      return "Type, or press the button to speak";
    case "listening":
      if (muted.value) return "The microphone is muted";
      if (hearing.value) return "Say something";
      return "Hold Space, or the button, while you speak";
  }
}

function TalkButton() {
  const now = phase.value;
  const push = !prefs.value.handsFree && now !== "off" && microphone.value !== null;
  const press = () => {
    if (now === "off") void start({ resume: trouble.value?.resumable ?? false });
    else if (now === "connecting") hangUp();
    else if (!listening.value) void start();
    else if (!push) setMuted(!muted.value);
  };
  const [label, does] = button(push);
  return (
    <button type="button" class={`vox-talk ${now} ${muted.value ? "muted" : ""} ${hearing.value ? "hearing" : ""}`} data-tour="vox-talk-button"
      disabled={blocked.value !== null && now === "off"} onClick={press} title={does} aria-label={does ? `${label}: ${does}` : undefined}
      onPointerDown={(event) => {
        if (!push) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        hold(true);
      }}
      onPointerUp={() => hold(false)} onPointerCancel={() => hold(false)}
      onContextMenu={(event) => push && event.preventDefault()}>
      <Icon name={muted.value && now !== "off" ? "mic-off" : "mic"} size={44} />
      <span>{label}</span>
    </button>
  );
}

/** What is written on it, and what pressing it does where that is something else. */
function button(push: boolean): [string, string?] {
  switch (phase.value) {
    case "off":
      return ["Talk"];
    case "connecting":
      return ["Connecting", "press to cancel"];
    case "reconnecting":
      return ["Line lost"];
    case "typing":
      return ["Speak", "turn on the microphone"];
    case "thinking":
    case "speaking":
    case "listening":
      if (!listening.value) return ["Speak", "turn on the microphone"];
      if (muted.value) return ["Muted", "press to unmute"];
      if (push) return ["Hold to talk"];
      return [{ thinking: "Thinking", speaking: "Speaking", listening: "Listening" }[phase.value], "press to mute"];
  }
}

/** What is wrong, and the way on. */
function Trouble() {
  const line = trouble.value;
  const ears = deaf.value;
  if (!line && !ears) return null;
  return (
    <div class={`vox-trouble ${line && !line.resumable ? "bad" : ""}`} role="alert">
      {ears ? <p>{ears.message}</p> : null}
      {line ? <p>{line.message}</p> : null}
      {line?.resumable ? (
        <div class="row">
          <Button kind="primary" onClick={goOn}>Go on</Button>
          <Button onClick={clear}>Start a new one</Button>
        </div>
      ) : null}
    </div>
  );
}
