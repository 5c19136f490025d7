/** Where events stand: on which days, beside which others, and what they overlap with. */
import type { CalendarEvent } from "./api";
import { addDays, clockAt, midnight, MINUTES, type Day } from "./dates";

/** One time of one event. */
export const keyOf = (event: CalendarEvent): string => `${event.id} ${event.occurrence ?? event.start}`;

/** From when to when, in milliseconds of the epoch. */
export function span(event: CalendarEvent): [number, number] {
  if (event.all_day) return [midnight(event.start).getTime(), midnight(addDays(event.end, 1)).getTime()];
  return [Date.parse(event.start), Date.parse(event.end)];
}

/** The part of an event that lies on one day. Minutes are those of the clock on the wall. */
export interface Piece {
  event: CalendarEvent;
  day: Day;
  from: number;
  to: number;
  /** Whether it began before this day, and goes on after it. */
  before: boolean;
  after: boolean;
  lane: number;
  lanes: number;
}

export function pieces(event: CalendarEvent): Piece[] {
  const whole = { event, lane: 0, lanes: 1 };
  if (event.all_day) {
    const days: Piece[] = [];
    for (let day = event.start; day <= event.end; day = addDays(day, 1)) {
      days.push({ ...whole, day, from: 0, to: MINUTES, before: day > event.start, after: day < event.end });
    }
    return days;
  }
  const start = clockAt(new Date(event.start));
  const end = clockAt(new Date(event.end));
  const found: Piece[] = [];
  for (let day = start.day; day <= end.day; day = addDays(day, 1)) {
    const from = day === start.day ? start.minutes : 0;
    const to = day === end.day ? end.minutes : MINUTES;
    // What ends at midnight is not on the day that begins then.
    if (to === 0 && day !== start.day) continue;
    found.push({ ...whole, day, from, to: Math.max(to, from), before: day > start.day, after: day < end.day && !(end.minutes === 0 && addDays(day, 1) === end.day) });
  }
  return found;
}

/** The pieces of every day, those of whole days first, then in the order of their times. */
export function byDay(events: CalendarEvent[]): Map<Day, Piece[]> {
  const found = new Map<Day, Piece[]>();
  for (const piece of events.flatMap(pieces)) found.set(piece.day, [...(found.get(piece.day) ?? []), piece]);
  for (const list of found.values()) {
    list.sort((one, two) => Number(two.event.all_day) - Number(one.event.all_day) || one.from - two.from || two.to - one.to);
  }
  return found;
}

/** Minutes that a short event takes up, so that it can be read. */
export const LEAST = 30;

/** Pieces of one day side by side where they overlap. */
export function inLanes(list: Piece[]): Piece[] {
  const placed: Piece[] = [];
  let group: Piece[] = [];
  let until = 0;
  const close = () => {
    const lanes = Math.max(1, ...group.map((piece) => piece.lane + 1));
    for (const piece of group) placed.push({ ...piece, lanes });
    group = [];
  };
  const ends: number[] = [];
  for (const piece of [...list].sort((one, two) => one.from - two.from || two.to - one.to)) {
    if (group.length && piece.from >= until) {
      close();
      ends.length = 0;
    }
    const end = Math.max(piece.to, piece.from + LEAST);
    const free = ends.findIndex((taken) => taken <= piece.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = end;
    until = Math.max(group.length ? until : 0, end);
    group.push({ ...piece, lane });
  }
  close();
  return placed;
}

/** What each event that takes up time shares time with. */
export function overlaps(events: CalendarEvent[]): Map<string, CalendarEvent[]> {
  const busy = events
    .filter((event) => event.status !== "free")
    .map((event) => ({ event, at: span(event) }))
    .sort((one, two) => one.at[0] - two.at[0]);
  const found = new Map<string, CalendarEvent[]>();
  const add = (one: CalendarEvent, two: CalendarEvent) => found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), two]);
  busy.forEach((one, place) => {
    for (let next = place + 1; next < busy.length && busy[next]!.at[0] < one.at[1]; next++) {
      const two = busy[next]!;
      if (two.at[1] <= one.at[0]) continue;
      add(one.event, two.event);
      add(two.event, one.event);
    }
  });
  return found;
}
