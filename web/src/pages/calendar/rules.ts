/** How an event repeats: a few choices, and the rules of RFC 5545 that they stand for. */
import { plural, t } from "../../i18n";
import { addDays, isDay, momentIn, weekday, type Day } from "./dates";
import { dayShort } from "./words";

export type Repeat = "none" | "daily" | "weekdays" | "weekly" | "biweekly" | "monthly" | "yearly" | "custom";
export type Ends = { kind: "never" } | { kind: "count"; count: number } | { kind: "until"; day: Day };

export interface Recurrence {
  repeat: Repeat;
  ends: Ends;
  /** The rule itself, where it is none of the choices. */
  custom: string;
}

const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const WEEKDAYS = "MO,TU,WE,TH,FR";

function core(repeat: Repeat, start: Day): string {
  const own = DAYS[weekday(start)]!;
  switch (repeat) {
    case "daily": return "FREQ=DAILY";
    case "weekdays": return `FREQ=WEEKLY;BYDAY=${WEEKDAYS}`;
    case "weekly": return `FREQ=WEEKLY;BYDAY=${own}`;
    case "biweekly": return `FREQ=WEEKLY;INTERVAL=2;BYDAY=${own}`;
    case "monthly": return `FREQ=MONTHLY;BYMONTHDAY=${Number(start.slice(8))}`;
    case "yearly": return "FREQ=YEARLY";
    default: return "";
  }
}

/** The rule of an event that starts on a day; empty: it does not repeat. */
export function ruleOf({ repeat, ends, custom }: Recurrence, start: Day, allDay: boolean, zone: string): string {
  if (repeat === "none") return "";
  if (repeat === "custom") return custom.trim().replace(/^RRULE:/i, "");
  const rule = core(repeat, start);
  if (ends.kind === "count") return `${rule};COUNT=${ends.count}`;
  if (ends.kind === "until") return `${rule};UNTIL=${until(ends.day, allDay, zone)}`;
  return rule;
}

/** The last moment of a day in the zone of the event: a time on that day still counts. */
function until(day: Day, allDay: boolean, zone: string): string {
  const plain = day.replaceAll("-", "");
  if (allDay) return plain;
  const over = momentIn(addDays(day, 1), "00:00", zone);
  if (!over) return `${plain}T235959Z`;
  return new Date(over.getTime() - 1000).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** What a rule is among the choices. */
export function recurrenceOf(rule: string | null, start: Day, zone: string): Recurrence {
  const none: Recurrence = { repeat: "none", ends: { kind: "never" }, custom: "" };
  if (!rule) return none;
  const custom: Recurrence = { ...none, repeat: "custom", custom: rule };
  const parts = new Map(rule.split(";").map((part) => part.split("=", 2) as [string, string]));
  const count = parts.get("COUNT");
  const end = parts.get("UNTIL");
  const ends: Ends = count ? { kind: "count", count: Number(count) } : end ? { kind: "until", day: lastDay(end, zone) } : { kind: "never" };
  if (ends.kind === "until" && !isDay(ends.day)) return custom;
  const rest = rule.split(";").filter((part) => !/^(COUNT|UNTIL|WKST)=/.test(part));
  for (const repeat of ["daily", "weekdays", "weekly", "biweekly", "monthly", "yearly"] as const) {
    const own = core(repeat, start).split(";");
    // `FREQ=WEEKLY` alone means the weekday of its start, and so with months.
    const short = own.filter((part) => !/^BY/.test(part));
    if (same(rest, own) || (repeat !== "weekdays" && same(rest, short))) return { repeat, ends, custom: rule };
  }
  return custom;
}

const same = (one: string[], two: string[]): boolean => [...one].sort().join(";") === [...two].sort().join(";");

function lastDay(text: string, zone: string): Day {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
  if (!found) return "";
  const [, year, month, date, hour, minute, second, z] = found;
  const day = `${year}-${month}-${date}`;
  if (!hour || !z) return day;
  try {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
    return format.format(Date.parse(`${day}T${hour}:${minute}:${second}Z`));
  } catch {
    return day;
  }
}

export const REPEATS: Record<Repeat, (weekdayName: string, date: number) => string> = {
  none: () => t("Does not repeat"),
  daily: () => t("Every day"),
  weekdays: () => t("Every weekday, Monday to Friday"),
  weekly: (name) => t("Every week on {name}", { name }),
  biweekly: (name) => t("Every two weeks on {name}", { name }),
  monthly: (_, date) => t("Every month on day {date}", { date }),
  yearly: () => t("Every year"),
  custom: () => t("Custom rule"),
};

export function ruleInWords(rule: string | null, start: Day, zone: string, weekdayName: string): string {
  const { repeat, ends, custom } = recurrenceOf(rule, start, zone);
  if (repeat === "custom") return t("Repeats by the rule {custom}", { custom });
  const words = REPEATS[repeat](weekdayName, Number(start.slice(8)));
  if (ends.kind === "count") return plural(ends.count, "{words}, once", "{words}, {count} times", { words });
  return ends.kind === "until" ? t("{words}, until {day}", { words, day: dayShort(ends.day) }) : words;
}
