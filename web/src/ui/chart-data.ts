/** What a chart draws: points in time, and for each series a value at each, or none. */
export interface ChartData {
  /** Seconds of the epoch, rising. */
  times: number[];
  series: { label: string; values: (number | null)[] }[];
  /** Counts per stretch of time are drawn as bars, one on the other; nothing happened is a zero. */
  counts?: boolean;
}

/** The last point at which anything was measured. */
export function newest({ times, series, counts }: ChartData): number | null {
  for (let index = times.length - 1; index >= 0; index--) {
    if (counts || series.some((each) => each.values[index] !== null)) return index;
  }
  return null;
}

/** More bars than these are no bars any more. */
const MOST_BARS = 60;
const WIDTHS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

export interface Bars extends ChartData {
  /** How long a bar lasts, in seconds. */
  seconds: number;
}

/** Counts summed up into stretches of a round length, each named by its end. */
export function barred(data: ChartData, most = MOST_BARS): Bars {
  const { times, series } = data;
  const span = times.length > 1 ? times.at(-1)! - times[0]! : 0;
  const step = times.length > 1 ? span / (times.length - 1) : 0;
  const seconds = WIDTHS.find((width) => width >= step * 0.99 && span / width < most) ?? WIDTHS.at(-1)!;
  const ends = new Map<number, number>();
  for (const time of times) {
    const end = Math.ceil(time / seconds) * seconds;
    if (!ends.has(end)) ends.set(end, ends.size);
  }
  const sums = series.map((each) => {
    const values = Array.from({ length: ends.size }, () => 0);
    times.forEach((time, at) => (values[ends.get(Math.ceil(time / seconds) * seconds)!]! += each.values[at] ?? 0));
    return { label: each.label, values };
  });
  return { times: [...ends.keys()], series: sums, counts: true, seconds };
}

/** The columns of the plot: bars stand on each other and the highest is drawn first, below the rest. */
export function plotted({ times, series, counts }: ChartData): [number[], ...(number | null)[][]] {
  if (!counts) return [times, ...series.map((each) => each.values)];
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, at) => (value ?? 0) + (below?.[at] ?? 0)));
  }
  return [times, ...sums.toReversed()];
}

/** The outline of a few values in a box of 100 by 100: `line`, and `area` down to the ground. Gaps are joined. */
export function outline(values: (number | null)[]): { line: string; area: string } | null {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const most = Math.max(0, ...points.map((point) => point.value));
  if (points.length < 2 || values.length < 2 || !most) return null;
  const x = (at: number) => Math.round((at / (values.length - 1)) * 1000) / 10;
  const line = points.map(({ at, value }, index) => `${index ? "L" : "M"}${x(at)} ${Math.round((98 - (value / most) * 94) * 10) / 10}`).join("");
  return { line, area: `${line}L${x(points.at(-1)!.at)} 100L${x(points[0]!.at)} 100Z` };
}
