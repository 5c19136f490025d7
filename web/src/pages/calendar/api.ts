import { address } from "../../api/address";
import { ApiError, del, get, post, put, send, words } from "../../api/http";

export type CalendarName = "primary" | "team" | "personal";
export const CALENDARS: readonly CalendarName[] = ["primary", "team", "personal"];
export type Shown = "busy" | "tentative" | "free";

/** One event at one time. Those of whole days have days in `start` and `end`, both included. */
export interface CalendarEvent {
  id: string;
  calendar: CalendarName;
  title: string;
  start: string;
  end: string;
  all_day: boolean;
  status: Shown;
  description: string;
  location: string;
  attendees: number;
  recurring: boolean;
  occurrence: string | null;
}

export interface EventPage {
  events: CalendarEvent[];
  left_off: number;
  time_zone: string;
  kept_by: string;
  changeable: boolean;
  /** Whether .ics files go in and out here. */
  files: boolean;
}

export interface EventDetail extends Omit<CalendarEvent, "attendees"> {
  time_zone: string | null;
  attendees: string[];
  recurrence: string | null;
  exceptions: number;
  url: string | null;
  version: string;
}

export interface EventBody {
  title: string;
  start_time: string;
  end_time: string;
  time_zone?: string;
  all_day: boolean;
  calendar: CalendarName;
  description: string;
  location: string;
  attendees: string[];
  recurrence?: string;
  status: Shown;
  allow_overlap?: boolean;
}

export interface Overlap { title: string | null; start: string; end: string; calendar: string }
export interface Saved { event: EventDetail; overlaps: Overlap[]; warnings: string[] }

export interface ImportProblem { line: number; uid: string; title: string; property: string; problem: string }
export interface ImportReport {
  added: number;
  updated: number;
  unchanged: number;
  skipped: ImportProblem[];
  others: Record<string, number>;
}

export interface Free {
  available_slots: { start: string; end: string; duration_minutes: number }[];
  summary: string;
  note?: string;
}

const place = (id: string): string => `/api/calendar/events/${encodeURIComponent(id)}`;
const once = (occurrence: string | null) => ({ query: { occurrence: occurrence ?? undefined } });

/** A list of names is the same parameter several times. */
const named = (path: string, calendars: readonly string[]): string =>
  `${path}?${new URLSearchParams(calendars.map((name) => ["calendar", name])).toString()}`;

export async function loadEvents(start: string, end: string, zone: string, calendars: readonly CalendarName[], signal: AbortSignal): Promise<EventPage> {
  const more = new URLSearchParams({ start, end, time_zone: zone });
  return get<EventPage>(`${named("/api/calendar/events", calendars)}&${more.toString()}`, { signal });
}

export const loadEvent = (id: string, occurrence: string | null, signal: AbortSignal): Promise<EventDetail> =>
  get(place(id), { ...once(occurrence), signal });
export const createEvent = (body: EventBody, key: string): Promise<Saved> =>
  post("/api/calendar/events", body, { headers: { "Idempotency-Key": key } });
/** What somebody changed elsewhere since it was read is not written over, nor deleted. */
const asRead = (event: EventDetail, occurrence: string | null) => ({ ...once(occurrence), headers: { "If-Match": event.version } });
export const changeEvent = (event: EventDetail, occurrence: string | null, body: EventBody): Promise<Saved> =>
  put(place(event.id), body, asRead(event, occurrence));
export const deleteEvent = (event: EventDetail, occurrence: string | null): Promise<unknown> =>
  del(place(event.id), asRead(event, occurrence));

export async function importFile(file: Blob, calendar: CalendarName, skipBroken: boolean): Promise<ImportReport> {
  const answer = await send("POST", "/api/calendar/import", file, {
    query: { calendar, skip_broken: skipBroken },
    headers: { "Content-Type": "text/calendar" },
  });
  const body = (await answer.json()) as unknown;
  if (!answer.ok) throw new ApiError(answer.status, words(answer.status, body), body);
  return body as ImportReport;
}

export const exportAddress = (calendar: CalendarName): string => address(`/api/calendar/export?calendar=${calendar}`);

export interface FreeQuery {
  start: string;
  end: string;
  zone: string;
  minutes: number;
  dayStart: string;
  dayEnd: string;
  workdays: boolean;
}

export function findFree(asked: FreeQuery, calendars: readonly CalendarName[], signal: AbortSignal): Promise<Free> {
  const more = new URLSearchParams({
    ...{ start: asked.start, end: asked.end, time_zone: asked.zone, min_minutes: String(asked.minutes) },
    ...{ day_start: asked.dayStart, day_end: asked.dayEnd, workdays: String(asked.workdays) },
  });
  return get<Free>(`${named("/api/calendar/availability", calendars)}&${more.toString()}`, { signal });
}
