/** Times and amounts in words. Seconds of the epoch come from the server. */
import { locale, number } from "../i18n";

const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const minute = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const narrow = new Intl.RelativeTimeFormat(locale, { style: "narrow" });

export const clockTime = (seconds: number): string => clock.format(new Date(seconds * 1000));
/** Without seconds: a message is not a measurement. */
export const minuteTime = (seconds: number): string => minute.format(new Date(seconds * 1000));
export const fullTime = (seconds: number): string => full.format(new Date(seconds * 1000));

/** The same for a dense row. */
export const briefAgo = (seconds: number): string => ago(seconds, Date.now() / 1000, narrow);

export function ago(seconds: number, now = Date.now() / 1000, words = relative): string {
  const passed = seconds - now;
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]] as const) {
    if (Math.abs(passed) >= size) return words.format(Math.round(passed / size), unit);
  }
  return words.format(Math.round(passed), "second");
}

export function duration(ms: number): string {
  if (ms < 1) return "< 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${number(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
