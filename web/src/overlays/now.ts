import { useEffect, useState } from "preact/hooks";

import { plural } from "../i18n";

/** Milliseconds of the epoch, again every `every` milliseconds: for what counts down. */
export function useNow(every: number): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    set(Date.now());
    const timer = setInterval(() => set(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** `4:05`, rounded up: it is not over before it says so. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const rest = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** The same for a screen reader, which reads `4:05` as a time of day. */
export function inWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return plural(seconds, "{count} second", "{count} seconds");
  const minutes = Math.ceil(seconds / 60);
  return plural(minutes, "{count} minute", "{count} minutes");
}
