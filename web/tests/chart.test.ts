import { expect, test } from "vitest";

import { barred, outline, plotted } from "../src/ui/chart-data";

const counted = (count: number, step: number) => ({
  times: Array.from({ length: count }, (_, at) => 1000 * step + (at + 1) * step), counts: true,
  series: [{ label: "a", values: Array.from({ length: count }, () => 1) }, { label: "b", values: Array.from({ length: count }, () => 2) }],
});

test("counts of an hour are summed up into bars of a minute, and none is lost", () => {
  const bars = barred(counted(720, 5));
  expect(bars.seconds).toBe(60);
  expect(bars.times.length).toBeLessThanOrEqual(61);
  expect(bars.times.every((time) => time % 60 === 0)).toBe(true);
  expect(bars.series.map((each) => each.values.reduce<number>((sum, value) => sum + value!, 0))).toEqual([720, 1440]);
});

test("few counts stay as they are", () => {
  const bars = barred(counted(12, 5));
  expect([bars.seconds, bars.times.length]).toEqual([5, 12]);
  expect(barred({ times: [], series: [], counts: true }).times).toEqual([]);
});

test("bars stand on each other, the highest first; lines are as measured", () => {
  const data = { times: [1, 2], series: [{ label: "a", values: [1, 2] }, { label: "b", values: [10, null] }] };
  expect(plotted(data)).toEqual([[1, 2], [1, 2], [10, null]]);
  expect(plotted({ ...data, counts: true })).toEqual([[1, 2], [11, 2], [1, 2]]);
});

test("a sparkline joins gaps, and draws nothing of nothing", () => {
  expect(outline([0, null, 10])).toEqual({ line: "M0 98L100 4", area: "M0 98L100 4L100 100L0 100Z" });
  expect([outline([]), outline([5]), outline([0, 0]), outline([null, 3, null])]).toEqual([null, null, null, null]);
});
