import { a as y, d, m as $, t as a } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { a as at, d as route, o as go } from "./router.js";
import { t as Chart } from "./chart.js";
import { n as Icon } from "./icons.js";
import { a as Empty, d as Shown, o as Field, p as Switch, r as Card } from "./kit.js";
import { t as useReload } from "./poll.js";
import { a as fullTime, i as duration } from "./time.js";
import { i as useRules, r as ruleAbout } from "./rules.js";
// src/pages/metrics/document.ts
var COLUMNS = [
	{
		id: "id",
		title: "Tool"
	},
	{
		id: "calls",
		title: "Calls"
	},
	{
		id: "failed",
		title: "Failed"
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
		title: "Over budget"
	},
	{
		id: "chars",
		title: "Answer p95"
	},
	{
		id: "tokens",
		title: "Tokens"
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
			label: "succeeded",
			values: samples.map((sample) => sample.ok)
		},
		{
			label: "refused",
			values: samples.map((sample) => sample.refused)
		},
		{
			label: "failed",
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
		label: "read",
		values: samples.map((sample) => sample.tokens.input)
	}, {
		label: "written",
		values: samples.map((sample) => sample.tokens.output)
	}]
});
var VOICE = {
	time_to_first_audio: "First sound",
	turn_gap: "Speech left at the end",
	barge_in_stop: "Silent on interruption"
};
var voiceOver = (samples) => ({
	times: times(samples),
	series: Object.entries(VOICE).map(([mark, label]) => ({
		label,
		values: samples.map((sample) => sample.voice[mark]?.p95 ?? null)
	}))
});
// src/pages/metrics/tables.tsx
/** By rule since the start; the bar is drawn by the cell itself. */
function RefusalTable({ counts }) {
	const rules = useRules().data;
	const rows = descending(counts);
	if (!rows.length) return /* @__PURE__ */ a("p", {
		class: "hint",
		children: "Since the server started no call was refused."
	});
	const most = rows[0][1];
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: "Since the server started" }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: "Rule"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "Refused"
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
					children: count.toLocaleString()
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
	const { sessionInitTokens, systemPromptTokens, toolDeclTokens } = figures.context;
	return /* @__PURE__ */ a($, { children: [rows.length ? /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: "Since the server started" }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: "Backend"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "Read"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "of them cached"
				}),
				/* @__PURE__ */ a("th", {
					scope: "col",
					class: "number",
					children: "Written"
				})
			] }) }),
			/* @__PURE__ */ a("tbody", { children: rows.map(([backend, tokens]) => /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("td", { children: backend }),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: tokens.input.toLocaleString()
				}),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: tokens.cached.toLocaleString()
				}),
				/* @__PURE__ */ a("td", {
					class: "number",
					children: tokens.output.toLocaleString()
				})
			] }, backend)) })
		] })
	}) : null, /* @__PURE__ */ a("p", {
		class: "hint",
		children: [
			"Declaring all ",
			figures.registry.tools,
			" tools costs a session about ",
			toolDeclTokens.toLocaleString(),
			" tokens",
			systemPromptTokens ? `, its instructions ${systemPromptTokens.toLocaleString()} more, together ${sessionInitTokens.toLocaleString()}` : "",
			"; a profile with fewer tools costs less."
		]
	})] });
}
var ABOUT = {
	time_to_first_audio: "from the end of what the person said to the first sound of the answer",
	turn_gap: "still to be played when the model was done",
	barge_in_stop: "from cutting in to silence on the server's side"
};
function VoiceTable({ voice }) {
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", { children: [
			/* @__PURE__ */ a("caption", { children: "Over the last 1,000 of each" }),
			/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
				/* @__PURE__ */ a("th", {
					scope: "col",
					children: "What"
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
var shown = (row, column) => {
	if (column === "id") return row.id;
	if (column === "p50" || column === "p95" || column === "p99") return duration(row[column]);
	return Math.round(row[column]).toLocaleString();
};
function ToolTable({ figures }) {
	const { query } = route.value;
	const sort = COLUMNS.find((column) => column.id === query.get("sort"))?.id ?? "calls";
	const named = query.get("tool") ?? "";
	const rows = toolRows(figures, sort).filter((row) => row.id.includes(named.toLowerCase()));
	const put = (change) => go(at("metrics", [], {
		...Object.fromEntries(query),
		...change
	}), true);
	return /* @__PURE__ */ a(Card, {
		title: "Tool by tool",
		actions: /* @__PURE__ */ a(Field, {
			label: "Name has",
			children: (field) => /* @__PURE__ */ a("input", {
				...field,
				type: "search",
				value: named,
				onInput: (event) => put({ tool: event.currentTarget.value })
			})
		}),
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: "Times and answers are over the last 1,000 calls of each tool since the server started; tokens are estimated, a quarter of the characters."
		}), rows.length ? /* @__PURE__ */ a("div", {
			class: "table-box",
			tabIndex: 0,
			role: "region",
			"aria-label": "Tool by tool",
			children: /* @__PURE__ */ a("table", {
				class: "metrics-tools",
				children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: COLUMNS.map((column) => /* @__PURE__ */ a("th", {
					scope: "col",
					class: column.id === "id" ? "" : "number",
					"aria-sort": sort === column.id ? column.id === "id" ? "ascending" : "descending" : void 0,
					children: /* @__PURE__ */ a("button", {
						type: "button",
						onClick: () => put({ sort: column.id === "calls" ? "" : column.id }),
						children: [column.title, sort === column.id ? /* @__PURE__ */ a("span", {
							"aria-hidden": "true",
							children: [" ", column.id === "id" ? "▲" : "▼"]
						}) : null]
					})
				}, column.id)) }) }), /* @__PURE__ */ a("tbody", { children: rows.map((row) => /* @__PURE__ */ a("tr", { children: COLUMNS.map((column) => /* @__PURE__ */ a("td", {
					class: column.id === "id" ? "" : `number ${(column.id === "failed" || column.id === "overBudget") && row[column.id] ? "metrics-bad" : ""}`,
					children: column.id === "id" ? /* @__PURE__ */ a("a", {
						href: at("tools", [row.id]),
						children: /* @__PURE__ */ a("code", { children: row.id })
					}) : shown(row, column.id)
				}, column.id)) }, row.id)) })]
			})
		}) : named ? /* @__PURE__ */ a(Empty, {
			icon: "search",
			title: `No tool that ran has “${named}” in its name`
		}) : /* @__PURE__ */ a(Empty, {
			icon: "tool",
			title: "No tool has run since the server started",
			children: /* @__PURE__ */ a("p", { children: [/* @__PURE__ */ a("a", {
				href: at("tools"),
				children: "Try one"
			}), ": its numbers appear here within seconds."] })
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
var whole = (value) => Number.isInteger(value) ? value.toLocaleString() : "";
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
				/* @__PURE__ */ a(Field, {
					label: "Time",
					children: (field) => /* @__PURE__ */ a("select", {
						...field,
						value: String(minutes),
						onChange: (event) => go(at("metrics", [], {
							...Object.fromEntries(route.value.query),
							minutes: event.currentTarget.value
						}), true),
						children: WINDOWS.map((each) => /* @__PURE__ */ a("option", {
							value: each,
							children: [
								"The last ",
								each,
								" minutes"
							]
						}, each))
					})
				}),
				/* @__PURE__ */ a(Switch, {
					label: "Live",
					hint: "every 5 seconds, while this tab is seen",
					checked: live,
					onChange: setLive
				}),
				/* @__PURE__ */ a("span", { class: "spring" }),
				/* @__PURE__ */ a("a", {
					href: address("/metrics/prometheus"),
					target: "_blank",
					rel: "noopener",
					children: "For Prometheus"
				}),
				/* @__PURE__ */ a("a", {
					href: address("/metrics"),
					target: "_blank",
					rel: "noopener",
					children: "As JSON"
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
	const each = `in each ${history.seconds} seconds`;
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("dl", {
			class: "metrics-tiles",
			children: [
				/* @__PURE__ */ a(Tile, {
					name: "Calls that ran",
					value: ran,
					more: failed ? `${failed.toLocaleString()} failed` : "none failed"
				}),
				/* @__PURE__ */ a(Tile, {
					name: "Refused by a rule",
					value: refused,
					more: figures.loopDetection.detected ? `${figures.loopDetection.detected} loops` : "no loops"
				}),
				/* @__PURE__ */ a(Tile, {
					name: "Open sessions",
					value: figures.sessions.active,
					more: `${figures.sessions.started.toLocaleString()} started`
				}),
				/* @__PURE__ */ a(Tile, {
					name: "Turns",
					value: figures.sessions.turns,
					more: `since ${fullTime(history.started_at)}`
				})
			]
		}),
		figures.alerts.length ? /* @__PURE__ */ a("p", {
			class: "metrics-alert",
			children: [
				/* @__PURE__ */ a(Icon, {
					name: "warn",
					size: 16
				}),
				" Answers have become longer than ",
				figures.alerts[0].limit.toLocaleString(),
				" characters, and models read all of them. 95 % are up to ",
				figures.alerts.map((alert, index) => /* @__PURE__ */ a("span", { children: [
					index ? ", " : "",
					Math.round(alert.value).toLocaleString(),
					" for ",
					/* @__PURE__ */ a("a", {
						href: at("tools", [alert.toolId]),
						children: alert.toolId
					})
				] }, alert.toolId)),
				"."
			]
		}) : null,
		/* @__PURE__ */ a("div", {
			class: "metrics-charts",
			children: [
				/* @__PURE__ */ a(Card, {
					tour: "metrics-latency",
					children: [/* @__PURE__ */ a(Chart, {
						title: "How long calls take",
						data: latencyOver(samples),
						show: duration,
						empty: "No tool ran in this time. Try one, or talk, and the lines begin."
					}), /* @__PURE__ */ a("p", {
						class: "hint",
						children: "p95: 95 of 100 calls took no longer. A high p99 with a low p50 is a tool that is slow now and then."
					})]
				}),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-calls",
					children: /* @__PURE__ */ a(Chart, {
						title: `Calls ${each}`,
						data: callsOver(samples),
						show: whole,
						empty: "Nothing was called in this time."
					})
				}),
				/* @__PURE__ */ a(Card, { children: [/* @__PURE__ */ a(Chart, {
					title: `Refusals by rule ${each}`,
					data: refusalsOver(samples),
					show: whole,
					empty: "No rule had to say no in this time."
				}), /* @__PURE__ */ a(RefusalTable, { counts: figures.refusalRules })] }),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-tokens",
					children: [/* @__PURE__ */ a(Chart, {
						title: `Tokens ${each}`,
						data: tokensOver(samples),
						show: whole,
						empty: "No provider has counted tokens in this time. The built-in model takes none that anybody bills."
					}), /* @__PURE__ */ a(TokenTable, { figures })]
				}),
				/* @__PURE__ */ a(Card, {
					tour: "metrics-voice",
					children: [/* @__PURE__ */ a(Chart, {
						title: "What people who talk wait for (p95)",
						data: voiceOver(samples),
						show: duration,
						empty: "Nobody talked in this time. Talk to it, and see how soon it answers."
					}), /* @__PURE__ */ a(VoiceTable, { voice: figures.voice })]
				})
			]
		}),
		/* @__PURE__ */ a(ToolTable, { figures })
	] });
}
function Tile({ name, value, more }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("b", {
		class: "number",
		children: value.toLocaleString()
	}), /* @__PURE__ */ a("small", { children: more })] })] });
}
export { Metrics as default };
