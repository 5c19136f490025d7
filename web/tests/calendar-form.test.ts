import { describe, expect, it } from "vitest";

import type { EventDetail } from "../src/pages/calendar/api";
import { asAllDay, bodyOf, formOf, moved, newForm, wrongIn } from "../src/pages/calendar/form-state";
import { recurrenceOf, ruleInWords, ruleOf, type Recurrence, type Repeat } from "../src/pages/calendar/rules";

const NOW = new Date(2030, 0, 14, 9, 20); // a Monday
const never = { kind: "never" } as const;
const recurrence = (repeat: Repeat, ends: Recurrence["ends"] = never): Recurrence => ({ repeat, ends, custom: "" });

describe("rules", () => {
  it("stand for the choices, and are found again among them", () => {
    for (const [repeat, rule] of [
      ["daily", "FREQ=DAILY"],
      ["weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
      ["weekly", "FREQ=WEEKLY;BYDAY=MO"],
      ["biweekly", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"],
      ["monthly", "FREQ=MONTHLY;BYMONTHDAY=14"],
      ["yearly", "FREQ=YEARLY"],
      ["none", ""],
    ] as const) {
      expect(ruleOf(recurrence(repeat), "2030-01-14", false, "UTC")).toBe(rule);
      expect(recurrenceOf(rule || null, "2030-01-14", "UTC").repeat).toBe(repeat);
    }
    expect(recurrenceOf("FREQ=WEEKLY;WKST=MO", "2030-01-14", "UTC").repeat).toBe("weekly");
    expect(recurrenceOf("FREQ=WEEKLY;BYDAY=TU", "2030-01-14", "UTC").repeat).toBe("custom");
    expect(recurrenceOf("FREQ=MONTHLY;BYDAY=2MO", "2030-01-14", "UTC")).toMatchObject({ repeat: "custom", custom: "FREQ=MONTHLY;BYDAY=2MO" });
  });
  it("end after so many times", () => {
    const four = recurrence("weekly", { kind: "count", count: 4 });
    expect(ruleOf(four, "2030-01-14", false, "UTC")).toBe("FREQ=WEEKLY;BYDAY=MO;COUNT=4");
    expect(recurrenceOf("FREQ=WEEKLY;BYDAY=MO;COUNT=4", "2030-01-14", "UTC").ends).toEqual({ kind: "count", count: 4 });
  });
  it("end with the whole last day, wherever the event is", () => {
    const until = recurrence("daily", { kind: "until", day: "2030-01-20" });
    expect(ruleOf(until, "2030-01-14", false, "America/New_York")).toBe("FREQ=DAILY;UNTIL=20300121T045959Z");
    expect(ruleOf(until, "2030-01-14", true, "America/New_York")).toBe("FREQ=DAILY;UNTIL=20300120");
    for (const [zone, allDay] of [["America/New_York", false], ["Asia/Tokyo", false], ["UTC", true]] as const) {
      const rule = ruleOf(until, "2030-01-14", allDay, zone);
      expect(recurrenceOf(rule, "2030-01-14", zone).ends).toEqual({ kind: "until", day: "2030-01-20" });
    }
  });
  it("are said in words", () => {
    expect(ruleInWords("FREQ=WEEKLY;COUNT=4", "2030-01-14", "UTC", "Monday")).toBe("Every week on Monday, 4 times");
    expect(ruleInWords("FREQ=HOURLY", "2030-01-14", "UTC", "Monday")).toContain("FREQ=HOURLY");
  });
});

describe("a new event", () => {
  it("begins at the next full hour, or where it was asked for", () => {
    expect(newForm("1", "2030-01-14", 60, NOW)).toMatchObject({ startDay: "2030-01-14", startTime: "10:00", endTime: "11:00" });
    expect(newForm("2030-02-01", "2030-01-14", 60, NOW)).toMatchObject({ startDay: "2030-02-01", startTime: "09:00" });
    expect(newForm("2030-02-01T23:30", "2030-01-14", 60, NOW)).toMatchObject({ startTime: "23:30", endDay: "2030-02-02", endTime: "00:30" });
    expect(newForm("1", "2029-06-01", 30, NOW)).toMatchObject({ startDay: "2030-01-14", endTime: "10:30" });
  });
  it("keeps its length when its start is moved", () => {
    const form = newForm("2030-02-01T10:00", "2030-01-14", 90, NOW);
    expect(moved(form, { startTime: "23:00" })).toMatchObject({ endDay: "2030-02-02", endTime: "00:30" });
    expect(moved(form, { startDay: "2030-03-01" })).toMatchObject({ endDay: "2030-03-01", endTime: "11:30" });
    const days = { ...asAllDay(form, true), endDay: "2030-02-03" };
    expect(moved(days, { startDay: "2030-02-10" }).endDay).toBe("2030-02-12");
    expect(moved(form, { startDay: "" }).endDay).toBe("2030-02-01");
  });
  it("of whole days leaves the time free", () => {
    const form = newForm("2030-02-01", "2030-01-14", 60, NOW);
    expect(asAllDay(form, true).status).toBe("free");
    expect(asAllDay(asAllDay(form, true), false).status).toBe("busy");
  });
  it("says what is wrong before anybody is asked", () => {
    const form = { ...newForm("2030-02-01T10:00", "2030-01-14", 60, NOW), title: " ", endTime: "09:00", people: "ana@example.com, bo" };
    expect(Object.keys(wrongIn(form))).toEqual(["title", "end_time", "attendees"]);
    expect(wrongIn({ ...form, title: "Tea", allDay: true, people: "" })).toEqual({});
  });
});

describe("what the server is told", () => {
  const detail: EventDetail = {
    ...{ id: "primary:1", calendar: "primary", title: "Tea", start: "2030-01-14T10:00:00+03:00", end: "2030-01-14T11:00:00+03:00" },
    ...{ all_day: false, status: "busy", time_zone: null, description: "", location: "", attendees: [], recurrence: "FREQ=DAILY" },
    ...{ recurring: true, exceptions: 0, url: null, occurrence: null, version: "1" },
  };
  it("names the zone, and for days only days", () => {
    const form = { ...newForm("2030-02-01T10:00", "2030-01-14", 60, NOW), title: " Tea ", zone: "Asia/Tokyo" };
    expect(bodyOf(form, false)).toMatchObject({ title: "Tea", start_time: "2030-02-01T10:00", time_zone: "Asia/Tokyo" });
    expect(bodyOf(asAllDay(form, true), false)).toMatchObject({ start_time: "2030-02-01", end_time: "2030-02-01", all_day: true });
  });
  it("leaves a zone that only the event knows as it is", () => {
    const body = bodyOf(formOf(detail), false);
    expect(body).toMatchObject({ start_time: "2030-01-14T10:00:00+03:00", recurrence: "FREQ=DAILY" });
    expect(body).not.toHaveProperty("time_zone");
  });
  it("has no rule for one time of a series", () => {
    expect(bodyOf(formOf({ ...detail, time_zone: "Europe/Moscow" }), true)).not.toHaveProperty("recurrence");
  });
});
