/** A chart over time, areas or bars, with the same numbers as text and as a table. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";

import "uplot/dist/uPlot.min.css";
import { t } from "../i18n";
import { prefs } from "../stores/prefs";
import "./chart.css";
import { barred, newest, plotted, type ChartData } from "./chart-data";
import { clockTime } from "./time";

const HEIGHT = 190;
const ROWS = 60;
/** Points are drawn where there are few; else the line says it. */
const FEW = 24;
// Told apart by colour and by stroke.
const STROKES = [
  { colour: "--accent", dash: [] },
  { colour: "--second", dash: [8, 4] },
  { colour: "--warn", dash: [2, 3] },
  { colour: "--bad", dash: [10, 3, 2, 3] },
];

export interface ChartProps {
  title: string;
  data: ChartData;
  /** A value as people read it. */
  show: (value: number) => string;
  /** Why there is nothing to see, while there is not. */
  empty: string;
}

export function Chart({ title, data: measured, show, empty }: ChartProps) {
  const [at, point] = useState<number | null>(null);
  const bars = useMemo(() => (measured.counts ? barred(measured) : null), [measured]);
  const data = bars ?? measured;
  const some = data.series.some((series) => series.values.some((value) => value !== null && value !== 0));
  const index = at ?? newest(data);
  const values = data.series.map((series) => {
    const value = index === null ? null : series.values[index] ?? null;
    return { label: series.label, text: value === null ? "–" : show(value) };
  });
  const moment = index === null ? "" : clockTime(data.times[index]!);
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <p class="chart-legend">
          {values.map((value, number) => (
            <span key={value.label}><i class={`chart-key key-${number}`} aria-hidden="true" />{value.label} <b class="number">{value.text}</b></span>
          ))}
          {moment ? <span class="muted number">{bars ? t("in {time} until {moment}", { time: stretch(bars.seconds), moment }) : t("at {moment}", { moment })}</span> : null}
        </p>
      </figcaption>
      {some ? <Plot data={data} show={show} onPoint={point} label={`${title}: ${values.map((value) => `${value.label} ${value.text}`).join(", ")}`} />
        : <p class="chart-empty">{empty}</p>}
      {some ? <Numbers title={title} data={data} show={show} /> : null}
    </figure>
  );
}

function Plot({ data, show, label, onPoint }: {
  data: ChartData; show: (value: number) => string; label: string; onPoint: (index: number | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const theme = prefs.value.theme;
  const names = data.series.map((series) => series.label).join("|");
  useEffect(() => {
    const element = box.current!;
    let over = false;
    let watch: ResizeObserver | undefined;
    void import("uplot").then(({ default: UPlot }) => {
      if (over) return;
      const bars = UPlot.paths.bars!({ size: [0.8, 28], align: -1, radius: 0.12 });
      plot.current = new UPlot(options(element, latest.current, show, onPoint, bars), plotted(latest.current), element);
      watch = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
      watch.observe(element);
    });
    return () => {
      over = true;
      watch?.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [theme, names]);
  useEffect(() => plot.current?.setData(plotted(data)), [data]);
  return <div class="chart-plot" ref={box} role="img" aria-label={label} />;
}

function options(
  element: HTMLElement, data: ChartData, show: (value: number) => string,
  onPoint: (index: number | null) => void, bars: uPlot.Series.PathBuilder,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const drawn = data.series.map((series, index) => {
    const { colour: name, dash } = STROKES[index % STROKES.length]!;
    return { label: series.label, ink: colour(name), dash: [...dash], count: series.values.filter((value) => value !== null).length };
  });
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: `11px ${style.fontFamily}` };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7, show: !data.counts } },
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [{ ...axis, grid: { show: false }, space: 80, values: clocks }, { ...axis, size: 64, values: (_plot, ticks) => ticks.map((tick) => (tick ? show(tick) : "0")) }],
    series: [
      {},
      ...(data.counts ? drawn.toReversed().map(({ label, ink }) => ({ label, stroke: ink, width: 0, fill: ink, points: { show: false }, paths: bars }))
        : drawn.map(({ label, ink, dash, count }) => ({
            label, stroke: ink, width: 1.75, dash, fill: `color-mix(in srgb, ${ink} 10%, transparent)`, spanGaps: true, points: { show: count <= FEW, size: 5, fill: ink },
          }))),
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.left! < 0 ? null : plot.cursor.idx ?? null)] },
  };
}

const stretch = (seconds: number): string =>
  seconds < 60 ? t("{count} s", { count: seconds }) : seconds < 3600 ? t("{count} min", { count: seconds / 60 }) : t("{count} h", { count: seconds / 3600 });

/** Times of the day; seconds only where the lines are nearer to each other than a minute. */
function clocks(_plot: uPlot, ticks: number[]): string[] {
  const second = ticks.some((tick) => tick % 60 !== 0) ? ({ second: "2-digit" } as const) : {};
  return ticks.map((tick) => new Date(tick * 1000).toLocaleTimeString([], { hour: "numeric", minute: "2-digit", ...second }));
}

/** What was drawn, newest first; stretches in which nothing happened are left out. */
function Numbers({ title, data, show }: { title: string; data: ChartData; show: (value: number) => string }) {
  const rows = data.times
    .map((time, index) => ({ time, values: data.series.map((series) => series.values[index] ?? null) }))
    .filter((row) => row.values.some((value) => value !== null && value !== 0))
    .toReversed();
  return (
    <details class="chart-numbers">
      <summary>{t("{title} as a table", { title })}</summary>
      <div class="table-box" tabIndex={0} role="region" aria-label={t("{title} as a table", { title })}>
        <table>
          <thead><tr><th scope="col">{t("Until")}</th>{data.series.map((series) => <th key={series.label} scope="col" class="number">{series.label}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, ROWS).map((row) => (
              <tr key={row.time}>
                <td class="number">{clockTime(row.time)}</td>
                {row.values.map((value, index) => <td key={index} class="number">{value === null ? "–" : show(value)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > ROWS ? <p class="hint">{t("The newest {shown} of {count}.", { shown: ROWS, count: rows.length })}</p> : null}
    </details>
  );
}
