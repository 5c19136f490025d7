/** Days as `2030-01-14`, counted without a time zone, and times as the person's clock shows them. */
export type Day = string;

export const MINUTES = 24 * 60;
const DAY_MS = 86_400_000;

const utc = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const written = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

export function isDay(text: string | null | undefined): text is Day {
  return !!text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(utc(text)) && written(utc(text)) === text;
}

export const addDays = (day: Day, count: number): Day => written(utc(day) + count * DAY_MS);
export const daysBetween = (from: Day, to: Day): number => Math.round((utc(to) - utc(from)) / DAY_MS);

/** The same day of another month, or its last one. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return written(Date.UTC(year, month - 1 + count, Math.min(date, last)));
}

/** 0 is Sunday. */
export const weekday = (day: Day): number => new Date(utc(day)).getUTCDay();

export const startOfWeek = (day: Day, first: number): Day => addDays(day, -((weekday(day) - first + 7) % 7));

export const daysFrom = (day: Day, count: number): Day[] => Array.from({ length: count }, (_, place) => addDays(day, place));

/** Whole weeks that the month of a day lies in. */
export function monthWeeks(day: Day, first: number): Day[][] {
  const start = startOfWeek(`${day.slice(0, 7)}-01`, first);
  const next = addMonths(`${day.slice(0, 7)}-01`, 1);
  const weeks: Day[][] = [];
  for (let week = start; week < next; week = addDays(week, 7)) weeks.push(daysFrom(week, 7));
  return weeks;
}

/** The day that the week begins with where the person lives: 0 is Sunday. */
export function firstWeekday(locale = navigator.language): number {
  try {
    const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } };
    return (known.getWeekInfo?.() ?? known.weekInfo)!.firstDay % 7;
  } catch {
    return 1;
  }
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The day and the time that the person's clock shows at a moment. */
export function clockAt(moment: Date): { day: Day; minutes: number; time: string } {
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return { day, minutes: moment.getHours() * 60 + moment.getMinutes(), time: `${two(moment.getHours())}:${two(moment.getMinutes())}` };
}

export const today = (): Day => clockAt(new Date()).day;
/** The midnight at which a day begins, by the person's clock. */
export const midnight = (day: Day): Date => new Date(`${day}T00:00:00`);
export const timeOf = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** A day and a time so many minutes later, by the clock on the wall. */
export function later(day: Day, time: string, minutes: number): { day: Day; time: string } {
  const total = minutesOf(time) + minutes;
  return { day: addDays(day, Math.floor(total / MINUTES)), time: timeOf(((total % MINUTES) + MINUTES) % MINUTES) };
}

export { zoneHere } from "../../api/zone";

export function zones(): string[] {
  try {
    return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
  } catch {
    return ["UTC"];
  }
}

/** The moment at which clocks of a zone show a day and a time. Null for no zone. */
export function momentIn(day: Day, time: string, zone: string): Date | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  } catch {
    return null;
  }
  const wanted = Date.parse(`${day}T${time}:00Z`);
  let guess = wanted;
  // Twice: the offset of the guess may be the one of before or after a change of clocks.
  for (let round = 0; round < 2; round++) {
    const parts = Object.fromEntries(format.formatToParts(guess).map((part) => [part.type, part.value]));
    const shown = Date.parse(`${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}Z`);
    guess += wanted - shown;
  }
  return new Date(guess);
}
