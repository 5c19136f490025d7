/**
 * The voice of tours: the browser's own, or the server's where the browser has none. It neither talks
 * over the agent nor is heard by it.
 */
import { effect, signal } from "@preact/signals";

import { language, locale, t } from "../i18n";
import { serverVoice } from "../voice/server-voice";
import { conversation, talking } from "./talk";

export interface Voice {
  say(text: string): void;
  stop(): void;
}

/** Says a text to its end, or until `stopped`. Throws, in words, what is in the way. */
type Says = (text: string, stopped: AbortSignal) => Promise<void>;

/** Why nothing is heard, in words; the tour itself goes on. */
export const voiceTrouble = signal("");

/** The agent may say a sentence first, but not for ever. */
const PATIENCE_MS = 8000;
/** Browsers look for their voices when they are first asked for them. */
const VOICES_MS = 800;

export function tourVoice(): Voice {
  let speaking: AbortController | null = null;
  const stop = () => {
    speaking?.abort();
    speaking = null;
  };
  const say = async (text: string) => {
    stop();
    voiceTrouble.value = "";
    const mine = (speaking = new AbortController());
    const { signal: stopped } = mine;
    await agentIsQuiet();
    const says = (await browserHasVoice()) ? browserSays : serverSays;
    if (stopped.aborted) return;
    const listen = await deaf();
    try {
      await says(text, stopped);
    } catch (error) {
      if (!stopped.aborted) voiceTrouble.value = error instanceof Error ? error.message : String(error);
    } finally {
      listen();
    }
  };
  return { say: (text) => void say(text), stop };
}

const synthesis = (): SpeechSynthesis | undefined => globalThis.speechSynthesis;

/** One that can speak at all may still have no voice: on Linux, or without a window. */
async function browserHasVoice(): Promise<boolean> {
  const speech = synthesis();
  if (!speech) return false;
  if (fitting(speech) || waited) return fitting(speech);
  await new Promise<void>((resolve) => {
    setTimeout(resolve, VOICES_MS);
    speech.addEventListener("voiceschanged", () => resolve(), { once: true });
  });
  waited = true;
  return fitting(speech);
}
let waited = false;

/** Any voice reads English somehow; another language needs one of its own. */
const fitting = (speech: SpeechSynthesis): boolean =>
  speech.getVoices().some((voice) => language === "en" || voice.lang.toLowerCase().startsWith(language));

/** The server's voice reads English only. */
const serverSays: Says = (text, stopped) => {
  if (language !== "en") throw new Error(t("This browser has no voice for this language."));
  return serverVoice(text, stopped);
};

const browserSays: Says = (text, stopped) =>
  new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = locale;
    utterance.onend = () => resolve();
    utterance.onerror = () => resolve();
    stopped.addEventListener("abort", () => {
      synthesis()?.cancel();
      resolve();
    });
    synthesis()?.speak(utterance);
  });

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
