import { describe, expect, it } from "vitest";

import type { CalendarEvent } from "../src/pages/calendar/api";
import { addDays, addMonths, clockAt, daysBetween, firstWeekday, isDay, later, momentIn, monthWeeks, startOfWeek } from "../src/pages/calendar/dates";
import { byDay, inLanes, overlaps, pieces } from "../src/pages/calendar/placing";

describe("days", () => {
  it("are counted over months, years and changes of clocks", () => {
    expect(addDays("2030-12-31", 1)).toBe("2031-01-01");
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
    expect(addDays("2030-03-31", -31)).toBe("2030-02-28");
    expect(daysBetween("2030-03-01", "2030-04-01")).toBe(31);
  });
  it("of another month are never days that it does not have", () => {
    expect(addMonths("2030-01-31", 1)).toBe("2030-02-28");
    expect(addMonths("2030-03-31", -1)).toBe("2030-02-28");
    expect(addMonths("2030-12-15", 1)).toBe("2031-01-15");
    expect(addMonths("2032-02-29", 12)).toBe("2033-02-28");
  });
  it("are told from what only looks like one", () => {
    expect(isDay("2030-02-28")).toBe(true);
    for (const text of ["2030-02-30", "2030-13-01", "2030-1-1", "", null, "soon"]) expect(isDay(text)).toBe(false);
  });
  it("make whole weeks, from the day that the week begins with", () => {
    const weeks = monthWeeks("2026-11-17", 1);
    expect([weeks[0]![0], weeks.at(-1)![6], weeks.length]).toEqual(["2026-10-26", "2026-12-06", 6]);
    expect(monthWeeks("2027-02-10", 1)).toHaveLength(4); // it begins on a Monday and has 28 days
    expect(startOfWeek("2026-11-15", 0)).toBe("2026-11-15");
    expect(startOfWeek("2026-11-15", 1)).toBe("2026-11-09");
    expect(firstWeekday("de-DE")).toBe(1);
    expect(firstWeekday("en-US")).toBe(0);
  });
});

describe("times", () => {
  it("go over midnight", () => {
    expect(later("2030-01-31", "23:30", 60)).toEqual({ day: "2030-02-01", time: "00:30" });
    expect(later("2030-01-31", "09:00", 90)).toEqual({ day: "2030-01-31", time: "10:30" });
  });
  it("of another zone are found, in winter and in summer", () => {
    expect(momentIn("2030-01-14", "10:00", "Europe/Berlin")!.toISOString()).toBe("2030-01-14T09:00:00.000Z");
    expect(momentIn("2030-07-14", "10:00", "Europe/Berlin")!.toISOString()).toBe("2030-07-14T08:00:00.000Z");
    expect(momentIn("2030-07-14", "20:00", "America/New_York")!.toISOString()).toBe("2030-07-15T00:00:00.000Z");
    expect(momentIn("2030-07-14", "20:00", "Moon/Base")).toBeNull();
  });
});

/** Times by the clock of whoever runs this, wherever that is. */
const at = (text: string) => new Date(text).toISOString();
const event = (id: string, start: string, end: string, more: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...{ id, calendar: "primary", title: id, start, end, all_day: false, status: "busy" },
  ...{ description: "", location: "", attendees: 0, recurring: false, occurrence: null, ...more },
});
const timed = (id: string, from: string, to: string) => event(id, at(`2030-01-14T${from}`), at(`2030-01-14T${to}`));

describe("where events stand", () => {
  it("is on each of their days, and not on one that begins when they end", () => {
    const over = pieces(event("a", at("2030-01-14T22:00"), at("2030-01-16T00:00")));
    expect(over.map(({ day, from, to, before, after }) => [day, from, to, before, after])).toEqual([
      ["2030-01-14", 22 * 60, 24 * 60, false, true],
      ["2030-01-15", 0, 24 * 60, true, false],
    ]);
    const days = pieces(event("b", "2030-01-14", "2030-01-16", { all_day: true }));
    expect(days.map((piece) => piece.day)).toEqual(["2030-01-14", "2030-01-15", "2030-01-16"]);
    expect(pieces(timed("c", "10:00", "10:00"))).toHaveLength(1);
  });
  it("is in order, with whole days first", () => {
    const day = event("day", "2030-01-14", "2030-01-14", { all_day: true });
    const list = byDay([timed("late", "15:00", "16:00"), timed("soon", "09:00", "10:00"), day]).get("2030-01-14")!;
    expect(list.map((piece) => piece.event.id)).toEqual(["day", "soon", "late"]);
  });
  it("is side by side where they overlap, and alone where they do not", () => {
    const list = byDay([timed("a", "10:00", "12:00"), timed("b", "11:00", "13:00"), timed("c", "12:00", "12:30"), timed("d", "15:00", "16:00")]);
    const lanes = Object.fromEntries(inLanes(list.get("2030-01-14")!).map(({ event, lane, lanes }) => [event.id, `${lane}/${lanes}`]));
    expect(lanes).toEqual({ a: "0/2", b: "1/2", c: "0/2", d: "0/1" });
  });
  it("tells what each overlaps with, unless its time is free", () => {
    const free = { ...timed("free", "10:00", "18:00"), status: "free" as const };
    const found = overlaps([timed("a", "10:00", "12:00"), timed("b", "11:00", "13:00"), timed("c", "13:00", "14:00"), free]);
    const names = [...found].map(([key, others]) => [key.split(" ")[0], others.map((other) => other.id)]);
    expect(Object.fromEntries(names)).toEqual({ a: ["b"], b: ["a"] });
  });
});

it("shows a moment by the person's clock", () => {
  expect(clockAt(new Date(2030, 0, 14, 9, 5))).toEqual({ day: "2030-01-14", minutes: 545, time: "09:05" });
});
