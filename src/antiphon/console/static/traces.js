import { d, l as T, m as $, o as A, p as w, t as a } from "./vendor-preact.js";
import { r as get } from "./http.js";
import { n as usePages, t as Older } from "./older.js";
import { l as t, o as number, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { t as Drawer } from "./drawer.js";
import { n as filtersInAddress, r as putIntoAddress, t as FilterChips } from "./filter-chips.js";
import { n as Icon } from "./icons.js";
import { a as Empty, c as Json, d as Shown, o as Field } from "./kit.js";
/* empty css     */
import { a as fullTime, i as duration, n as briefAgo } from "./time.js";
import { r as useLoad } from "./load.js";
import { t as address$1 } from "./address.js";
import { i as useRules } from "./rules.js";
import { t as CallMenu } from "./call-menu.js";
import { n as GateStrip, t as GateList } from "./gates.js";
import { n as isRecord } from "./readable.js";
// src/pages/traces/shapes.ts
/** Traces as the server gives them, and how they are drawn. */
var idOf = (trace) => `${trace.session_id}/${trace.turn}`;
var titleOf = (trace) => trace.asked || t("The agent spoke first");
var SPANS = {
	speech: t("You speaking"),
	model: t("Model"),
	approval: t("Waiting for approval"),
	sound: t("Answer playing")
};
var spanTitle = (span) => span.kind === "tool" ? span.name : span.kind === "approval" ? `${SPANS.approval}: ${span.name}` : SPANS[span.kind];
/** What was waited for, as the waterfall marks it. */
var POINTS = {
	asked: t("End of question"),
	first_token: t("First token"),
	first_text: t("First words"),
	first_audio: t("First sound"),
	done: t("Model done")
};
/** Where people begin to wait: waits are counted from there. */
var zeroOf = (trace) => trace.points.find((point) => point.name === "asked")?.at_ms ?? 0;
/** Marks of a scale up to so many milliseconds: four to eight, at round numbers. */
function ticks(most) {
	const rough = Math.max(most, 1) / 5;
	const size = 10 ** Math.floor(Math.log10(rough));
	const step = [
		1,
		2,
		5,
		10
	].map((each) => each * size).find((each) => each >= rough);
	return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}
var percent = (ms, most) => `${Math.min(100, Math.max(0, ms / Math.max(most, 1) * 100)).toFixed(3)}%`;
var count = (value) => number(value);
/** Two turns figure by figure; what neither has is left out. */
function compared(traces) {
	const after = (trace, name) => {
		const found = trace.points.find((point) => point.name === name);
		return found ? Math.max(0, found.at_ms - zeroOf(trace)) : null;
	};
	return [
		...[
			"first_token",
			"first_text",
			"first_audio",
			"done"
		].map((name) => ({
			name,
			title: POINTS[name],
			values: traces.map((trace) => after(trace, name)),
			show: duration
		})),
		{
			name: "total",
			title: t("Total"),
			values: traces.map((trace) => trace.duration_ms),
			show: duration
		},
		{
			name: "tools",
			title: t("Time in tools"),
			values: traces.map((trace) => trace.tools_ms),
			show: duration
		},
		{
			name: "calls",
			title: t("Calls"),
			values: traces.map((trace) => trace.calls),
			show: count
		},
		{
			name: "input",
			title: t("Tokens in"),
			values: traces.map((trace) => trace.tokens?.input ?? null),
			show: count
		},
		{
			name: "output",
			title: t("Tokens out"),
			values: traces.map((trace) => trace.tokens?.output ?? null),
			show: count
		}
	].filter((row) => row.values.some((value) => value !== null));
}
/** The second beside the first: how much more or less, with its sign; empty where one is missing. */
function difference({ values, show }) {
	const [one, two] = values;
	if (one == null || two == null || one === two) return "";
	return `${two > one ? "+" : "−"}${show(Math.abs(two - one))}`;
}
// src/pages/traces/waterfall.tsx
/** Bars on one scale of time: who did what, and when something was first seen or heard. */
/** `most` is the end of the scale: the longest of what is compared. */
function Waterfall({ trace, most }) {
	const [open, show] = d(null);
	const zero = zeroOf(trace);
	const audio = T(null);
	const cursor = T(null);
	return /* @__PURE__ */ a("div", {
		class: "waterfall",
		children: [
			/* @__PURE__ */ a("ul", {
				class: "waterfall-points",
				children: trace.points.filter((point) => point.name !== "asked").map((point) => /* @__PURE__ */ a("li", {
					class: `is-${point.name}`,
					children: [
						/* @__PURE__ */ a("i", { "aria-hidden": "true" }),
						POINTS[point.name],
						" ",
						/* @__PURE__ */ a("b", {
							class: "number",
							children: duration(Math.max(0, point.at_ms - zero))
						})
					]
				}, point.name))
			}),
			/* @__PURE__ */ a("div", {
				class: "waterfall-chart",
				children: [
					/* @__PURE__ */ a("div", {
						class: "waterfall-scale",
						"aria-hidden": "true",
						children: ticks(most).map((tick) => /* @__PURE__ */ a("span", {
							style: { left: percent(tick, most) },
							children: tick ? duration(tick) : "0"
						}, tick))
					}),
					/* @__PURE__ */ a("div", {
						class: "waterfall-lines",
						"aria-hidden": "true",
						children: trace.points.map((point) => /* @__PURE__ */ a("i", {
							class: `is-${point.name}`,
							style: { left: percent(point.at_ms, most) },
							title: POINTS[point.name]
						}, point.name))
					}),
					trace.recorded ? /* @__PURE__ */ a("div", {
						class: "waterfall-lines is-seekable",
						"aria-hidden": "true",
						onClick: (event) => {
							const { left, width } = event.currentTarget.getBoundingClientRect();
							if (audio.current) audio.current.currentTime = (event.clientX - left) / width * (most / 1e3);
						},
						children: /* @__PURE__ */ a("i", {
							class: "waterfall-cursor",
							ref: cursor
						})
					}) : null,
					/* @__PURE__ */ a("ol", {
						class: "waterfall-rows",
						children: trace.spans.map((span, index) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
							span,
							trace,
							most,
							open: open === index,
							onOpen: () => show(open === index ? null : index)
						}) }, index))
					})
				]
			}),
			trace.recorded ? /* @__PURE__ */ a(Sound, {
				trace,
				most,
				audio,
				cursor
			}) : null
		]
	});
}
/** The recorded sound; a line over the bars shows where it is. */
function Sound({ trace, most, audio, cursor }) {
	const [failed, fail] = d(false);
	A(() => {
		const player = audio.current;
		let frame = 0;
		const follow = () => {
			if (cursor.current) cursor.current.style.left = percent(player.currentTime * 1e3, most);
			if (!player.paused) frame = requestAnimationFrame(follow);
		};
		const events = [
			"play",
			"pause",
			"seeked",
			"timeupdate"
		];
		for (const name of events) player.addEventListener(name, follow);
		return () => {
			cancelAnimationFrame(frame);
			for (const name of events) player.removeEventListener(name, follow);
		};
	}, [most]);
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("audio", {
		ref: audio,
		controls: true,
		preload: "none",
		"aria-label": t("Recorded sound"),
		onError: () => fail(true),
		src: address$1(`/api/traces/${encodeURIComponent(trace.session_id)}/${trace.turn}/sound`)
	}), failed ? /* @__PURE__ */ a("p", {
		class: "wrong",
		role: "alert",
		children: t("The recording cannot be played. It may have been deleted.")
	}) : null] });
}
function Row({ span, trace, most, open, onOpen }) {
	const call = span.seq === null ? null : trace.entries.find((entry) => entry.seq === span.seq) ?? null;
	const failed = call?.ok === false || call?.decision === "refuse";
	const face = /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("span", {
			class: "waterfall-name",
			title: spanTitle(span),
			children: spanTitle(span)
		}),
		/* @__PURE__ */ a("span", {
			class: "waterfall-track",
			children: [/* @__PURE__ */ a("i", {
				class: `is-${span.kind} ${failed ? "is-failed" : ""}`,
				style: {
					left: percent(span.start_ms, most),
					width: percent(span.end_ms - span.start_ms, most)
				}
			}), span.first_ms !== null ? /* @__PURE__ */ a("i", {
				class: "is-waiting",
				style: {
					left: percent(span.start_ms, most),
					width: percent(span.first_ms - span.start_ms, most)
				}
			}) : null]
		}),
		/* @__PURE__ */ a("span", {
			class: "number waterfall-time",
			children: duration(span.end_ms - span.start_ms)
		})
	] });
	if (!call) return /* @__PURE__ */ a("div", {
		class: "waterfall-row",
		children: face
	});
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("button", {
		type: "button",
		class: "waterfall-row",
		"aria-expanded": open,
		onClick: onOpen,
		children: face
	}), open ? /* @__PURE__ */ a(Inside, {
		call,
		session: trace.session_id,
		mode: trace.mode ?? "text"
	}) : null] });
}
function Inside({ call, session, mode }) {
	const rules = useRules().data;
	return /* @__PURE__ */ a("div", {
		class: "waterfall-inside",
		children: [
			/* @__PURE__ */ a(GateStrip, {
				gates: call.gates,
				rules
			}),
			call.answer?.error ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: call.answer.error.message
			}) : null,
			/* @__PURE__ */ a("h4", { children: t("Arguments") }),
			/* @__PURE__ */ a(Json, {
				value: call.args,
				label: t("Arguments")
			}),
			/* @__PURE__ */ a("details", { children: [/* @__PURE__ */ a("summary", { children: t("Gates") }), /* @__PURE__ */ a(GateList, {
				gates: call.gates,
				rules
			})] }),
			isRecord(call.args) ? /* @__PURE__ */ a(CallMenu, { call: {
				tool: call.tool,
				args: call.args,
				mode
			} }) : null,
			/* @__PURE__ */ a("p", {
				class: "row hint",
				children: /* @__PURE__ */ a("a", {
					href: at("audit", [], {
						session,
						line: String(call.seq)
					}),
					children: t("Audit line {number}", { number: String(call.seq) })
				})
			})
		]
	});
}
// src/pages/traces/detail.tsx
/** One turn, and beside it another one to compare it with. */
function TraceDetail({ session, turn, others }) {
	const other = route.value.query.get("with") ?? "";
	const load = (id, signal) => {
		const [one = "", two = ""] = id.split("/");
		return get(`/api/traces/${encodeURIComponent(one)}/${encodeURIComponent(two)}`, { signal });
	};
	const own = `${session}/${turn}`;
	const found = useLoad((signal) => Promise.all([own, ...other && other !== own ? [other] : []].map((id) => load(id, signal))), [own, other]);
	const choices = others.filter((trace) => idOf(trace) !== own);
	const known = choices.some((trace) => idOf(trace) === other);
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: (traces) => {
			const most = Math.max(...traces.map((trace) => trace.duration_ms), 1);
			return /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("div", {
					class: "traces-columns",
					children: traces.map((trace, index) => /* @__PURE__ */ a(One, {
						trace,
						most,
						heading: traces.length > 1 ? index ? "B" : "A" : ""
					}, idOf(trace)))
				}),
				traces.length > 1 ? /* @__PURE__ */ a(Comparison, { traces }) : null,
				choices.length || other ? /* @__PURE__ */ a(Field, {
					label: t("Compare with"),
					children: (field) => /* @__PURE__ */ a("select", {
						...field,
						value: other === own ? "" : other,
						onChange: (event) => putIntoAddress({ with: event.currentTarget.value }),
						children: [
							/* @__PURE__ */ a("option", {
								value: "",
								children: t("Nothing")
							}),
							other && !known && other !== own ? /* @__PURE__ */ a("option", {
								value: other,
								children: other
							}) : null,
							choices.map((trace) => /* @__PURE__ */ a("option", {
								value: idOf(trace),
								children: `${titleOf(trace)} · ${duration(trace.duration_ms)} · ${fullTime(trace.started_at)}`
							}, idOf(trace)))
						]
					})
				}) : null
			] });
		}
	});
}
function One({ trace, most, heading }) {
	return /* @__PURE__ */ a("section", {
		class: "traces-one",
		"aria-label": heading || t("Waterfall"),
		children: [
			heading ? /* @__PURE__ */ a("h3", {
				class: "traces-asked",
				children: [
					heading,
					" · ",
					titleOf(trace)
				]
			}) : null,
			trace.answer ? /* @__PURE__ */ a("p", {
				class: "muted traces-answer",
				children: trace.answer
			}) : null,
			/* @__PURE__ */ a(Waterfall, {
				trace,
				most
			}),
			/* @__PURE__ */ a("p", {
				class: "row hint",
				children: [
					/* @__PURE__ */ a("time", { children: fullTime(trace.started_at) }),
					/* @__PURE__ */ a("a", {
						href: at("sessions", [trace.session_id]),
						children: t("Session")
					}),
					/* @__PURE__ */ a("a", {
						href: at("audit", [], { session: trace.session_id }),
						children: t("Audit lines")
					}),
					trace.tokens ? /* @__PURE__ */ a("span", { children: t("{input} tokens in, {output} out", {
						input: trace.tokens.input,
						output: trace.tokens.output
					}) }) : null
				]
			})
		]
	});
}
function Comparison({ traces }) {
	return /* @__PURE__ */ a("table", {
		class: "traces-table",
		"aria-label": t("Comparison"),
		children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("Metric")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: "A"
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: "B"
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: t("Difference")
			})
		] }) }), /* @__PURE__ */ a("tbody", { children: compared(traces).map((row) => /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "row",
				children: row.title
			}),
			row.values.map((value, index) => /* @__PURE__ */ a("td", {
				class: "number",
				children: value === null ? "–" : row.show(value)
			}, index)),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: difference(row)
			})
		] }, row.name)) })]
	});
}
// src/pages/traces.tsx
/** Each turn as a waterfall: what took how long, from the question to the last sound. */
var PAGE = 50;
var NAMES = ["session", "slower_than"];
var CHOICES = [{
	id: "session",
	label: t("Session ID")
}, {
	id: "slower_than",
	label: t("Slower than"),
	options: [
		500,
		1e3,
		2e3,
		5e3
	].map((ms) => ({
		value: String(ms),
		label: duration(ms)
	})),
	show: (value) => duration(Number(value))
}];
var READY = [{
	title: t("Slower than {time}", { time: duration(1e3) }),
	values: () => ({ slower_than: "1000" })
}];
function Traces() {
	const filters = filtersInAddress(NAMES);
	const list = usePages(JSON.stringify(filters), async (before, signal) => {
		const page = await get("/api/traces", {
			query: {
				...filters,
				limit: PAGE,
				before
			},
			...signal ? { signal } : {}
		});
		return {
			items: page.traces,
			next: page.next_before
		};
	}, idOf);
	const [session, turn] = route.value.rest;
	const chosen = session && turn ? `${session}/${turn}` : "";
	const traces = list.data ?? [];
	const here = traces.findIndex((trace) => idOf(trace) === chosen);
	const open = (trace) => go(address(trace, filters, route.value.query.get("with") ?? ""), true);
	const older = async () => {
		const next = traces[here + 1] ?? (await list.more())[0];
		if (next) open(next);
	};
	return /* @__PURE__ */ a("div", {
		class: "with-drawer traces",
		children: [/* @__PURE__ */ a(List, {
			list,
			filters,
			chosen
		}), session && turn ? /* @__PURE__ */ a(Drawer, {
			class: "wide",
			title: here >= 0 ? titleOf(traces[here]) : t("Turn {number}", { number: turn }),
			onClose: () => go(at("traces", [], filters)),
			onPrev: here > 0 ? () => open(traces[here - 1]) : null,
			onNext: here >= 0 && (here + 1 < traces.length || list.more) ? () => void older() : null,
			children: /* @__PURE__ */ a(TraceDetail, {
				session,
				turn,
				others: traces
			})
		}) : null]
	});
}
var address = (trace, filters, other = "") => at("traces", [trace.session_id, String(trace.turn)], {
	...filters,
	with: other
});
function List({ list, filters, chosen }) {
	return /* @__PURE__ */ a("section", {
		class: "stack traces-side",
		"aria-label": t("Traces"),
		"data-tour": "traces-list",
		children: [/* @__PURE__ */ a(FilterChips, {
			label: t("Filters"),
			tour: "traces-filters",
			filters: CHOICES,
			values: filters,
			ready: READY,
			onChange: (values) => go(at("traces", route.value.rest, values), true)
		}), /* @__PURE__ */ a("div", {
			class: "stack",
			"data-tour": "traces-waterfall",
			children: /* @__PURE__ */ a(Shown, {
				of: list,
				children: (traces) => {
					const most = Math.max(...traces.map((trace) => trace.duration_ms), 1);
					return traces.length ? /* @__PURE__ */ a($, { children: [
						/* @__PURE__ */ a("p", {
							class: "hint",
							role: "status",
							children: list.more ? t("{count} newest turns", { count: traces.length }) : plural(traces.length, "{count} turn", "{count} turns")
						}),
						/* @__PURE__ */ a("ul", {
							class: "rows",
							children: traces.map((trace) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Item, {
								trace,
								filters,
								here: idOf(trace) === chosen,
								most
							}) }, idOf(trace)))
						}),
						list.more ? /* @__PURE__ */ a(Older, { more: list.more }, traces.length) : null
					] }) : /* @__PURE__ */ a(Nothing, { filtered: Object.values(filters).some(Boolean) });
				}
			})
		})]
	});
}
/** Of thousands of rows, only those that changed are drawn anew. */
function Item(row) {
	const { trace, filters, here, most } = row;
	return w(() => /* @__PURE__ */ a(Face, { ...row }), [
		trace,
		JSON.stringify(filters),
		here,
		most,
		Math.floor(Date.now() / 6e4)
	]);
}
function Face({ trace, filters, here, most }) {
	const link = T(null);
	A(() => {
		if (here) link.current?.scrollIntoView({ block: "nearest" });
	}, [here]);
	return /* @__PURE__ */ a("a", {
		class: "rows-item",
		ref: link,
		href: address(trace, filters),
		"aria-current": here ? "true" : void 0,
		children: [
			/* @__PURE__ */ a(Icon, {
				name: trace.mode === "voice" ? "mic" : "chat",
				size: 15
			}),
			/* @__PURE__ */ a("span", {
				class: "rows-title",
				title: titleOf(trace),
				children: titleOf(trace)
			}),
			trace.calls ? /* @__PURE__ */ a("span", {
				class: "rows-wide muted",
				children: plural(trace.calls, "{count} call", "{count} calls")
			}) : null,
			/* @__PURE__ */ a("span", {
				class: "rows-wide traces-bar",
				"aria-hidden": "true",
				children: [/* @__PURE__ */ a("i", { style: { width: percent(trace.duration_ms, most) } }), /* @__PURE__ */ a("i", {
					class: "is-wait",
					style: { width: percent(trace.wait_ms ?? 0, most) }
				})]
			}),
			/* @__PURE__ */ a("span", {
				class: "number traces-wait",
				title: t("Wait for the first words or sound"),
				children: trace.wait_ms === null ? "–" : duration(trace.wait_ms)
			}),
			/* @__PURE__ */ a("time", {
				class: "number muted",
				title: fullTime(trace.started_at),
				children: briefAgo(trace.started_at)
			})
		]
	});
}
function Nothing({ filtered }) {
	return filtered ? /* @__PURE__ */ a(Empty, {
		icon: "search",
		title: t("No turn matches these filters"),
		children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("traces"),
			children: t("Clear filters")
		}) })
	}) : /* @__PURE__ */ a(Empty, {
		icon: "clock",
		title: t("No turns yet"),
		children: [/* @__PURE__ */ a("p", { children: t("Ask something to see how long each part took: the model, each tool with its gates, and the first sound.") }), /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("chat"),
			children: t("Start a conversation")
		}) })]
	});
}
export { Traces as default };
