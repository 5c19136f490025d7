/** What the person hears of the model: the speech of the server, or the voice of the browser. */
import { computed, effect, signal } from "@preact/signals";

import { prefs } from "../stores/prefs";
import { BrowserVoice } from "./browser-speech";
import { say } from "./bus";
import { clearCaptions, played, soundCame, wordsCame } from "./captions";
import { Player } from "./player";

/** Something is heard right now. */
export const sounding = signal(false);

const REPORT_MS = 200;
/** Between two sentences it is quiet for a moment; that is not the end. */
const PAUSE_MS = 250;
let reported = { turn: -1, at: 0 };
let pause: ReturnType<typeof setTimeout> | undefined;

const player = new Player(
  ({ turn, playedMs, done }) => {
    clearTimeout(pause);
    sounding.value = true;
    played(turn, playedMs);
    const now = performance.now();
    if (!done && turn === reported.turn && now - reported.at < REPORT_MS) return;
    reported = { turn, at: now };
    tell(turn, playedMs);
  },
  () => {
    clearTimeout(pause);
    pause = setTimeout(() => (sounding.value = false), PAUSE_MS);
  },
);

const voice = new BrowserVoice((on) => (sounding.value = on));

const speaker = computed(() => prefs.value.speaker);
effect(() => void player.useSpeaker(speaker.value));

export const speakerAnalyser = (): AnalyserNode | null => player.analyser;

/** Call it where something was pressed. Throws where the browser has no way to play. */
export async function open(): Promise<void> {
  await player.open(prefs.value.speaker);
}

/** A piece of the server's speech. */
export function sound(turn: number, pcm: ArrayBuffer): void {
  soundCame(turn, pcm.byteLength);
  player.play(turn, pcm);
}

/** Words of the model; said by the browser where nobody else says them. */
export function words(turn: number, text: string, here: boolean): void {
  if (here) voice.say(text, prefs.value.voice);
  wordsCame(turn, text);
}

export function complete(turn: number, here: boolean): void {
  player.complete(turn);
  if (here) voice.finish(prefs.value.voice);
}

/** The server says that this turn was cut off. */
export function cutOff(turn: number | undefined): void {
  void player.flush(turn);
  quiet();
}

/** Silence, now. When it is there the server is told how much was heard. */
export async function hush(): Promise<void> {
  const flushed = player.flush();
  quiet();
  const stopped = await flushed;
  if (stopped) tell(stopped.turn, stopped.playedMs);
}

const PLAYS_OUT_MS = 15_000;

/** When what is being said was heard to its end, or has taken too long. */
export function playedOut(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PLAYS_OUT_MS);
    const stop = effect(() => {
      if (sounding.value) return;
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** The conversation is over: silence, and no more of it. */
export function rest(): void {
  void player.flush();
  quiet();
  player.rest();
}

/** Another conversation: its turns are counted anew. */
export function reset(): void {
  player.reset();
  quiet();
}

function quiet(): void {
  clearTimeout(pause);
  voice.stop();
  clearCaptions();
  sounding.value = false;
}

function tell(turn: number, playedMs: number): void {
  say({ type: "playback", turn_id: turn, played_ms: playedMs });
}
