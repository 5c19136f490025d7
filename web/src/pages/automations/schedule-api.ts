/** When automations run by themselves, as the server tells it, and cron expressions for the usual wishes. */
import { del, get, post, put } from "../../api/http";
import { locale } from "../../i18n";
import type { Kind, RunSummary } from "./api";

export type Trigger = { type: "cron"; expression: string } | { type: "event"; title: string; minutes_before: number };

export interface ScheduleBody {
  kind: Kind;
  name: string;
  input: string;
  trigger: Trigger;
  zone: string;
  missed: "skip" | "run_once";
  enabled: boolean;
}

export interface Preview {
  words: string;
  /** Seconds of the epoch. */
  next: number[];
}

export interface Schedule extends ScheduleBody, Preview {
  id: string;
  title: string | null;
  last_at: number | null;
  last_run: RunSummary | null;
  problem: string | null;
}

const path = (id: string, more = ""): string => `/api/schedules/${encodeURIComponent(id)}${more}`;

export async function loadSchedules(kind: Kind, name: string, signal: AbortSignal): Promise<Schedule[]> {
  return (await get<{ schedules: Schedule[] }>("/api/schedules", { signal, query: { kind, name } })).schedules;
}

export const preview = (trigger: Trigger, zone: string, signal: AbortSignal): Promise<Preview> =>
  post<Preview>("/api/schedules/preview", { trigger, zone }, { signal });

export const saveSchedule = (body: ScheduleBody, id: string | null): Promise<Schedule> =>
  id ? put<Schedule>(path(id), body) : post<Schedule>("/api/schedules", body);

export const deleteSchedule = (id: string): Promise<unknown> => del(path(id));
export const runSchedule = async (id: string): Promise<string> => (await post<{ id: string }>(path(id, "/run"))).id;

export const bodyOf = ({ kind, name, input, trigger, zone, missed, enabled }: Schedule): ScheduleBody =>
  ({ kind, name, input, trigger, zone, missed, enabled });

const times = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
export const timeInWords = (seconds: number): string => times.format(new Date(seconds * 1000));

// -- the usual wishes ------------------------------------------------------------------------------

export type Rhythm = "hour" | "day" | "weekdays" | "week" | "month" | "custom";

export interface Wish {
  rhythm: Rhythm;
  /** `08:00` */
  time: string;
  /** 0 is Sunday. */
  weekday: number;
  day: number;
}

export function cronOf({ rhythm, time, weekday, day }: Wish): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  switch (rhythm) {
    case "hour": return `${minute} * * * *`;
    case "day": return `${minute} ${hour} * * *`;
    case "weekdays": return `${minute} ${hour} * * 1-5`;
    case "week": return `${minute} ${hour} * * ${weekday}`;
    case "month": return `${minute} ${hour} ${day} * *`;
    case "custom": return "";
  }
}

/** What an expression wishes for, where that is a usual wish. */
export function wishOf(expression: string): Wish {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = expression.trim().split(/\s+/);
  const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : null);
  const at = number(minute);
  const time = `${(hour === "*" ? "0" : hour).padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const wish = (rhythm: Rhythm): Wish => ({ rhythm, time, weekday: number(weekday) ?? 1, day: number(day) ?? 1 });
  const custom: Wish = { rhythm: "custom", time: "08:00", weekday: 1, day: 1 };
  if (at === null || month !== "*") return custom;
  if (hour === "*" && day === "*" && weekday === "*") return wish("hour");
  if (number(hour) === null) return custom;
  if (day === "*") return weekday === "*" ? wish("day") : weekday === "1-5" ? wish("weekdays") : /^[0-6]$/.test(weekday) ? wish("week") : custom;
  return weekday === "*" && number(day) !== null ? wish("month") : custom;
}
