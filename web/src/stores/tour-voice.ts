/** The voice of tours: the browser's own, which neither talks over the agent nor is heard by it. */
import { effect } from "@preact/signals";

import { conversation, talking } from "./talk";

export interface Voice {
  say(text: string): void;
  stop(): void;
}

const silent: Voice = { say: () => {}, stop: () => {} };
/** The agent may say a sentence first, but not for ever. */
const PATIENCE_MS = 8000;

export function browserVoice(): Voice {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis) return silent;
  let round = 0;
  const stop = () => {
    round++;
    synthesis.cancel();
  };
  const say = async (text: string) => {
    stop();
    const mine = round;
    await agentIsQuiet();
    if (mine !== round) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = "en";
    const listen = await deaf();
    utterance.onend = listen;
    utterance.onerror = listen;
    if (mine === round) synthesis.speak(utterance);
    else listen();
  };
  return { say: (text) => void say(text), stop };
}

function agentIsQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    const stop = effect(() => {
      const phase = conversation.value?.phase.value;
      if (phase === "speaking" || phase === "thinking") return;
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** The microphone would hear the browser and take it for the person. The answer opens it again. */
async function deaf(): Promise<() => void> {
  if (!talking.value) return () => {};
  const { muted, setMuted } = await import("../voice/conversation");
  if (muted.value) return () => {};
  setMuted(true);
  return () => setMuted(false);
}
