/** A person who is kept out for a while: until when, and what was said about it. */
import { signal } from "@preact/signals";

import type { TimeoutMembers } from "../api/session-events";
import { t } from "../i18n";
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
export type Timeout = TimeoutMembers;

// The longest a timer of the browser can wait.
const LONGEST_MS = 2 ** 31 - 1;

export function block(timeout: Timeout): void {
  const { timeoutUntil: until, message } = timeout;
  if (until <= Date.now()) return;
  blocked.value = { until, message: message || t("This conversation is paused.") };
  wait();
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

on("timeout", block);
