/** What the calendar shows is in the address: `#/calendar/<view>/<day>?event=…`. */
import { t } from "../../i18n";
import { at, go, route } from "../../router";
import { CALENDARS, type CalendarEvent, type CalendarName } from "./api";
import { clockAt, isDay, today, type Day } from "./dates";

export const VIEWS = [
  { id: "month", title: t("Month") },
  { id: "week", title: t("Week") },
  { id: "agenda", title: t("Agenda") },
] as const;
export type View = (typeof VIEWS)[number]["id"];

export const PHONE = "(max-width: 700px)";

export interface Place {
  view: View;
  day: Day;
  calendars: readonly CalendarName[];
  /** How many days of the agenda are shown. */
  span: number;
  event: string | null;
  occurrence: string | null;
  /** A day, or a day and a time, for which a new event is being made. */
  making: string | null;
  /** How long a new event is to be, in minutes. */
  minutes: number;
}

export const SPAN = 14;
export const MOST_DAYS = 98;

export function place(): Place {
  const { rest, query } = route.value;
  const [view, day] = rest;
  const known = VIEWS.find((each) => each.id === view)?.id;
  const wanted = (query.get("calendars") ?? "").split(",");
  const calendars = CALENDARS.filter((name) => wanted.includes(name));
  const span = Number(query.get("days"));
  const minutes = Number(query.get("minutes"));
  return {
    view: known ?? (matchMedia(PHONE).matches ? "agenda" : "month"),
    day: isDay(day) ? day : today(),
    calendars: calendars.length ? calendars : CALENDARS,
    span: span > 0 && span <= MOST_DAYS ? Math.round(span) : SPAN,
    event: query.get("event"),
    occurrence: query.get("at"),
    making: query.get("new"),
    minutes: minutes > 0 && minutes <= 1440 ? Math.round(minutes) : 60,
  };
}

/** The same place with something else in it. What is open closes unless it is named. */
export function addressOf(change: Partial<Place> = {}): string {
  const now = { ...place(), event: null, occurrence: null, making: null, minutes: 60, ...change };
  return at("calendar", [now.view, now.day], {
    calendars: now.calendars.length === CALENDARS.length ? "" : now.calendars.join(","),
    days: now.span === SPAN ? "" : String(now.span),
    event: now.event ?? "",
    at: now.occurrence ?? "",
    new: now.making ?? "",
    minutes: now.making && now.minutes !== 60 ? String(now.minutes) : "",
  });
}

export const move = (change: Partial<Place>, replace = false): void => go(addressOf(change), replace);

/** Where an event is seen, from another page. */
export function eventAddress(event: CalendarEvent): string {
  const day = event.all_day ? event.start : clockAt(new Date(event.start)).day;
  return at("calendar", ["agenda", day], { event: event.id, at: event.occurrence ?? "" });
}
