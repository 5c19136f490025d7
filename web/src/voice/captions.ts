/** The words that are heard right now: each sentence is shown when its sound is played. */
import { signal } from "@preact/signals";

import { plain } from "./words";

interface Cue {
  turn: number;
  /** From where on in the turn's speech it is heard. */
  fromMs: number;
  text: string;
}

const BYTES_PER_MS = 48;

export const caption = signal("");

let cues: Cue[] = [];
let turn = -1;
let receivedMs = 0;
/** Where the newest piece of sound begins: its words are told right after it. */
let pieceFromMs = 0;

export function soundCame(id: number, bytes: number): void {
  if (id !== turn) {
    turn = id;
    receivedMs = heardMs = 0;
    cues = cues.filter((cue) => cue.turn >= id - 1);
  }
  pieceFromMs = receivedMs;
  receivedMs += bytes / BYTES_PER_MS;
}

/** Words of a turn. Without sound they are shown at once. */
export function wordsCame(id: number, text: string): void {
  const shown = plain(text);
  if (!shown) return;
  if (id !== turn) caption.value = shown;
  else cues.push({ turn: id, fromMs: pieceFromMs, text: shown });
}

let heardMs = 0;

/** How much of a turn's speech was heard so far: a share of what came of it. */
export function heardShare(id: number): number {
  return id !== turn || !receivedMs ? 1 : Math.min(1, heardMs / receivedMs);
}

export function played(id: number, playedMs: number): void {
  if (id === turn) heardMs = playedMs;
  const due = cues.findLast((cue) => cue.turn === id && cue.fromMs <= playedMs);
  if (due) caption.value = due.text;
}

export function clearCaptions(): void {
  cues = [];
  turn = -1;
  caption.value = "";
}
