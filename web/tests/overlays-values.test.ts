import { describe, expect, it } from "vitest";

import { inFull } from "../src/overlays/values";

describe("the arguments of a call that is to be approved", () => {
  it("are shown in full, whatever their words leave out", () => {
    const long = "All work and no play. ".repeat(40);
    expect(inFull({ value: long, display: `${long.slice(0, 100)}…` })).toBe(long);
    const guests = Array.from({ length: 25 }, (_, n) => `guest${n}@example.org`);
    expect(inFull({ value: guests, display: "guest0@example.org, guest1@example.org and 23 more" })).toEqual(guests);
    expect(inFull({ value: [{ name: "Ada" }] })).toEqual(['{\n  "name": "Ada"\n}']);
    expect(inFull({ value: { a: 1 }, display: "1 value" })).toBe('{\n  "a": 1\n}');
  });

  it("are shown in words where those say the same", () => {
    expect(inFull({ value: "2026-11-17T15:00:00+00:00", display: "Tuesday 17 November 2026, 15:00 UTC" })).toBe("Tuesday 17 November 2026, 15:00 UTC");
    expect(inFull({ value: true, display: "yes" })).toBe("yes");
    expect(inFull({ value: [], display: "none" })).toBe("none");
    expect(inFull({ value: 3 })).toBe("3");
  });
});
