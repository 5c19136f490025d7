/** What the form of an event holds, and how it becomes what the server is told. */
import { t } from "../../i18n";
import type { CalendarName, EventBody, EventDetail, Shown } from "./api";
import { addDays, clockAt, daysBetween, isDay, later, minutesOf, MINUTES, zoneHere, type Day } from "./dates";
import { recurrenceOf, ruleOf, type Recurrence } from "./rules";

export interface FormState {
  title: string;
  allDay: boolean;
  startDay: Day;
  startTime: string;
  endDay: Day;
  endTime: string;
  /** Empty: the zone is one that only the event's file knows; times have `offset`. */
  zone: string;
  offset: string;
  recurrence: Recurrence;
  calendar: CalendarName;
  location: string;
  description: string;
  people: string;
  status: Shown;
}

/** A new event at `2030-01-14` or `2030-01-14T10:00`; else at the next full hour. */
export function newForm(wanted: string, fallback: Day, minutes: number, now = new Date()): FormState {
  const [day = "", time = ""] = wanted.split("T");
  const next = clockAt(new Date(now.getTime() + 60 * 60_000));
  const soon = `${next.time.slice(0, 2)}:00`;
  const onDay = isDay(day) ? day : fallback < clockAt(now).day ? next.day : fallback;
  const startTime = /^\d\d:\d\d$/.test(time) ? time : onDay <= next.day ? soon : "09:00";
  const startDay = onDay < next.day && !time && !isDay(day) ? next.day : onDay;
  const end = later(startDay, startTime, minutes);
  return {
    ...{ title: "", allDay: false, startDay, startTime, endDay: end.day, endTime: end.time },
    ...{ zone: zoneHere(), offset: "", calendar: "primary", location: "", description: "", people: "", status: "busy" },
    recurrence: { repeat: "none", ends: { kind: "never" }, custom: "" },
  };
}

export function formOf(event: EventDetail): FormState {
  const zone = event.time_zone ?? (event.all_day ? zoneHere() : "");
  const start = { day: event.start.slice(0, 10), time: event.all_day ? "09:00" : event.start.slice(11, 16) };
  const end = { day: event.end.slice(0, 10), time: event.all_day ? "10:00" : event.end.slice(11, 16) };
  return {
    ...{ title: event.title, allDay: event.all_day, startDay: start.day, startTime: start.time },
    ...{ endDay: end.day, endTime: end.time, zone, offset: event.all_day ? "" : event.start.slice(19) },
    ...{ calendar: event.calendar, location: event.location, description: event.description },
    ...{ people: event.attendees.join(", "), status: event.status },
    recurrence: recurrenceOf(event.recurrence, start.day, zone || "UTC"),
  };
}

/** The end goes with the start, so that the event keeps its length. */
export function moved(form: FormState, change: { startDay?: Day; startTime?: string }): FormState {
  const next = { ...form, ...change };
  if (!isDay(next.startDay) || !/^\d\d:\d\d$/.test(next.startTime)) return next;
  if (form.allDay) return { ...next, endDay: addDays(next.startDay, Math.max(0, daysBetween(form.startDay, form.endDay))) };
  const length = daysBetween(form.startDay, form.endDay) * MINUTES + minutesOf(form.endTime) - minutesOf(form.startTime);
  const end = later(next.startDay, next.startTime, length > 0 ? length : 60);
  return { ...next, endDay: end.day, endTime: end.time };
}

/** Whole days are mostly free: a birthday is no meeting. */
export function asAllDay(form: FormState, allDay: boolean): FormState {
  const endDay = allDay && form.endDay < form.startDay ? form.startDay : form.endDay;
  return { ...form, allDay, endDay, status: allDay && form.status === "busy" ? "free" : !allDay && form.status === "free" ? "busy" : form.status };
}

export const people = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** What is wrong that can be seen here; the server says the rest. */
export function wrongIn(form: FormState): Record<string, string> {
  const wrong: Record<string, string> = {};
  if (!form.title.trim()) wrong["title"] = t("Enter a title.");
  if (!isDay(form.startDay)) wrong["start_time"] = t("Choose a date.");
  if (!isDay(form.endDay)) wrong["end_time"] = t("Choose a date.");
  const [start, end] = [`${form.startDay}T${form.startTime}`, `${form.endDay}T${form.endTime}`];
  if (!wrong["start_time"] && !wrong["end_time"]) {
    if (form.allDay ? form.endDay < form.startDay : end <= start) wrong["end_time"] = t("The event ends before it starts. Choose a later end.");
  }
  const bad = people(form.people).find((each) => !/^\S+@\S+\.\S+$/.test(each));
  if (bad) wrong["attendees"] = t("“{bad}” is not a valid email address.", { bad });
  return wrong;
}

/** `once`: one time of a series, which has no rule of its own. */
export function bodyOf(form: FormState, once: boolean): EventBody {
  const at = (day: Day, time: string) => (form.allDay ? day : form.zone ? `${day}T${time}` : `${day}T${time}:00${form.offset || "Z"}`);
  const rule = once ? "" : ruleOf(form.recurrence, form.startDay, form.allDay, form.zone || "UTC");
  return {
    ...{ title: form.title.trim(), start_time: at(form.startDay, form.startTime), end_time: at(form.endDay, form.endTime) },
    ...(form.zone ? { time_zone: form.zone } : {}),
    ...{ all_day: form.allDay, calendar: form.calendar, description: form.description, location: form.location.trim() },
    ...{ attendees: people(form.people), status: form.status },
    ...(rule ? { recurrence: rule } : {}),
  };
}
