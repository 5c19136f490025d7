/** A person who is kept out for a while: until when, and what was said about it. */
import { signal } from "@preact/signals";

import { on } from "../voice/bus";

export interface Blocked {
  /** Milliseconds of the epoch. */
  until: number;
  message: string;
}

/** Null: talking and writing are open. It becomes null by itself when the time is over. */
export const blocked = signal<Blocked | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** From the socket, from the stream of a chat, or from the problem document of a refused one. */
export interface Timeout {
  timeoutUntil?: number;
  seconds?: number;
  durationSeconds?: number;
  message?: string;
  farewellMessage?: string;
}

// The longest a timer of the browser can wait.
const LONGEST_MS = 2 ** 31 - 1;

export function block(timeout: Timeout): void {
  const until = end(timeout);
  if (until <= Date.now()) return;
  const message = timeout.message || timeout.farewellMessage || "This conversation is paused.";
  blocked.value = { until, message };
  wait();
}

function end({ timeoutUntil, seconds, durationSeconds }: Timeout): number {
  if (timeoutUntil) return timeoutUntil;
  return Date.now() + (seconds ?? durationSeconds ?? 0) * 1000;
}

/** It was lifted: whoever is still kept out is told so again. */
export function unblock(): void {
  clearTimeout(timer);
  blocked.value = null;
}

function wait(): void {
  clearTimeout(timer);
  const left = (blocked.value?.until ?? 0) - Date.now();
  if (left <= 0) blocked.value = null;
  else timer = setTimeout(wait, Math.min(left, LONGEST_MS));
}

on("timeout", (message) => block(message as Timeout));
