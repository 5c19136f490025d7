import { a as y, d, m as $, t as a } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { l as t, o as number, s as plural } from "./app.js";
import { a as at, d as route } from "./router.js";
import { n as Chart, r as barred, t as Sparkline } from "./sparkline.js";
import { r as putIntoAddress } from "./filter-chips.js";
import { a as Empty, d as Shown, n as Button, o as Field, p as Switch, r as Card } from "./kit.js";
import { t as useReload } from "./poll.js";
import { i as duration, n as briefAgo } from "./time.js";
import { i as useRules, r as ruleAbout } from "./rules.js";
// src/pages/metrics/document.ts
/** The figures since the server started, and the rows of the table of tools. */
var COLUMNS = [
	{
		id: "id",
		title: t("Tool")
	},
	{
		id: "calls",
		title: t("Calls")
	},
	{
		id: "failed",
		title: t("Failed")
	},
	{
		id: "p50",
		title: "p50"
	},
	{
		id: "p95",
		title: "p95"
	},
	{
		id: "p99",
		title: "p99"
	},
	{
		id: "overBudget",
		title: t("Over budget")
	},
	{
		id: "chars",
		title: t("Result size p95")
	},
	{
		id: "tokens",
		title: t("Tokens")
	}
];
var sum = (counts) => Object.values(counts).reduce((total, each) => total + each, 0);
/** Every tool that ran, by the column asked for: names from A on, numbers from the largest on. */
function toolRows(metrics, sort = "calls") {
	return Object.entries(metrics.calls).map(([id, outcomes]) => {
		const latency = metrics.latency[id];
		const calls = sum(outcomes);
		return {
			id,
			calls,
			failed: calls - (outcomes["ok"] ?? 0),
			p50: latency?.p50 ?? 0,
			p95: latency?.p95 ?? 0,
			p99: latency?.p99 ?? 0,
			overBudget: latency?.overBudget ?? 0,
			chars: metrics.responseSizes[id]?.p95 ?? 0,
			tokens: metrics.responseTokens[id]?.avg ?? 0
		};
	}).sort((one, two) => (sort === "id" ? 0 : two[sort] - one[sort]) || one.id.localeCompare(two.id));
}
var callsIn = (metrics) => {
	const rows = toolRows(metrics);
	return {
		ran: rows.reduce((total, row) => total + row.calls, 0),
		failed: rows.reduce((total, row) => total + row.failed, 0),
		refused: sum(metrics.refusals)
	};
};
var descending = (counts) => Object.entries(counts).sort((one, two) => two[1] - one[1] || one[0].localeCompare(two[0]));
// src/pages/metrics/history.ts
/** The figures over time: what the server has kept, and what it has added since. */
var KEPT_SECONDS = 3600;
/** Adds an answer to what is known. A server that was started again begins anew. */
function merged(known, answer) {
	if (!known || known.started_at !== answer.started_at) return answer;
	const last = known.samples.at(-1)?.at ?? 0;
	const samples = [...known.samples, ...answer.samples.filter((sample) => sample.at > last)];
	const oldest = answer.open.at - KEPT_SECONDS;
	return {
		...answer,
		samples: samples.filter((sample) => sample.at > oldest)
	};
}
/** From when on to ask. */
var knownUntil = (known) => known?.samples.at(-1)?.at ?? 0;
/** The samples of the last minutes, the one under way included. */
function within(history, minutes) {
	const from = history.open.at - minutes * 60;
	return [...history.samples.filter((sample) => sample.at > from), history.open];
}
var times = (samples) => samples.map((sample) => sample.at);
var latencyOver = (samples) => ({
	times: times(samples),
	series: [
		"p50",
		"p95",
		"p99"
	].map((name) => ({
		label: name,
		values: samples.map((sample) => sample.latency?.[name] ?? null)
	}))
});
var callsOver = (samples) => ({
	times: times(samples),
	counts: true,
	series: [
		{
			label: t("succeeded"),
			values: samples.map((sample) => sample.ok)
		},
		{
			label: t("refused"),
			values: samples.map((sample) => sample.refused)
		},
		{
			label: t("failed"),
			values: samples.map((sample) => sample.failed)
		}
	]
});
/** The rules that refused most in this time, each as a series. */
function refusalsOver(samples, most = 4) {
	const sums = /* @__PURE__ */ new Map();
	for (const sample of samples) for (const [rule, count] of Object.entries(sample.refusals)) sums.set(rule, (sums.get(rule) ?? 0) + count);
	const rules = [...sums].sort((one, two) => two[1] - one[1]).slice(0, most).map(([rule]) => rule);
	return {
		times: times(samples),
		counts: true,
		series: rules.map((rule) => ({
			label: rule,
			values: samples.map((sample) => sample.refusals[rule] ?? 0)
		}))
	};
}
var tokensOver = (samples) => ({
	times: times(samples),
	counts: true,
	series: [{
		label: t("in"),
		values: samples.map((sample) => sample.tokens.input)
	}, {
		label: t("out"),
		values: samples.map((sample) => sample.tokens.output)
	}]
});
var VOICE = {
	time_to_first_audio: t("First sound"),
	turn_gap: t("Unplayed speech"),
	barge_in_stop: t("Silent after interruption")
};
var voiceOver = (samples) => ({
	times: times(samples),
	series: Object.entries(VOICE).map(([mark, label]) => ({
		label,
		values: samples.map((sample) => sample.voice[mark]?.p95 ?? null)
	}))
});
var sessionsOver = (samples) => ({
	times: times(samples),
	series: [{
		label: t("open"),
		values: samples.map((sample) => sample.sessions)
	}]
});
/** Counts for a small line: summed up into few enough stretches. */
var perMinute = (samples, count) => barred({
	times: times(samples),
	series: [{
		label: "",
		values: samples.map(count)
	}],
	counts: true
}, 30).series[0].values;
// src/pages/metrics/tables.tsx
/** By rule since the start; the bar is drawn by the cell itself. */
function RefusalTable({ counts }) {
	const rules = useRules().data;
	const rows = descending(counts);
	if (!rows.length) return /* @__PURE__ */ a("p", {
		class: "hint",
		children: t("No calls were refused since the server started.")
	});
	const most = rows[0][1];
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: t("Since the server started") }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: t("Rule")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: t("Refused")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "metrics-bars",
					"aria-hidden": "true"
				})
			] }) }),
			/* @__PURE__ */ a("tbody", { children: rows.map(([rule, count]) => /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("td", { children: [/* @__PURE__ */ a("a", {
					href: at("audit", [], { rule }),
					children: /* @__PURE__ */ a("code", { children: rule })
				}), /* @__PURE__ */ a("small", {
					class: "hint metrics-about",
					children: ruleAbout(rules, rule)
				})] }),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: number(count)
				}),
				/* @__PURE__ */ a("td", {
					"aria-hidden": "true",
					children: /* @__PURE__ */ a("meter", {
						min: 0,
						max: most,
						value: count
					})
				})
			] }, rule)) })
		] })
	});
}
function TokenTable({ figures }) {
	const rows = Object.entries(figures.modelTokens);
	return /* @__PURE__ */ a($, { children: [rows.length ? /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: t("Since the server started") }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: t("Model")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: t("In")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: t("Cached")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: t("Out")
				})
			] }) }),
			/* @__PURE__ */ a("tbody", { children: rows.map(([backend, tokens]) => /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("td", { children: backend }),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: number(tokens.input)
				}),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: number(tokens.cached)
				}),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: number(tokens.output)
				})
			] }, backend)) })
		] })
	}) : null, /* @__PURE__ */ a("p", {
		class: "hint",
		children: t("Declaring all {count} tools takes about {tokens} tokens per session. An agent with fewer tools takes fewer.", {
			count: figures.registry.tools,
			tokens: figures.context.toolDeclTokens
		})
	})] });
}
/** From so many characters on a result is worth a look. */
var LONG = 1500;
var ABOUT = {
	time_to_first_audio: t("from the end of the question to the first sound of the answer"),
	turn_gap: t("still to be played when the model finished"),
	barge_in_stop: t("from the interruption to silence, on the server")
};
function VoiceTable({ voice }) {
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: t("Last 1,000 of each") }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: t("Wait")
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "p50"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "p95"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "p99"
				})
			] }) }),
			/* @__PURE__ */ a("tbody", { children: Object.entries(VOICE).map(([mark, title]) => {
				const found = voice[mark];
				return /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("td", { children: [title, /* @__PURE__ */ a("small", {
					class: "hint metrics-about",
					children: ABOUT[mark]
				})] }), [
					"p50",
					"p95",
					"p99"
				].map((name) => /* @__PURE__ */ a("td", {
					class: "number",
					children: found ? duration(found[name]) : "–"
				}, name))] }, mark);
			}) })
		] })
	});
}
var shown$1 = (row, column) => {
	if (column === "id") return row.id;
	if (column === "p50" || column === "p95" || column === "p99") return duration(row[column]);
	return number(Math.round(row[column]));
};
function ToolTable({ figures }) {
	const { query } = route.value;
	const sort = COLUMNS.find((column) => column.id === query.get("sort"))?.id ?? "calls";
	const named = query.get("tool") ?? "";
	const rows = toolRows(figures, sort).filter((row) => row.id.includes(named.toLowerCase()));
	return /* @__PURE__ */ a(Card, {
		title: t("Tools"),
		actions: /* @__PURE__ */ a(Field, {
			label: t("Filter by name"),
			children: (field) => /* @__PURE__ */ a("input", {
				...field,
				type: "search",
				value: named,
				onInput: (event) => putIntoAddress({ tool: event.currentTarget.value })
			})
		}),
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Latency and result size cover the last 1,000 calls of each tool since the server started. Tokens are estimates. Large results cost tokens in every round; those over {limit} characters are marked.", { limit: LONG })
		}), rows.length ? /* @__PURE__ */ a("div", {
			class: "table-box",
			tabIndex: 0,
			role: "region",
			"aria-label": t("Tools"),
			children: /* @__PURE__ */ a("table", {
				class: "metrics-tools",
				children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: COLUMNS.map((column) => /* @__PURE__ */ a("th", {
					scope: "col",
					class: column.id === "id" ? "" : "number",
					"aria-sort": sort === column.id ? column.id === "id" ? "ascending" : "descending" : void 0,
					children: /* @__PURE__ */ a("button", {
						type: "button",
						onClick: () => putIntoAddress({ sort: column.id === "calls" ? "" : column.id }),
						children: [column.title, sort === column.id ? /* @__PURE__ */ a("span", {
							"aria-hidden": "true",
							children: [" ", column.id === "id" ? "▲" : "▼"]
						}) : null]
					})
				}, column.id)) }) }), /* @__PURE__ */ a("tbody", { children: rows.map((row) => /* @__PURE__ */ a("tr", { children: COLUMNS.map((column) => /* @__PURE__ */ a("td", {
					class: column.id === "id" ? "" : `number ${(column.id === "failed" || column.id === "overBudget") && row[column.id] ? "metrics-bad" : column.id === "chars" && row.chars > LONG ? "metrics-long" : ""}`,
					children: column.id === "id" ? /* @__PURE__ */ a("a", {
						href: at("tools", [row.id]),
						children: /* @__PURE__ */ a("code", { children: row.id })
					}) : shown$1(row, column.id)
				}, column.id)) }, row.id)) })]
			})
		}) : named ? /* @__PURE__ */ a(Empty, {
			icon: "search",
			title: t("No tool that ran matches “{name}”", { name: named })
		}) : /* @__PURE__ */ a(Empty, {
			icon: "tool",
			title: t("No tools have run since the server started"),
			children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
				href: at("tools"),
				children: t("Try a tool")
			}) })
		})]
	});
}
// src/pages/metrics.tsx
/** How fast, how often and how well: live, as charts and as numbers. */
var POLL_MS = 5e3;
var WINDOWS = [
	5,
	15,
	60
];
var whole = (value) => Number.isInteger(value) ? number(value) : "";
var history = y(null);
async function ask(abort) {
	const [figures, more] = await Promise.all([get("/metrics", { signal: abort }), get("/metrics/history", {
		query: { since: knownUntil(history.value) },
		signal: abort
	})]);
	history.value = merged(history.value, more);
	return figures;
}
function Metrics() {
	const [live, setLive] = d(true);
	const figures = useLoad(ask, []);
	useReload(figures, POLL_MS, live);
	const asked = Number(route.value.query.get("minutes"));
	const minutes = WINDOWS.includes(asked) ? asked : 15;
	return /* @__PURE__ */ a("div", {
		class: "stack metrics",
		children: [/* @__PURE__ */ a("div", {
			class: "row metrics-bar",
			children: [
				/* @__PURE__ */ a("div", {
					class: "metrics-windows",
					role: "group",
					"aria-label": t("Time range"),
					children: WINDOWS.map((each) => /* @__PURE__ */ a(Button, {
						kind: "quiet",
						"aria-pressed": each === minutes,
						onClick: () => putIntoAddress({ minutes: String(each) }),
						children: t("{count} min", { count: each })
					}, each))
				}),
				/* @__PURE__ */ a(Switch, {
					label: t("Live"),
					checked: live,
					onChange: setLive
				}),
				/* @__PURE__ */ a("span", { class: "spring" }),
				/* @__PURE__ */ a("a", {
					href: address("/metrics/prometheus"),
					target: "_blank",
					rel: "noopener",
					children: "Prometheus"
				}),
				/* @__PURE__ */ a("a", {
					href: address("/metrics"),
					target: "_blank",
					rel: "noopener",
					children: "JSON"
				})
			]
		}), /* @__PURE__ */ a(Shown, {
			of: figures,
			children: (data) => history.value ? /* @__PURE__ */ a(Page, {
				figures: data,
				history: history.value,
				minutes
			}) : null
		})]
	});
}
function Page({ figures, history, minutes }) {
	const samples = within(history, minutes);
	const { ran, failed, refused } = callsIn(figures);
	const last = (values) => values.findLast((value) => value !== null) ?? null;
	const latency = samples.map((sample) => sample.latency?.p95 ?? null);
	const sound = samples.map((sample) => sample.voice["time_to_first_audio"]?.p95 ?? null);
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("dl", {
			class: "metrics-tiles",
			children: [
				/* @__PURE__ */ a(Tile, {
					name: t("Calls"),
					value: number(ran),
					more: failed ? t("{count} failed", { count: failed }) : t("none failed"),
					values: perMinute(samples, (sample) => sample.ok + sample.failed)
				}),
				/* @__PURE__ */ a(Tile, {
					name: t("Refused"),
					value: number(refused),
					kind: "warn",
					more: plural(figures.loopDetection.detected, "{count} loop", "{count} loops"),
					values: perMinute(samples, (sample) => sample.refused)
				}),
				/* @__PURE__ */ a(Tile, {
					name: t("Call latency, p95"),
					value: shown(last(latency)),
					more: t("latest"),
					values: latency
				}),
				/* @__PURE__ */ a(Tile, {
					name: t("First sound, p95"),
					value: shown(last(sound)),
					more: t("latest"),
					values: sound,
					kind: "second"
				}),
				/* @__PURE__ */ a(Tile, {
					name: t("Open sessions"),
					value: number(figures.sessions.active),
					more: t("{count} started", { count: figures.sessions.started }),
					values: samples.map((sample) => sample.sessions)
				}),
				/* @__PURE__ */ a(Tile, {
					name: t("Turns"),
					value: number(figures.sessions.turns),
					more: t("server started {when}", { when: briefAgo(history.started_at) })
				})
			]
		}),
		/* @__PURE__ */ a("div", {
			class: "metrics-charts",
			children: [
				/* @__PURE__ */ a(Card, {
					tour: "metrics-latency",
					children: [/* @__PURE__ */ a(Chart, {
						title: t("Call latency"),
						data: latencyOver(samples),
						show: duration,
						empty: t("No tool ran in this period. Try one, or start a conversation.")
					}), /* @__PURE__ */ a("p", {
						class: "hint",
						children: t("p95: 95 of 100 calls took no longer. A high p99 with a low p50 means that a tool is occasionally slow.")
					})]
				}),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-calls",
					children: /* @__PURE__ */ a(Chart, {
						title: t("Calls"),
						data: callsOver(samples),
						show: whole,
						empty: t("No calls in this period.")
					})
				}),
				/* @__PURE__ */ a(Card, { children: [/* @__PURE__ */ a(Chart, {
					title: t("Refusals by rule"),
					data: refusalsOver(samples),
					show: whole,
					empty: t("No rule refused anything in this period.")
				}), /* @__PURE__ */ a(RefusalTable, { counts: figures.refusalRules })] }),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-tokens",
					children: [/* @__PURE__ */ a(Chart, {
						title: t("Tokens"),
						data: tokensOver(samples),
						show: whole,
						empty: t("No provider counted tokens in this period. The built-in model uses none.")
					}), /* @__PURE__ */ a(TokenTable, { figures })]
				}),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-voice",
					children: [/* @__PURE__ */ a(Chart, {
						title: t("Voice latency (p95)"),
						data: voiceOver(samples),
						show: duration,
						empty: t("No one talked in this period.")
					}), /* @__PURE__ */ a(VoiceTable, { voice: figures.voice })]
				}),
				/* @__PURE__ */ a(Card, { children: /* @__PURE__ */ a(Chart, {
					title: t("Open sessions"),
					data: sessionsOver(samples),
					show: whole,
					empty: t("No sessions were open in this period.")
				}) })
			]
		}),
		/* @__PURE__ */ a(ToolTable, { figures })
	] });
}
var shown = (ms) => ms === null ? "–" : duration(ms);
function Tile({ name, value, more, values, kind = "accent" }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: [
		/* @__PURE__ */ a("b", {
			class: "number",
			children: value
		}),
		/* @__PURE__ */ a("small", { children: more }),
		values ? /* @__PURE__ */ a(Sparkline, {
			values,
			kind
		}) : null
	] })] });
}
export { Metrics as default };
