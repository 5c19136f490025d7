/** How it stands with the server: it answers, it is away, it does not know the person any more, or it is another one. */
import { effect, signal } from "@preact/signals";

import { address } from "../api/address";
import { onAnswer, words } from "../api/http";
import { stillIn, watchTabs } from "./account";

export type Standing =
  | { kind: "up" }
  /** `next`: when it is asked again, in milliseconds. */
  | { kind: "away"; tries: number; next: number }
  | { kind: "signed-out"; words: string };

export const standing = signal<Standing>({ kind: "up" });
/** The server has another build of the console than the one that runs here. */
export const outdated = signal(false);

/** The build that runs here; empty while it is worked on. */
const MARK = () => document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? "";

/** A file that every build has, which only those get who are let in. */
const PROBE = "/console/build.json";
const PATIENCE_MS = 5000;
const LONGEST_MS = 5000;
/** Whoever comes back to the page after this time is told of a new version. */
const AGE_MS = 60_000;

/** Answers that say nothing about what was asked for, but about the server or the person. */
const ODD = new Set([0, 401, 403, 502, 503, 504]);

let timer: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | null = null;
let looked = 0;

/** Looks how it stands; several who want to know at once are told by one request. */
export function check(): Promise<void> {
  asking ??= look().finally(() => (asking = null));
  return asking;
}

async function look(): Promise<void> {
  clearTimeout(timer);
  looked = Date.now();
  let answer: Response;
  try {
    answer = await fetch(address(PROBE), { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    away();
    return;
  }
  if (answer.status === 401 || answer.status === 403) {
    const body: unknown = await answer.json().catch(() => null);
    standing.value = { kind: "signed-out", words: words(answer.status, body) };
  } else if (answer.status >= 500) {
    away();
  } else {
    const built = (await answer.json().catch(() => null)) as { sources?: string } | null;
    if (MARK() && built?.sources) outdated.value = built.sources !== MARK();
    try {
      standing.value = (await stillIn()) ? { kind: "up" } : { kind: "signed-out", words: "" };
    } catch {
      away();
    }
  }
}

function away(): void {
  const before = standing.value;
  const tries = before.kind === "away" ? before.tries + 1 : 1;
  const wait = Math.min(LONGEST_MS, 1000 * tries);
  standing.value = { kind: "away", tries, next: Date.now() + wait };
  timer = setTimeout(() => void check(), wait);
}

/** Begins to watch; the answer stops it. */
export function watchConnection(): () => void {
  const stop = onAnswer((status, own) => {
    // Who sends a token of their own is told by the answer whether it fits.
    if (ODD.has(status) && !own) {
      if (standing.value.kind === "up") void check();
    } else if (standing.value.kind !== "up" && status > 0 && status < 400) void check();
  });
  const back = () => {
    if (document.visibilityState !== "visible") return;
    if (standing.value.kind !== "up" || Date.now() - looked > AGE_MS) void check();
  };
  const now = () => void check();
  looked = Date.now();
  document.addEventListener("visibilitychange", back);
  addEventListener("focus", back);
  addEventListener("online", now);
  addEventListener("offline", now);
  const stopTabs = watchTabs(now);
  return () => {
    stop();
    stopTabs();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", back);
    removeEventListener("focus", back);
    removeEventListener("online", now);
    removeEventListener("offline", now);
  };
}

/** Calls `then` each time the server answers again after it was away, or did not know the person. */
export function onReturn(then: () => void): () => void {
  let before = standing.peek().kind;
  return effect(() => {
    const { kind } = standing.value;
    const returned = kind === "up" && before !== "up";
    before = kind;
    if (returned) then();
  });
}
