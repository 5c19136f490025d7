const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./vendor-uplot.js","./ear.js","./vendor-preact.js","./app.js","./microphone.js","./words.js"])))=>i.map(i=>d[i]);
import { d, l as T, m as $, o as A, p as w, t as a } from "./vendor-preact.js";
import { d as __vitePreload, l as t, p as prefs } from "./app.js";
import "./vendor-uplot.js";
import { r as clockTime } from "./time.js";
// src/ui/chart-data.ts
/** The last point at which anything was measured. */
function newest({ times, series, counts }) {
	for (let index = times.length - 1; index >= 0; index--) if (counts || series.some((each) => each.values[index] !== null)) return index;
	return null;
}
/** More bars than these are no bars any more. */
var MOST_BARS = 60;
var WIDTHS = [
	5,
	10,
	15,
	30,
	60,
	120,
	300,
	600,
	900,
	1800,
	3600,
	7200,
	14400,
	43200,
	86400
];
/** Counts summed up into stretches of a round length, each named by its end. */
function barred(data, most = MOST_BARS) {
	const { times, series } = data;
	const span = times.length > 1 ? times.at(-1) - times[0] : 0;
	const step = times.length > 1 ? span / (times.length - 1) : 0;
	const seconds = WIDTHS.find((width) => width >= step * .99 && span / width < most) ?? WIDTHS.at(-1);
	const ends = /* @__PURE__ */ new Map();
	for (const time of times) {
		const end = Math.ceil(time / seconds) * seconds;
		if (!ends.has(end)) ends.set(end, ends.size);
	}
	const sums = series.map((each) => {
		const values = Array.from({ length: ends.size }, () => 0);
		times.forEach((time, at) => values[ends.get(Math.ceil(time / seconds) * seconds)] += each.values[at] ?? 0);
		return {
			label: each.label,
			values
		};
	});
	return {
		times: [...ends.keys()],
		series: sums,
		counts: true,
		seconds
	};
}
/** The columns of the plot: bars stand on each other and the highest is drawn first, below the rest. */
function plotted({ times, series, counts }) {
	if (!counts) return [times, ...series.map((each) => each.values)];
	const sums = [];
	for (const { values } of series) {
		const below = sums.at(-1);
		sums.push(values.map((value, at) => (value ?? 0) + (below?.[at] ?? 0)));
	}
	return [times, ...sums.toReversed()];
}
/** The outline of a few values in a box of 100 by 100: `line`, and `area` down to the ground. Gaps are joined. */
function outline(values) {
	const points = values.flatMap((value, at) => value === null ? [] : [{
		at,
		value
	}]);
	const most = Math.max(0, ...points.map((point) => point.value));
	if (points.length < 2 || values.length < 2 || !most) return null;
	const x = (at) => Math.round(at / (values.length - 1) * 1e3) / 10;
	const line = points.map(({ at, value }, index) => `${index ? "L" : "M"}${x(at)} ${Math.round((98 - value / most * 94) * 10) / 10}`).join("");
	return {
		line,
		area: `${line}L${x(points.at(-1).at)} 100L${x(points[0].at)} 100Z`
	};
}
// src/ui/chart.tsx
/** A chart over time, areas or bars, with the same numbers as text and as a table. */
var HEIGHT = 190;
var ROWS = 60;
/** Points are drawn where there are few; else the line says it. */
var FEW = 24;
var STROKES = [
	{
		colour: "--accent",
		dash: []
	},
	{
		colour: "--second",
		dash: [8, 4]
	},
	{
		colour: "--warn",
		dash: [2, 3]
	},
	{
		colour: "--bad",
		dash: [
			10,
			3,
			2,
			3
		]
	}
];
function Chart({ title, data: measured, show, empty }) {
	const [at, point] = d(null);
	const bars = w(() => measured.counts ? barred(measured) : null, [measured]);
	const data = bars ?? measured;
	const some = data.series.some((series) => series.values.some((value) => value !== null && value !== 0));
	const index = at ?? newest(data);
	const values = data.series.map((series) => {
		const value = index === null ? null : series.values[index] ?? null;
		return {
			label: series.label,
			text: value === null ? "–" : show(value)
		};
	});
	const moment = index === null ? "" : clockTime(data.times[index]);
	return /* @__PURE__ */ a("figure", {
		class: "chart",
		children: [
			/* @__PURE__ */ a("figcaption", { children: [/* @__PURE__ */ a("h3", { children: title }), /* @__PURE__ */ a("p", {
				class: "chart-legend",
				children: [values.map((value, number) => /* @__PURE__ */ a("span", { children: [
					/* @__PURE__ */ a("i", {
						class: `chart-key key-${number}`,
						"aria-hidden": "true"
					}),
					value.label,
					" ",
					/* @__PURE__ */ a("b", {
						class: "number",
						children: value.text
					})
				] }, value.label)), moment ? /* @__PURE__ */ a("span", {
					class: "muted number",
					children: bars ? t("in {time} until {moment}", {
						time: stretch(bars.seconds),
						moment
					}) : t("at {moment}", { moment })
				}) : null]
			})] }),
			some ? /* @__PURE__ */ a(Plot, {
				data,
				show,
				onPoint: point,
				label: `${title}: ${values.map((value) => `${value.label} ${value.text}`).join(", ")}`
			}) : /* @__PURE__ */ a("p", {
				class: "chart-empty",
				children: empty
			}),
			some ? /* @__PURE__ */ a(Numbers, {
				title,
				data,
				show
			}) : null
		]
	});
}
function Plot({ data, show, label, onPoint }) {
	const box = T(null);
	const plot = T(null);
	const latest = T(data);
	latest.current = data;
	const theme = prefs.value.theme;
	const names = data.series.map((series) => series.label).join("|");
	A(() => {
		const element = box.current;
		let over = false;
		let watch;
		__vitePreload(async () => {
			const { default: UPlot } = await import("./vendor-uplot.js").then((n) => n.t);
			return { default: UPlot };
		}, __vite__mapDeps([0,1,2,3,4,5]), import.meta.url).then(({ default: UPlot }) => {
			if (over) return;
			const bars = UPlot.paths.bars({
				size: [.8, 28],
				align: -1,
				radius: .12
			});
			plot.current = new UPlot(options(element, latest.current, show, onPoint, bars), plotted(latest.current), element);
			watch = new ResizeObserver(() => plot.current?.setSize({
				width: element.clientWidth,
				height: HEIGHT
			}));
			watch.observe(element);
		});
		return () => {
			over = true;
			watch?.disconnect();
			plot.current?.destroy();
			plot.current = null;
		};
	}, [theme, names]);
	A(() => plot.current?.setData(plotted(data)), [data]);
	return /* @__PURE__ */ a("div", {
		class: "chart-plot",
		ref: box,
		role: "img",
		"aria-label": label
	});
}
function options(element, data, show, onPoint, bars) {
	const style = getComputedStyle(element);
	const colour = (name) => style.getPropertyValue(name).trim();
	const drawn = data.series.map((series, index) => {
		const { colour: name, dash } = STROKES[index % STROKES.length];
		return {
			label: series.label,
			ink: colour(name),
			dash: [...dash],
			count: series.values.filter((value) => value !== null).length
		};
	});
	const axis = {
		stroke: colour("--muted"),
		grid: {
			stroke: colour("--line"),
			width: 1
		},
		ticks: { show: false },
		font: `11px ${style.fontFamily}`
	};
	return {
		width: element.clientWidth,
		height: HEIGHT,
		legend: { show: false },
		cursor: {
			drag: {
				x: false,
				y: false
			},
			y: false,
			points: {
				size: 7,
				show: !data.counts
			}
		},
		scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
		axes: [{
			...axis,
			grid: { show: false },
			space: 80,
			values: clocks
		}, {
			...axis,
			size: 64,
			values: (_plot, ticks) => ticks.map((tick) => tick ? show(tick) : "0")
		}],
		series: [{}, ...data.counts ? drawn.toReversed().map(({ label, ink }) => ({
			label,
			stroke: ink,
			width: 0,
			fill: ink,
			points: { show: false },
			paths: bars
		})) : drawn.map(({ label, ink, dash, count }) => ({
			label,
			stroke: ink,
			width: 1.75,
			dash,
			fill: `color-mix(in srgb, ${ink} 10%, transparent)`,
			spanGaps: true,
			points: {
				show: count <= FEW,
				size: 5,
				fill: ink
			}
		}))],
		hooks: { setCursor: [(plot) => onPoint(plot.cursor.left < 0 ? null : plot.cursor.idx ?? null)] }
	};
}
var stretch = (seconds) => seconds < 60 ? t("{count} s", { count: seconds }) : seconds < 3600 ? t("{count} min", { count: seconds / 60 }) : t("{count} h", { count: seconds / 3600 });
/** Times of the day; seconds only where the lines are nearer to each other than a minute. */
function clocks(_plot, ticks) {
	const second = ticks.some((tick) => tick % 60 !== 0) ? { second: "2-digit" } : {};
	return ticks.map((tick) => (/* @__PURE__ */ new Date(tick * 1e3)).toLocaleTimeString([], {
		hour: "numeric",
		minute: "2-digit",
		...second
	}));
}
/** What was drawn, newest first; stretches in which nothing happened are left out. */
function Numbers({ title, data, show }) {
	const rows = data.times.map((time, index) => ({
		time,
		values: data.series.map((series) => series.values[index] ?? null)
	})).filter((row) => row.values.some((value) => value !== null && value !== 0)).toReversed();
	return /* @__PURE__ */ a("details", {
		class: "chart-numbers",
		children: [
			/* @__PURE__ */ a("summary", { children: t("{title} as a table", { title }) }),
			/* @__PURE__ */ a("div", {
				class: "table-box",
				tabIndex: 0,
				role: "region",
				"aria-label": t("{title} as a table", { title }),
				children: /* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
					scope: "col",
					children: t("Until")
				}), data.series.map((series) => /* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: series.label
				}, series.label))] }) }), /* @__PURE__ */ a("tbody", { children: rows.slice(0, ROWS).map((row) => /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("td", {
					class: "number",
					children: clockTime(row.time)
				}), row.values.map((value, index) => /* @__PURE__ */ a("td", {
					class: "number",
					children: value === null ? "–" : show(value)
				}, index))] }, row.time)) })] })
			}),
			rows.length > ROWS ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("The newest {shown} of {count}.", {
					shown: ROWS,
					count: rows.length
				})
			}) : null
		]
	});
}
// src/ui/sparkline.tsx
/** Decoration: the number beside it says what counts. `kind` is the colour. */
function Sparkline({ values, kind = "accent" }) {
	const drawn = outline(values);
	return /* @__PURE__ */ a("svg", {
		class: `sparkline ${kind}`,
		viewBox: "0 0 100 100",
		preserveAspectRatio: "none",
		"aria-hidden": "true",
		children: drawn ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("path", {
			class: "sparkline-area",
			d: drawn.area
		}), /* @__PURE__ */ a("path", {
			class: "sparkline-line",
			d: drawn.line
		})] }) : /* @__PURE__ */ a("path", {
			class: "sparkline-line",
			d: "M0 98L100 98"
		})
	});
}
export { Chart as n, barred as r, Sparkline as t };
