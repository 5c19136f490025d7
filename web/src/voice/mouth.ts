/** What the person hears of the model: the speech of the server, or the voice of the browser. */
import { computed, effect, signal } from "@preact/signals";

import { prefs } from "../stores/prefs";
import { speaksHere } from "./backends";
import { BrowserVoice } from "./browser-speech";
import { say } from "./bus";
import { caption, clearCaptions, played, soundCame, wordsCame } from "./captions";
import { Player } from "./player";
import { openVoice, serverVoice } from "./server-voice";
import { plain, sentences } from "./words";

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

// -- answers in writing, read aloud ----------------------------------------------------------------------

/** What is still to be read; null: nobody wants to hear it. */
let toRead: string[] | null = null;
let unread = "";
let reading: AbortController | null = null;

/** An answer begins that the person wants to hear as well. Call it where something was pressed. */
export function beginReading(): void {
  hushReading();
  toRead = [];
  if (!speaksHere()) void openVoice().catch(() => {});
}

/** The next piece of it; whole sentences are read as they are there. */
export function read(text: string): void {
  if (!toRead) return;
  const found = sentences(unread + text);
  unread = found.rest;
  toRead.push(...found.whole);
  void readOn();
}

export function finishReading(): void {
  if (!toRead) return;
  toRead.push(unread);
  unread = "";
  void readOn();
}

export function hushReading(): void {
  toRead = null;
  unread = "";
  if (!reading) return;
  reading.abort();
  reading = null;
  quiet();
}

/** The server says no more at a time. */
const MOST_CHARS = 900;

function nextToRead(): string {
  let text = (toRead?.shift() ?? "").slice(0, MOST_CHARS);
  while (toRead?.length && text.length + toRead[0]!.length < MOST_CHARS) text += ` ${toRead.shift()}`;
  return text;
}

async function readOn(): Promise<void> {
  if (reading || !toRead) return;
  const mine = (reading = new AbortController());
  try {
    for (;;) {
      const text = plain(nextToRead());
      if (!text && toRead?.length) continue;
      if (!text || mine.signal.aborted) return;
      sounding.value = true;
      caption.value = text;
      if (speaksHere()) await browserReads(text, mine.signal);
      else await serverVoice(text, mine.signal);
    }
  } catch {
    toRead = null; // it can be read all the same
  } finally {
    if (reading === mine) {
      reading = null;
      quiet();
    }
  }
}

function browserReads(text: string, stopped: AbortSignal): Promise<void> {
  voice.say(text, prefs.value.voice);
  voice.finish(prefs.value.voice);
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (sounding.value && !stopped.aborted) return;
      queueMicrotask(() => stop());
      resolve();
    });
    stopped.addEventListener("abort", () => resolve());
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
