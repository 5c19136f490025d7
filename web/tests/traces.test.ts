import { expect, test } from "vitest";

import { joined } from "../src/api/pages";
import { compared, difference, percent, ticks, zeroOf, type Trace } from "../src/pages/traces/shapes";

const trace = (change: Partial<Trace>): Trace => ({
  session_id: "s", turn: 1, user: "ada", mode: "voice", asked: "Who?", started_at: 1, duration_ms: 3000, wait_ms: 400, finish: "complete",
  calls: 1, tools_ms: 20, marks: {}, recorded: false, answer: null, tokens: null, points: [], spans: [], entries: [], ...change,
});

test("a scale has a few marks at round numbers", () => {
  expect(ticks(3000)).toEqual([0, 1000, 2000, 3000]);
  expect(ticks(870)).toEqual([0, 200, 400, 600, 800]);
  for (const most of [0, 0.3, 1, 7, 49, 99, 12_345, 1e7]) {
    expect(ticks(most).length).toBeGreaterThan(0);
    expect(ticks(most).length).toBeLessThan(9);
  }
});

test("nothing is drawn outside of the scale", () => {
  expect([percent(-5, 100), percent(50, 100), percent(500, 100), percent(1, 0)]).toEqual(["0.000%", "50.000%", "100.000%", "100.000%"]);
});

test("turns are compared by what was waited for after the question", () => {
  const one = trace({ points: [{ name: "asked", at_ms: 1000 }, { name: "first_audio", at_ms: 1400 }], tokens: { input: 5, output: 2, cached: 0 } });
  const two = trace({ duration_ms: 2500, points: [{ name: "asked", at_ms: 200 }, { name: "first_audio", at_ms: 900 }] });
  expect([zeroOf(one), zeroOf(trace({}))]).toEqual([1000, 0]);
  const rows = Object.fromEntries(compared([one, two]).map((row) => [row.name, row]));
  expect(rows["first_audio"]!.values).toEqual([400, 700]);
  expect(rows["first_token"]).toBeUndefined();
  expect(difference(rows["first_audio"]!)).toBe("+300 ms");
  expect(difference(rows["total"]!)).toBe("−500 ms");
  expect([difference(rows["calls"]!), difference(rows["input"]!)]).toEqual(["", ""]);
});

test("pages are joined, and what stands on two of them is there once", () => {
  const one = (id: string) => ({ id });
  expect(joined([one("c"), one("b")], [one("b"), one("a")], (item) => item.id)).toEqual([one("c"), one("b"), one("a")]);
});
