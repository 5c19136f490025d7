/** In the corner of every page: who answers, and the conversation that is open. */
import { useEffect } from "preact/hooks";

import { at, route } from "./router";
import { current } from "./stores/confirmations";
import { Icon } from "./ui/icons";
import { IconButton } from "./ui/kit";
import { backend, backendStatus, loadStatus, status, usable } from "./voice/backends";
import { hangUp, interrupt, muted, phase, setMuted, setup, type Phase } from "./voice/conversation";
import { listening } from "./voice/ear";
import "./voice/keys";
import { Recorded } from "./voice/view/recorded";
import "./voice/view/status.css";

const WORDS: Record<Phase, string> = {
  off: "",
  connecting: "Connecting",
  typing: "In writing",
  listening: "Listening",
  thinking: "Thinking",
  speaking: "Speaking",
  reconnecting: "Line lost",
};

/** How it stands, and the picture for it: a microphone only where one is on. */
function standing(now: Phase): [string, string] {
  if (current.value) return ["Needs your answer", "shield"];
  if (now === "speaking") return [WORDS[now], "volume"];
  if (!listening.value) return [WORDS[now], "chat"];
  if (muted.value) return [now === "listening" ? "Muted" : WORDS[now], "mic-off"];
  return [WORDS[now], "mic"];
}

export function Status() {
  useEffect(() => void loadStatus(), []);
  const now = phase.value;
  const [words, icon] = standing(now);
  const here = route.value.page === "vox";
  return (
    <div class="status" role="group" aria-label="Conversation">
      <Who />
      <Recorded />
      {now === "off" || here ? null : (
        <>
          <a class={`status-phase ${now}`} href={at("vox")} title="Back to the conversation">
            <Icon name={icon} size={15} /><span>{words}</span>
          </a>
          {now === "speaking" || now === "thinking" ? <IconButton label="Interrupt (Esc)" icon="stop" onClick={interrupt} /> : null}
          {listening.value ? (
            <IconButton label={muted.value ? "Unmute" : "Mute"} icon={muted.value ? "mic-off" : "mic"} onClick={() => setMuted(!muted.value)} />
          ) : null}
          <IconButton class="hang-up" label="Hang up" icon="close" onClick={hangUp} />
        </>
      )}
    </div>
  );
}

function Who() {
  const one = backendStatus.value;
  const inForce = phase.value === "off" ? null : setup.value;
  const label = status.value?.backends.find((each) => each.name === (inForce?.mode ?? backend.value))?.label;
  if (!label) return null;
  const bad = !inForce && one !== null && !usable(one);
  const title = inForce ? `Answers now: ${inForce.model}` : bad ? (one.why ?? "It cannot be used") : `Answers: ${one?.voice_model ?? one?.model ?? label}`;
  return <a class={`status-who ${bad ? "bad" : ""}`} href={at("settings")} title={title}>{bad ? <Icon name="warn" size={14} /> : null}{label}</a>;
}
