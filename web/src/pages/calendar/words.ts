/** Days and times in the person's own way of writing them. */
import { locale, t } from "../../i18n";
import type { CalendarEvent } from "./api";
import { midnight, type Day } from "./dates";

const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
const long = make({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const short = make({ weekday: "short", day: "numeric", month: "short" });
const plain = make({ day: "numeric", month: "short", year: "numeric" });
const month = make({ month: "long", year: "numeric" });
const name = make({ weekday: "short" });
const fullName = make({ weekday: "long" });
const clock = make({ hour: "numeric", minute: "2-digit" });
const both = make({ weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });

export const dayLong = (day: Day): string => long.format(midnight(day));
export const dayShort = (day: Day): string => short.format(midnight(day));
export const monthInWords = (day: Day): string => month.format(midnight(day));
export const weekdayShort = (day: Day): string => name.format(midnight(day));
export const weekdayLong = (day: Day): string => fullName.format(midnight(day));
export const daysInWords = (from: Day, to: Day): string => short.formatRange(midnight(from), midnight(to));
/** Without weekdays, for headings. */
export const rangeInWords = (from: Day, to: Day): string => plain.formatRange(midnight(from), midnight(to));
export const timeInWords = (moment: string): string => clock.format(new Date(moment));
/** For little room: 11am, 11:30am, 23:00. */
export const timeBrief = (moment: string): string =>
  timeInWords(moment).replace(/(:00)?\s?([AP])M$/i, (_, _zero: string, half: string) => `${half.toLowerCase()}m`);
export const hourInWords = (hour: number): string => make({ hour: "numeric" }).format(new Date(2030, 0, 1, hour));

export function whenInWords(event: Pick<CalendarEvent, "start" | "end" | "all_day">): string {
  if (event.all_day) return event.start === event.end ? t("{start}, all day", { start: dayShort(event.start) }) : daysInWords(event.start, event.end);
  const [start, end] = [new Date(event.start), new Date(event.end)];
  return both.formatRange(start, end);
}

export function timesInWords(event: Pick<CalendarEvent, "start" | "end" | "all_day">): string {
  if (event.all_day) return t("All day");
  return clock.formatRange(new Date(event.start), new Date(event.end));
}

export function lengthInWords(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours ? `${hours} h` : "", rest ? `${rest} min` : ""].filter(Boolean).join(" ") || "0 min";
}
