import { expect, test } from "vitest";

import { newest } from "../src/ui/chart-data";
import { callsIn, descending, toolRows, type Metrics } from "../src/pages/metrics/document";
import { callsOver, knownUntil, latencyOver, merged, refusalsOver, voiceOver, within, type History, type Sample } from "../src/pages/metrics/history";

const sample = (at: number, change: Partial<Sample> = {}): Sample => ({
  at, seconds: 5, ok: 0, failed: 0, refused: 0, refusals: {}, latency: null, tokens: { input: 0, output: 0 }, voice: {}, sessions: 0, ...change,
});
const history = (samples: Sample[], change: Partial<History> = {}): History =>
  ({ started_at: 1, seconds: 5, samples, open: sample((samples.at(-1)?.at ?? 0) + 1), ...change });

test("an answer is added to what is known, nothing twice", () => {
  const known = history([sample(10), sample(15)]);
  const next = merged(known, history([sample(15), sample(20)]));
  expect(next.samples.map((each) => each.at)).toEqual([10, 15, 20]);
  expect(knownUntil(next)).toBe(20);
  expect(next.open.at).toBe(21);
  expect([merged(null, known), knownUntil(null)]).toEqual([known, 0]);
});

test("a server that was started again begins anew, and an hour is kept", () => {
  const known = history([sample(10), sample(5000)]);
  expect(merged(known, history([sample(12)], { started_at: 11 })).samples.map((each) => each.at)).toEqual([12]);
  expect(merged(known, history([sample(5005)])).samples.map((each) => each.at)).toEqual([5000, 5005]);
});

test("a window has the samples of its time and the one under way", () => {
  const found = within(history([sample(10), sample(100), sample(395)]), 5);
  expect(found.map((each) => each.at)).toEqual([100, 395, 396]);
});

test("what was not measured is a gap, what did not happen is a zero", () => {
  const samples = [sample(1, { latency: { p50: 1, p95: 2, p99: 3 }, ok: 4 }), sample(2)];
  expect(latencyOver(samples).series[1]).toEqual({ label: "p95", values: [2, null] });
  expect(callsOver(samples).series[0]).toEqual({ label: "succeeded", values: [4, 0] });
  expect([newest(latencyOver(samples)), newest(callsOver(samples))]).toEqual([0, 1]);
  expect(newest(latencyOver([sample(1)]))).toBeNull();
  expect(voiceOver([sample(1, { voice: { turn_gap: { p50: 1, p95: 9, p99: 9 } } })]).series[1]!.values).toEqual([9]);
});

test("the rules that refuse most are drawn", () => {
  const samples = [sample(1, { refusals: { a: 1, b: 5 } }), sample(2, { refusals: { c: 2, b: 1 } })];
  const found = refusalsOver(samples, 2);
  expect(found.series).toEqual([{ label: "b", values: [5, 1] }, { label: "c", values: [0, 2] }]);
});

test("tools are sorted by what was asked for", () => {
  const latency = (p95: number) => ({ p50: 1, p95, p99: p95, overBudget: 0 });
  const figures = {
    calls: { b: { ok: 3 }, a: { ok: 1, TRANSIENT: 2 }, c: { ok: 9 } },
    latency: { a: latency(5), b: latency(50), c: latency(1) },
    responseSizes: {}, responseTokens: {}, refusals: { RATE_LIMIT: 2 },
  } as unknown as Metrics;
  const ids = (sort?: "id" | "p95" | "failed") => toolRows(figures, sort).map((row) => row.id);
  expect([ids(), ids("id"), ids("p95"), ids("failed")]).toEqual([["c", "a", "b"], ["a", "b", "c"], ["b", "a", "c"], ["a", "b", "c"]]);
  expect(callsIn(figures)).toEqual({ ran: 15, failed: 2, refused: 2 });
  expect(descending({ x: 1, b: 2, a: 2 })).toEqual([["a", 2], ["b", 2], ["x", 1]]);
});
