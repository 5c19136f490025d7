import { f as d, h as $, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as post, d as address, r as get, s as said } from "./http.js";
import { r as useLoad } from "./load.js";
import { i as go, r as at, s as route } from "./router.js";
import { a as Empty, c as Json, f as Switch, g as Icon, i as CopyButton, l as Problem, m as TextInput, n as Button, o as Field, r as Card, t as Badge, u as Shown } from "./kit.js";
import { i as useReload, n as ruleAbout, r as useRules } from "./rules.js";
import { u as Dialog } from "./start.js";
import { t as GateList } from "./gates.js";
import { i as fullTime, n as clockTime, r as duration } from "./time.js";
// src/pages/audit/shapes.ts
/** Lines of the audit and what is asked of them, as they stand in the address. */
var FILTERS = [
	"event",
	"tool",
	"decision",
	"rule",
	"ok",
	"session",
	"since",
	"until"
];
var whole = (text) => text && /^\d{1,15}$/.test(text) ? Number(text) : null;
function readView(query) {
	return {
		filters: Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""])),
		before: whole(query.get("before")),
		after: whole(query.get("after")),
		line: whole(query.get("line"))
	};
}
function writeView(view) {
	const { filters, ...places } = view;
	const numbers = Object.entries(places).map(([name, value]) => [name, value === null ? "" : String(value)]);
	return {
		...filters,
		...Object.fromEntries(numbers)
	};
}
/** Another filter begins at the newest line again. */
var filtered = (view, change) => ({
	...view,
	filters: {
		...view.filters,
		...change
	},
	before: null,
	after: null
});
var isFiltered = ({ filters }) => Object.values(filters).some(Boolean);
/** The address that downloads what the filters leave. */
function exportAddress(filters) {
	const kept = Object.entries(filters).filter(([, value]) => value);
	return address(`/api/audit?${new URLSearchParams([...kept, ["format", "jsonl"]])}`);
}
/** A moment of the address (UTC) as a field for local time has it, and back. */
function toLocal(moment) {
	const date = new Date(moment);
	if (!moment || Number.isNaN(date.getTime())) return "";
	return (/* @__PURE__ */ new Date(date.getTime() - date.getTimezoneOffset() * 6e4)).toISOString().slice(0, 16);
}
function fromLocal(text) {
	const date = new Date(text);
	return !text || Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(/\.000Z$/, "Z");
}
/** What can stand in a line, with words for people. */
var EVENTS = {
	tool_decision: "Decided without running",
	tool_execution: "Ran",
	tool_replayed: "Replayed",
	tool_detached: "Answered before it was done",
	tool_reconciled: "Found out after a crash",
	tool_unknown: "Cut short by a crash",
	task_not_run: "Task did not run",
	turn_completed: "Turn completed",
	session_started: "Session began",
	session_resumed: "Session taken up",
	session_ended: "Session ended",
	confirmation_resolved: "Person answered",
	confirmation_refused: "Answer not taken",
	intent_refused: "Intent refused",
	registry_mismatch: "Tools changed",
	provider_fault: "Provider fault",
	line_changed: "Line to the model changed"
};
var DECISIONS = {
	run: "Run",
	refuse: "Refuse",
	confirm: "Ask first",
	replay: "Replay",
	wait: "Wait"
};
var eventInWords = (event) => EVENTS[event] ?? event.replaceAll("_", " ");
/** A line as one sentence. */
function lineInWords(line) {
	const tool = line.toolId || "a tool without a name";
	const took = typeof line.duration === "number" ? ` in ${line.duration < 1 ? "less than 1" : Math.round(line.duration)} ms` : "";
	switch (line.decision) {
		case "refuse": return `${tool} was refused by the rule ${line.rule}${line.errorType ? ` (${line.errorType})` : ""}.`;
		case "confirm": return `${tool} waited for a person's approval.`;
		case "replay": return `${tool} was answered from the record of the same call.`;
		case "wait": return `${tool} was under way already; this call waited for it.`;
		case "run":
		case "recover": return line.ok === false ? `${tool} ran and failed${line.errorType ? ` (${line.errorType})` : ""}${took}.` : `${tool} ran${took}.`;
		default: return `${eventInWords(line.event)}${line.toolId ? `: ${line.toolId}` : ""}.`;
	}
}
function chainInWords(chain) {
	const lines = (count) => count === 1 ? "1 line" : `${count.toLocaleString()} lines`;
	if (chain.ok) return chain.count ? `${chain.count === 1 ? "The one line is" : `All ${lines(chain.count)} are`} in order: none was changed, moved, added or removed.` : "The audit is empty, and so is its chain.";
	return `The chain is broken: ${chain.problem}. ${chain.count ? `${lines(chain.count)} before it ${chain.count === 1 ? "is" : "are"} in order.` : "No line before it is in order."}`;
}
/** Numbers for a replay as people type them: empty is as it is, "none" is no limit. */
function policyOf(typed) {
	const policy = {};
	const wrong = {};
	for (const [name, text] of Object.entries(typed)) {
		const word = text.trim().toLowerCase();
		if (!word) continue;
		if (word === "none" && name.includes(".")) policy[name] = null;
		else if (/^\d+(\.\d+)?$/.test(word)) policy[name] = Number(word);
		else wrong[name] = name.includes(".") ? "A number from 0 on, or none." : "A number from 0 on.";
	}
	return {
		policy,
		wrong
	};
}
// src/pages/audit/filters.tsx
/** Behind "More filters". */
var EXTRA = [
	"ok",
	"event",
	"session",
	"since",
	"until"
];
var NOTHING = {
	event: "",
	tool: "",
	decision: "",
	rule: "",
	ok: "",
	session: "",
	since: "",
	until: ""
};
/** What people look for most. */
var READY = [
	{
		title: "Refusals",
		values: () => ({ decision: "refuse" })
	},
	{
		title: "Failures",
		values: () => ({
			event: "tool_execution",
			ok: "false"
		})
	},
	{
		title: "Approvals",
		values: () => ({ event: "confirmation_resolved" })
	},
	{
		title: "Last hour",
		values: () => ({ since: (/* @__PURE__ */ new Date(Date.now() - 36e5)).toISOString().slice(0, 16) + "Z" })
	}
];
function Filters({ view, onChange }) {
	const rules = useRules().data;
	const [tools, know] = d([]);
	const { filters } = view;
	const [all, showAll] = d(EXTRA.some((name) => filters[name]));
	const set = (change) => onChange(filtered(view, change));
	const offerTools = () => {
		if (tools.length) return;
		get("/api/tools").then((found) => know(found.tools.map((tool) => tool.toolId)), () => void 0);
	};
	const choice = (name, label, options) => /* @__PURE__ */ a(Field, {
		label,
		children: (field) => /* @__PURE__ */ a("select", {
			...field,
			value: filters[name],
			onChange: (event) => set({ [name]: event.currentTarget.value }),
			children: [
				/* @__PURE__ */ a("option", {
					value: "",
					children: "Any"
				}),
				filters[name] && !(filters[name] in options) ? /* @__PURE__ */ a("option", {
					value: filters[name],
					children: filters[name]
				}) : null,
				Object.entries(options).map(([value, title]) => /* @__PURE__ */ a("option", {
					value,
					children: title
				}, value))
			]
		})
	});
	const words = (name, label, more = {}) => /* @__PURE__ */ a(Field, {
		label,
		children: (field) => /* @__PURE__ */ a(TextInput, {
			...field,
			...more,
			type: "search",
			value: filters[name],
			onDone: (text) => set({ [name]: text })
		})
	});
	const moment = (name, label) => /* @__PURE__ */ a(Field, {
		label,
		children: (field) => /* @__PURE__ */ a("input", {
			...field,
			type: "datetime-local",
			value: toLocal(filters[name]),
			onChange: (event) => set({ [name]: fromLocal(event.currentTarget.value) })
		})
	});
	return /* @__PURE__ */ a("form", {
		class: "audit-filters",
		"data-tour": "audit-filters",
		"aria-label": "Filters",
		onSubmit: (event) => event.preventDefault(),
		children: [
			words("tool", "Tool", {
				list: "audit-tools",
				onFocus: offerTools
			}),
			/* @__PURE__ */ a("datalist", {
				id: "audit-tools",
				children: tools.map((id) => /* @__PURE__ */ a("option", { value: id }, id))
			}),
			choice("decision", "Decision", DECISIONS),
			/* @__PURE__ */ a(Field, {
				label: "Rule",
				children: (field) => /* @__PURE__ */ a("select", {
					...field,
					value: filters.rule,
					onChange: (event) => set({ rule: event.currentTarget.value }),
					children: [
						/* @__PURE__ */ a("option", {
							value: "",
							children: "Any"
						}),
						filters.rule && !rules?.gates.some((gate) => gate.rules.some((rule) => rule.id === filters.rule)) ? /* @__PURE__ */ a("option", {
							value: filters.rule,
							children: filters.rule
						}) : null,
						rules?.gates.map((gate) => /* @__PURE__ */ a("optgroup", {
							label: gate.title,
							children: gate.rules.map((rule) => /* @__PURE__ */ a("option", {
								value: rule.id,
								children: rule.id
							}, rule.id))
						}, gate.id))
					]
				})
			}),
			/* @__PURE__ */ a(Button, {
				class: "audit-more",
				"aria-expanded": all,
				onClick: () => showAll(!all),
				children: all ? "Fewer filters" : "More filters"
			}),
			all ? /* @__PURE__ */ a("div", {
				class: "audit-extra",
				role: "group",
				"aria-label": "More filters",
				children: [
					/* @__PURE__ */ a(Field, {
						label: "Outcome",
						children: (field) => /* @__PURE__ */ a("select", {
							...field,
							value: filters.ok,
							onChange: (event) => set({ ok: event.currentTarget.value }),
							children: [
								/* @__PURE__ */ a("option", {
									value: "",
									children: "Any"
								}),
								/* @__PURE__ */ a("option", {
									value: "true",
									children: "Succeeded"
								}),
								/* @__PURE__ */ a("option", {
									value: "false",
									children: "Did not succeed"
								})
							]
						})
					}),
					choice("event", "Event", EVENTS),
					words("session", "Session id"),
					moment("since", "From"),
					moment("until", "To")
				]
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row audit-ready",
				role: "group",
				"aria-label": "Often looked for",
				children: [READY.map((each) => /* @__PURE__ */ a(Button, {
					kind: "quiet",
					onClick: () => {
						const values = each.values();
						if (EXTRA.some((name) => values[name])) showAll(true);
						onChange(filtered(view, {
							...NOTHING,
							...values
						}));
					},
					children: each.title
				}, each.title)), isFiltered(view) ? /* @__PURE__ */ a(Button, {
					icon: "close",
					onClick: () => onChange(filtered(view, NOTHING)),
					children: "Clear filters"
				}) : null]
			})
		]
	});
}
// src/pages/audit/line.tsx
function LineDialog({ seq, onShow, onClose }) {
	const found = useLoad((signal) => get(`/api/audit/${seq}`, { signal }), [seq]);
	const rules = useRules().data;
	return /* @__PURE__ */ a(Dialog, {
		title: `Line ${seq}`,
		onClose,
		class: "audit-dialog",
		children: /* @__PURE__ */ a(Shown, {
			of: found,
			children: ({ line, gates, newest }) => /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("p", { children: [
					/* @__PURE__ */ a("strong", { children: lineInWords(line) }),
					" ",
					line.rule && line.rule !== "run" ? /* @__PURE__ */ a("span", {
						class: "muted",
						children: ruleAbout(rules, line.rule)
					}) : null
				] }),
				/* @__PURE__ */ a(Facts, { line }),
				gates.length ? /* @__PURE__ */ a("div", {
					class: "audit-call",
					children: [/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("h3", { children: "Gates" }), /* @__PURE__ */ a(GateList, {
						gates,
						rules
					})] }), /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("h3", { children: "Arguments" }), /* @__PURE__ */ a(Json, {
						value: line.args ?? null,
						label: "Arguments"
					})] })]
				}) : null,
				/* @__PURE__ */ a("details", {
					open: !gates.length,
					children: [/* @__PURE__ */ a("summary", { children: "The line as it is kept" }), /* @__PURE__ */ a(Json, {
						value: line,
						label: `Line ${seq} as JSON`
					})]
				}),
				/* @__PURE__ */ a("p", {
					class: "hint audit-hash",
					children: [
						"Its hash ",
						/* @__PURE__ */ a("code", { children: line.hash }),
						" is over this line and the hash before it, ",
						/* @__PURE__ */ a("code", { children: line.prev }),
						"."
					]
				}),
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a(Button, {
							disabled: seq <= 1,
							onClick: () => onShow(seq - 1),
							children: ["Line ", Math.max(1, seq - 1)]
						}),
						/* @__PURE__ */ a(Button, {
							disabled: seq >= newest,
							onClick: () => onShow(seq + 1),
							children: ["Line ", seq + 1]
						}),
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(CopyButton, {
							text: () => JSON.stringify(line, null, 2),
							label: "Copy JSON"
						})
					]
				})
			] })
		})
	});
}
function Facts({ line }) {
	return /* @__PURE__ */ a("dl", {
		class: "audit-facts",
		children: [
			/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "When" }), /* @__PURE__ */ a("dd", { children: fullTime(line.at) })] }),
			line.sessionId ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "Session" }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("a", {
				href: at("sessions", [line.sessionId], { line: String(line.seq) }),
				children: line.sessionId
			}), line.turnId ? `, turn ${line.turnId}` : ""] })] }) : null,
			line.toolId ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "Tool" }), /* @__PURE__ */ a("dd", { children: [
				/* @__PURE__ */ a("a", {
					href: at("tools", [line.toolId]),
					children: line.toolId
				}),
				" ",
				String(line["toolVersion"] ?? "")
			] })] }) : null,
			line.user ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "User" }), /* @__PURE__ */ a("dd", { children: [line.user, line.mode ? `, ${line.mode}` : ""] })] }) : null,
			line.rule ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "Rule" }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", {
				href: at("audit", [], { rule: line.rule }),
				children: line.rule
			}) })] }) : null,
			typeof line.duration === "number" ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: "Took" }), /* @__PURE__ */ a("dd", { children: duration(line.duration) })] }) : null
		]
	});
}
// src/pages/audit/replay.tsx
var SHOWN = 100;
var WITHOUT = /tool_time_ms|top_k|history_turns|confirmation_seconds/;
/** What today's tools and policy, or other numbers for it, would decide of recorded calls. */
function Replay({ session, onClose }) {
	const rules = useRules().data;
	const [last, choose] = d("2000");
	const [only, setOnly] = d(Boolean(session));
	const [typed, type] = d({});
	const [busy, work] = d(false);
	const [report, tell] = d(null);
	const [error, fail] = d(null);
	const { policy, wrong } = policyOf(typed);
	const run = async () => {
		work(true);
		fail(null);
		try {
			tell(await post("/api/audit/replay", {
				last: Number(last),
				policy,
				...only && session ? { session } : {}
			}));
		} catch (problem) {
			fail(new Error(said(problem)));
		}
		work(false);
	};
	return /* @__PURE__ */ a(Dialog, {
		title: "Replay",
		onClose,
		class: "audit-dialog",
		children: [
			/* @__PURE__ */ a("p", { children: "Recorded calls are decided anew, by the tools and numbers of today or by the ones below. Nothing is run, and nothing is written down." }),
			/* @__PURE__ */ a(Field, {
				label: "How much",
				children: (field) => /* @__PURE__ */ a("select", {
					...field,
					value: last,
					onChange: (event) => choose(event.currentTarget.value),
					children: [
						"500",
						"2000",
						"10000",
						"20000"
					].map((count) => /* @__PURE__ */ a("option", {
						value: count,
						children: [
							"The last ",
							Number(count).toLocaleString(),
							" lines"
						]
					}, count))
				})
			}),
			session ? /* @__PURE__ */ a(Switch, {
				label: "Only the session that is filtered by",
				checked: only,
				onChange: setOnly
			}) : null,
			/* @__PURE__ */ a("details", {
				class: "audit-numbers",
				children: [
					/* @__PURE__ */ a("summary", { children: "With other numbers" }),
					/* @__PURE__ */ a("p", {
						class: "hint",
						children: "Empty is as it is now; “none” is no limit."
					}),
					/* @__PURE__ */ a("div", {
						class: "audit-policy",
						children: Object.entries(rules?.policy ?? {}).filter(([name]) => !WITHOUT.test(name)).map(([name, value]) => /* @__PURE__ */ a(Field, {
							label: name,
							error: wrong[name],
							children: (field) => /* @__PURE__ */ a("input", {
								...field,
								type: "text",
								inputMode: "decimal",
								placeholder: value === null ? "none" : String(value),
								value: typed[name] ?? "",
								onInput: (event) => {
									const { value } = event.currentTarget;
									type((before) => ({
										...before,
										[name]: value
									}));
								}
							})
						}, name))
					})
				]
			}),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a(Button, {
					kind: "primary",
					icon: "play",
					busy,
					disabled: Object.keys(wrong).length > 0,
					onClick: run,
					children: "Decide them anew"
				}), /* @__PURE__ */ a(Button, {
					onClick: onClose,
					children: "Close"
				})]
			}),
			error ? /* @__PURE__ */ a(Problem, {
				error,
				retry: run
			}) : null,
			/* @__PURE__ */ a("div", {
				role: "status",
				children: report ? /* @__PURE__ */ a(Found, { report }) : null
			})
		]
	});
}
function Found({ report }) {
	const { compared, different, sessions, differences } = report;
	const box = T(null);
	A(() => box.current?.scrollIntoView({ block: "start" }), [report]);
	const assumed = Object.entries(report.assumed);
	if (!compared) return /* @__PURE__ */ a("p", { children: "There are no decisions among those lines." });
	return /* @__PURE__ */ a("div", {
		class: "stack",
		ref: box,
		children: [
			/* @__PURE__ */ a("p", {
				class: `audit-verdict ${different ? "warn" : "good"}`,
				children: different ? `${different.toLocaleString()} of ${compared.toLocaleString()} decisions would be different.` : `None of ${compared.toLocaleString()} decisions would be different.`
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					sessions === 1 ? "1 session" : `${sessions} sessions`,
					", lines ",
					report.from_seq,
					" to ",
					report.to_seq,
					", tools ",
					report.registry_version,
					".",
					assumed.length ? ` A log does not tell everything; taken as it was: ${assumed.map(([rule, count]) => `${rule} (${count})`).join(", ")}.` : ""
				]
			}),
			different ? /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("ul", {
					class: "audit-changes",
					children: report.changes.map((change) => /* @__PURE__ */ a("li", { children: [
						/* @__PURE__ */ a("b", {
							class: "number",
							children: change.count
						}),
						" × ",
						/* @__PURE__ */ a("code", { children: change.recorded }),
						" would be ",
						/* @__PURE__ */ a("code", { children: change.now })
					] }, `${change.recorded} ${change.now}`))
				}),
				/* @__PURE__ */ a("div", {
					class: "table-box",
					children: /* @__PURE__ */ a("table", { children: [
						/* @__PURE__ */ a("caption", {
							class: "hidden-visually",
							children: "Calls that would be decided differently"
						}),
						/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
							/* @__PURE__ */ a("th", {
								scope: "col",
								class: "number",
								children: "Line"
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: "Tool"
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: "Then"
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: "Now"
							})
						] }) }),
						/* @__PURE__ */ a("tbody", { children: differences.slice(0, SHOWN).map((each) => /* @__PURE__ */ a("tr", { children: [
							/* @__PURE__ */ a("td", {
								class: "number",
								children: /* @__PURE__ */ a("a", {
									href: at("audit", [], { line: String(each.seq) }),
									children: each.seq
								})
							}),
							/* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("code", { children: each.toolId }) }),
							/* @__PURE__ */ a("td", { children: [
								each.recorded.decision,
								" ",
								/* @__PURE__ */ a("code", { children: each.recorded.rule })
							] }),
							/* @__PURE__ */ a("td", { children: [
								each.now.decision,
								" ",
								/* @__PURE__ */ a("code", { children: each.now.rule }),
								each.now.message ? /* @__PURE__ */ a("small", {
									class: "hint",
									children: [" ", each.now.message]
								}) : null
							] })
						] }, each.seq)) })
					] })
				}),
				different > SHOWN ? /* @__PURE__ */ a("p", {
					class: "hint",
					children: [
						"The first ",
						SHOWN,
						" are shown; ",
						/* @__PURE__ */ a("code", { children: "antiphon audit replay --json" }),
						" has them all."
					]
				}) : null
			] }) : null
		]
	});
}
// src/pages/audit/table.tsx
var KINDS = {
	run: "good",
	recover: "good",
	refuse: "bad",
	confirm: "warn",
	replay: "accent"
};
function Table({ lines, view }) {
	const today = (/* @__PURE__ */ new Date()).toDateString();
	return /* @__PURE__ */ a("div", {
		class: "table-box",
		children: /* @__PURE__ */ a("table", {
			class: "audit-table",
			children: [
				/* @__PURE__ */ a("caption", {
					class: "hidden-visually",
					children: "Lines of the audit. The number of a line opens it."
				}),
				/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number",
						children: "Line"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number audit-wide",
						children: "Time"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: "Event"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: "Tool"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: "Decision"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: "Error"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number audit-wide",
						children: "Took"
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: "Session"
					})
				] }) }),
				/* @__PURE__ */ a("tbody", { children: lines.map((line) => /* @__PURE__ */ a(Row, {
					line,
					view,
					today
				}, line.seq)) })
			]
		})
	});
}
function Row({ line, view, today }) {
	const time = (/* @__PURE__ */ new Date(line.at * 1e3)).toDateString() === today ? clockTime(line.at) : fullTime(line.at);
	const failed = line.decision === "run" && line.ok === false;
	return /* @__PURE__ */ a("tr", {
		class: view.line === line.seq ? "is-open" : "",
		children: [
			/* @__PURE__ */ a("td", {
				class: "number",
				children: /* @__PURE__ */ a("a", {
					class: "audit-open",
					href: at("audit", [], writeView({
						...view,
						line: line.seq
					})),
					"aria-label": `Line ${line.seq}`,
					children: line.seq
				})
			}),
			/* @__PURE__ */ a("td", {
				class: "number audit-wide audit-time",
				title: fullTime(line.at),
				children: time
			}),
			/* @__PURE__ */ a("td", {
				class: "audit-wide",
				children: eventInWords(line.event)
			}),
			/* @__PURE__ */ a("td", {
				class: "audit-tool",
				children: [line.toolId ? /* @__PURE__ */ a("code", { children: line.toolId }) : /* @__PURE__ */ a("span", {
					class: "muted audit-narrow",
					children: eventInWords(line.event)
				}), /* @__PURE__ */ a("small", {
					class: "muted number audit-narrow",
					children: time
				})]
			}),
			/* @__PURE__ */ a("td", { children: [line.decision ? /* @__PURE__ */ a(Badge, {
				kind: failed ? "bad" : KINDS[line.decision] ?? "plain",
				children: failed ? "failed" : line.decision
			}) : null, line.rule && line.rule !== line.decision ? /* @__PURE__ */ a($, { children: [" ", /* @__PURE__ */ a("code", { children: line.rule })] }) : null] }),
			/* @__PURE__ */ a("td", {
				class: "audit-wide",
				children: line.errorType ? /* @__PURE__ */ a("code", { children: line.errorType }) : null
			}),
			/* @__PURE__ */ a("td", {
				class: "number audit-wide",
				children: typeof line.duration === "number" ? duration(line.duration) : ""
			}),
			/* @__PURE__ */ a("td", {
				class: "audit-wide audit-session",
				children: [line.sessionId ? /* @__PURE__ */ a("a", {
					href: at("sessions", [line.sessionId], { line: String(line.seq) }),
					children: line.sessionId.slice(0, 12)
				}) : null, line.turnId ? /* @__PURE__ */ a("span", {
					class: "muted",
					children: [" turn ", line.turnId]
				}) : null]
			})
		]
	});
}
// src/pages/audit/verify.tsx
/** Checks the chain from the first line to the last, and says what was found. */
function Verify() {
	const [busy, work] = d(false);
	const [found, tell] = d(null);
	const verify = async () => {
		work(true);
		tell(await get("/api/audit/verify").catch((error) => new Error(said(error))));
		work(false);
	};
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Button, {
		icon: "shield",
		busy,
		onClick: verify,
		"data-tour": "audit-verify",
		children: "Verify the chain"
	}), found ? /* @__PURE__ */ a(Dialog, {
		title: found instanceof Error ? "The chain could not be checked" : found.ok ? "The chain holds" : "The chain is broken",
		onClose: () => tell(null),
		children: [found instanceof Error ? /* @__PURE__ */ a("p", { children: found.message }) : /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a("p", {
				class: `audit-verdict ${found.ok ? "good" : "bad"}`,
				role: "status",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: found.ok ? "check" : "warn",
						size: 22
					}),
					" ",
					chainInWords(found)
				]
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: found.ok ? "Each line carries a hash over itself and the line before. Whoever changes one has to change all that follow." : "Somebody or something has changed the store. Compare it with audit.jsonl of the data folder, or with a backup."
			}),
			found.first_bad_seq ? /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
				href: at("audit", [], { before: String(found.first_bad_seq + 1) }),
				onClick: () => tell(null),
				children: ["Look at the lines before line ", found.first_bad_seq + 1]
			}) }) : null
		] }), /* @__PURE__ */ a("div", {
			class: "row",
			children: [/* @__PURE__ */ a("span", { class: "spring" }), /* @__PURE__ */ a(Button, {
				kind: "primary",
				onClick: () => tell(null),
				children: "Close"
			})]
		})]
	}) : null] });
}
// src/pages/audit.tsx
/** The record of every decision: filtered, page by page, checked, exported and replayed. */
var PAGE = 100;
var POLL_MS = 3e3;
async function ask(view, signal) {
	const { filters, before, after } = view;
	const query = {
		...filters,
		limit: PAGE,
		newest_first: after === null,
		before_seq: before ?? void 0,
		after_seq: after ?? void 0
	};
	const found = await get("/api/audit", {
		query,
		signal
	});
	if (after === null) return found;
	const lines = found.lines.toReversed();
	if (lines.length < PAGE) return ask({
		...view,
		after: null
	}, signal);
	return {
		lines,
		next: after + 1
	};
}
function Audit() {
	const view = readView(route.value.query);
	const [follow, setFollow] = d(false);
	const [replaying, replay] = d(false);
	const lines = useLoad((signal) => ask(view, signal), [JSON.stringify({
		...view,
		line: null
	})]);
	const first = view.before === null && view.after === null;
	useReload(lines, POLL_MS, follow && first);
	const show = (change, replace = false) => go(at("audit", [], writeView({
		...view,
		...change
	})), replace);
	return /* @__PURE__ */ a("div", {
		class: "stack audit",
		children: [
			/* @__PURE__ */ a(Card, {
				title: "Decisions",
				actions: /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a(Verify, {}),
					/* @__PURE__ */ a("a", {
						class: "button",
						href: exportAddress(view.filters),
						download: "audit.jsonl",
						"data-tour": "audit-export",
						children: [/* @__PURE__ */ a(Icon, {
							name: "download",
							size: 16
						}), isFiltered(view) ? "Export filtered" : "Export"]
					}),
					/* @__PURE__ */ a(Button, {
						icon: "refresh",
						onClick: () => replay(true),
						children: "Replay…"
					})
				] }),
				children: /* @__PURE__ */ a(Filters, {
					view,
					onChange: (next) => go(at("audit", [], writeView(next)), true)
				})
			}),
			/* @__PURE__ */ a(Card, {
				tour: "audit-lines",
				class: "audit-lines",
				children: /* @__PURE__ */ a(Shown, {
					of: lines,
					children: (data) => /* @__PURE__ */ a($, { children: [
						/* @__PURE__ */ a("div", {
							class: "row audit-bar",
							children: [
								/* @__PURE__ */ a("p", {
									class: "hint",
									role: "status",
									children: counted(data, first)
								}),
								/* @__PURE__ */ a("span", { class: "spring" }),
								first ? /* @__PURE__ */ a(Switch, {
									label: "Follow",
									checked: follow,
									onChange: setFollow
								}) : null
							]
						}),
						data.lines.length ? /* @__PURE__ */ a(Table, {
							lines: data.lines,
							view
						}) : /* @__PURE__ */ a(Nothing, { view }),
						/* @__PURE__ */ a("nav", {
							class: "row",
							"aria-label": "Pages of the audit",
							children: [
								/* @__PURE__ */ a(Button, {
									disabled: first,
									onClick: () => show({
										before: null,
										after: null
									}),
									children: "Newest"
								}),
								/* @__PURE__ */ a(Button, {
									disabled: first || !data.lines.length,
									onClick: () => show({
										before: null,
										after: data.lines[0].seq
									}),
									children: "Newer"
								}),
								/* @__PURE__ */ a(Button, {
									disabled: data.next === null || !data.lines.length,
									onClick: () => show({
										after: null,
										before: data.lines.at(-1).seq
									}),
									children: "Older"
								})
							]
						})
					] })
				})
			}),
			view.line !== null ? /* @__PURE__ */ a(LineDialog, {
				seq: view.line,
				onShow: (line) => show({ line }, true),
				onClose: () => show({ line: null })
			}, view.line) : null,
			replaying ? /* @__PURE__ */ a(Replay, {
				session: view.filters.session,
				onClose: () => replay(false)
			}) : null
		]
	});
}
function counted({ lines, next }, first) {
	if (!lines.length) return "No lines";
	const from = lines[0].seq.toLocaleString();
	const to = lines.at(-1).seq.toLocaleString();
	if (lines.length === 1) return `Line ${from}`;
	return `${lines.length} lines, ${from} down to ${to}${first ? ", the newest first" : ""}${next === null ? "; there are no older ones" : ""}`;
}
function Nothing({ view }) {
	if (isFiltered(view)) return /* @__PURE__ */ a(Empty, {
		icon: "search",
		title: "No line fits these filters",
		children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("audit"),
			children: "Clear them"
		}) })
	});
	return /* @__PURE__ */ a(Empty, {
		icon: "audit",
		title: "Nothing has been decided yet",
		children: /* @__PURE__ */ a("p", { children: [
			"Every call, whoever makes it, leaves a line here: what was asked, which rule spoke, how it ended.",
			/* @__PURE__ */ a("br", {}),
			/* @__PURE__ */ a("a", {
				href: at("tools"),
				children: "Try a tool"
			}),
			" or ",
			/* @__PURE__ */ a("a", {
				href: at("chat"),
				children: "ask something"
			}),
			", then look again."
		] })
	});
}
export { Audit as default };
