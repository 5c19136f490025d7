/** What a chart draws: points in time, and for each series a value at each, or none. */
export interface ChartData {
  /** Seconds of the epoch, rising. */
  times: number[];
  series: { label: string; values: (number | null)[] }[];
  /** Counts per stretch of time are drawn as steps; nothing happened is a zero. */
  counts?: boolean;
}

/** The last point at which anything was measured. */
export function newest({ times, series, counts }: ChartData): number | null {
  for (let index = times.length - 1; index >= 0; index--) {
    if (counts || series.some((each) => each.values[index] !== null)) return index;
  }
  return null;
}

export const plotted = ({ times, series }: ChartData): [number[], ...(number | null)[][]] =>
  [times, ...series.map((each) => each.values)];
