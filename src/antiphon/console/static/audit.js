import { d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { c as said, o as post, r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { r as toast } from "./toasts.js";
import { n as SavedRequests, t as CallMenu } from "./call-menu.js";
import { t as Drawer } from "./drawer.js";
import { n as Icon } from "./icons.js";
import { a as Empty, c as Json, d as Shown, i as CopyButton, n as Button, o as Field, p as Switch, t as Badge, u as Problem } from "./kit.js";
import { t as useReload } from "./poll.js";
/* empty css     */
import { i as useRules, r as ruleAbout } from "./rules.js";
import { t as FilterChips } from "./filter-chips.js";
import { a as fullTime, i as duration, r as clockTime } from "./time.js";
import { t as address } from "./address.js";
import { t as GateList } from "./gates.js";
import { n as isRecord } from "./readable.js";
import { U as Dialog } from "./start.js";
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
	tool_decision: t("Decided, not run"),
	tool_execution: t("Ran"),
	tool_replayed: t("Replayed"),
	tool_detached: t("Answered early"),
	tool_reconciled: t("Recovered after a crash"),
	tool_unknown: t("Cut short by a crash"),
	task_not_run: t("Task not run"),
	turn_completed: t("Turn completed"),
	session_started: t("Session started"),
	session_resumed: t("Session resumed"),
	session_ended: t("Session ended"),
	confirmation_resolved: t("Approval answered"),
	confirmation_refused: t("Answer not accepted"),
	intent_refused: t("Intent refused"),
	registry_mismatch: t("Tools changed"),
	provider_fault: t("Provider fault"),
	line_changed: t("Reconnected to the model")
};
var DECISIONS = {
	run: t("Run"),
	refuse: t("Refuse"),
	confirm: t("Ask first"),
	replay: t("Replay"),
	wait: t("Wait")
};
var eventInWords = (event) => EVENTS[event] ?? event.replaceAll("_", " ");
var decisionInWords = (decision) => DECISIONS[decision] ?? decision;
/** A line as one sentence. */
function lineInWords(line) {
	const tool = line.toolId || t("a tool without a name");
	const error = line.errorType ?? "";
	const time = typeof line.duration === "number" ? duration(line.duration) : "";
	switch (line.decision) {
		case "refuse": return error ? t("{tool} was refused by the rule {rule} ({error}).", {
			tool,
			rule: line.rule ?? "",
			error
		}) : t("{tool} was refused by the rule {rule}.", {
			tool,
			rule: line.rule ?? ""
		});
		case "confirm": return t("{tool} waited for approval.", { tool });
		case "replay": return t("{tool} was answered from the record of the same call.", { tool });
		case "wait": return t("{tool} was already running; this call waited for it.", { tool });
		case "run":
		case "recover":
			if (line.ok === false) return error ? t("{tool} ran and failed ({error}).", {
				tool,
				error
			}) : t("{tool} ran and failed.", { tool });
			return time ? t("{tool} ran in {time}.", {
				tool,
				time
			}) : t("{tool} ran.", { tool });
		default: return line.toolId ? `${eventInWords(line.event)}: ${line.toolId}` : eventInWords(line.event);
	}
}
function chainInWords(chain) {
	if (chain.ok) return chain.count ? plural(chain.count, "The only line is intact.", "All {count} lines are intact: none was changed, moved, added or removed.") : t("The audit is empty.");
	return `${t("The chain is broken: {problem}.", { problem: chain.problem ?? "" })} ${plural(chain.count, "{count} line before it is intact.", "{count} lines before it are intact.")}`;
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
		else wrong[name] = name.includes(".") ? t("Enter a number from 0, or none.") : t("Enter a number from 0.");
	}
	return {
		policy,
		wrong
	};
}
// src/pages/audit/filters.tsx
/** What people look for most. */
var READY = [
	{
		title: t("Refusals"),
		values: () => ({ decision: "refuse" })
	},
	{
		title: t("Failures"),
		values: () => ({
			event: "tool_execution",
			ok: "false"
		})
	},
	{
		title: t("Approvals"),
		values: () => ({ event: "confirmation_resolved" })
	},
	{
		title: t("Last hour"),
		values: () => ({ since: (/* @__PURE__ */ new Date(Date.now() - 36e5)).toISOString().slice(0, 16) + "Z" })
	}
];
var options = (words) => Object.entries(words).map(([value, label]) => ({
	value,
	label
}));
var moment = {
	type: "datetime-local",
	read: toLocal,
	write: fromLocal,
	show: (value) => fullTime(new Date(value).getTime() / 1e3)
};
var toolNames = () => get("/api/tools").then((found) => found.tools.map((tool) => tool.toolId));
function Filters({ view, onChange, children }) {
	const rules = useRules().data?.gates.flatMap((gate) => gate.rules.map((rule) => ({
		value: rule.id,
		label: rule.id,
		group: gate.title
	}))) ?? [];
	const choices = [
		{
			id: "tool",
			label: t("Tool"),
			suggest: toolNames
		},
		{
			id: "decision",
			label: t("Decision"),
			options: options(DECISIONS)
		},
		rules.length ? {
			id: "rule",
			label: t("Rule"),
			options: rules
		} : {
			id: "rule",
			label: t("Rule")
		},
		{
			id: "ok",
			label: t("Outcome"),
			options: [{
				value: "true",
				label: t("Succeeded")
			}, {
				value: "false",
				label: t("Failed or refused")
			}]
		},
		{
			id: "event",
			label: t("Event"),
			options: options(EVENTS)
		},
		{
			id: "session",
			label: t("Session ID")
		},
		{
			id: "since",
			label: t("From"),
			...moment
		},
		{
			id: "until",
			label: t("To"),
			...moment
		}
	];
	return /* @__PURE__ */ a(FilterChips, {
		label: t("Filters"),
		tour: "audit-filters",
		filters: choices,
		values: view.filters,
		ready: READY,
		onChange: (values) => onChange(filtered(view, values)),
		children
	});
}
// src/pages/audit/line.tsx
function LineDetail({ seq }) {
	const found = useLoad((signal) => get(`/api/audit/${seq}`, { signal }), [seq]);
	const rules = useRules().data;
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: ({ line, gates }) => /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a("p", { children: [
				/* @__PURE__ */ a("strong", { children: lineInWords(line) }),
				" ",
				line.rule && line.rule !== "run" ? /* @__PURE__ */ a("span", {
					class: "muted",
					children: ruleAbout(rules, line.rule)
				}) : null
			] }),
			/* @__PURE__ */ a(Facts, { line }),
			gates.length ? /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("h3", { children: t("Arguments") }),
				/* @__PURE__ */ a(Json, {
					value: line.args ?? null,
					label: t("Arguments")
				}),
				/* @__PURE__ */ a("h3", { children: t("Gates") }),
				/* @__PURE__ */ a(GateList, {
					gates,
					rules
				})
			] }) : null,
			/* @__PURE__ */ a("details", {
				open: !gates.length,
				children: [
					/* @__PURE__ */ a("summary", { children: t("Stored line") }),
					/* @__PURE__ */ a(Json, {
						value: line,
						label: t("Line {number} as JSON", { number: String(line.seq) })
					}),
					/* @__PURE__ */ a("p", {
						class: "hint audit-hash",
						children: t("The hash covers this line and the hash of the line before it.")
					})
				]
			}),
			line.toolId && isRecord(line.args) ? /* @__PURE__ */ a(CallMenu, { call: {
				tool: line.toolId,
				args: line.args,
				mode: line.mode === "voice" ? "voice" : "text"
			} }) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: /* @__PURE__ */ a(CopyButton, {
					text: () => JSON.stringify(line, null, 2),
					label: t("Copy JSON")
				})
			})
		] })
	});
}
function Facts({ line }) {
	return /* @__PURE__ */ a("dl", {
		class: "facts",
		children: [
			/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Time") }), /* @__PURE__ */ a("dd", { children: fullTime(line.at) })] }),
			line.sessionId ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Session") }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("a", {
				href: at("sessions", [line.sessionId], { line: String(line.seq) }),
				title: line.sessionId,
				children: line.sessionId.slice(0, 12)
			}), line.turnId ? `, ${t("turn {number}", { number: line.turnId })}` : ""] })] }) : null,
			line.toolId ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Tool") }), /* @__PURE__ */ a("dd", { children: [
				/* @__PURE__ */ a("a", {
					href: at("tools", [line.toolId]),
					children: line.toolId
				}),
				" ",
				String(line["toolVersion"] ?? "")
			] })] }) : null,
			line.user ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("User") }), /* @__PURE__ */ a("dd", { children: line.user })] }) : null,
			line.mode ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Mode") }), /* @__PURE__ */ a("dd", { children: line.mode === "voice" ? t("Voice") : t("Text") })] }) : null,
			line.rule ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Rule") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", {
				href: at("audit", [], { rule: line.rule }),
				children: line.rule
			}) })] }) : null,
			typeof line.duration === "number" ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Duration") }), /* @__PURE__ */ a("dd", { children: duration(line.duration) })] }) : null
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
		title: t("Replay"),
		onClose,
		class: "audit-dialog",
		children: [
			/* @__PURE__ */ a("p", { children: t("Recorded calls are evaluated again with today's tools and limits, or with the limits below. Nothing runs and nothing is recorded.") }),
			/* @__PURE__ */ a(Field, {
				label: t("Range"),
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
						children: t("Last {count} lines", { count: Number(count) })
					}, count))
				})
			}),
			session ? /* @__PURE__ */ a(Switch, {
				label: t("Only the filtered session"),
				checked: only,
				onChange: setOnly
			}) : null,
			/* @__PURE__ */ a("details", {
				class: "audit-numbers",
				children: [
					/* @__PURE__ */ a("summary", { children: t("Override limits") }),
					/* @__PURE__ */ a("p", {
						class: "hint",
						children: t("Leave a field empty to keep today's limit. Enter none for no limit.")
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
					children: t("Re-evaluate")
				}), /* @__PURE__ */ a(Button, {
					onClick: onClose,
					children: t("Close")
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
	if (!compared) return /* @__PURE__ */ a("p", { children: t("These lines contain no decisions.") });
	return /* @__PURE__ */ a("div", {
		class: "stack",
		ref: box,
		children: [
			/* @__PURE__ */ a("p", {
				class: `audit-verdict ${different ? "warn" : "good"}`,
				children: different ? t("{different} of {count} decisions would change.", {
					different,
					count: compared
				}) : t("None of {count} decisions would change.", { count: compared })
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [plural(sessions, "{count} session, lines {from} to {to}, tools {version}.", "{count} sessions, lines {from} to {to}, tools {version}.", {
					from: String(report.from_seq),
					to: String(report.to_seq),
					version: report.registry_version
				}), assumed.length ? ` ${t("Not in the record, so assumed unchanged: {rules}.", { rules: assumed.map(([rule, count]) => `${rule} (${count})`).join(", ") })}` : ""]
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
						" → ",
						/* @__PURE__ */ a("code", { children: change.now })
					] }, `${change.recorded} ${change.now}`))
				}),
				/* @__PURE__ */ a("div", {
					class: "table-box",
					children: /* @__PURE__ */ a("table", { children: [
						/* @__PURE__ */ a("caption", {
							class: "hidden-visually",
							children: t("Calls whose decision would change")
						}),
						/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
							/* @__PURE__ */ a("th", {
								scope: "col",
								class: "number",
								children: t("Line")
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: t("Tool")
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: t("Then")
							}),
							/* @__PURE__ */ a("th", {
								scope: "col",
								children: t("Now")
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
								decisionInWords(each.recorded.decision),
								" ",
								/* @__PURE__ */ a("code", { children: each.recorded.rule })
							] }),
							/* @__PURE__ */ a("td", { children: [
								decisionInWords(each.now.decision),
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
					children: rich("The first {count} are shown. {command} lists them all.", {
						count: SHOWN,
						command: /* @__PURE__ */ a("code", { children: "antiphon audit replay --json" })
					})
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
		class: "table-box audit-box",
		children: /* @__PURE__ */ a("table", {
			class: "audit-table",
			children: [
				/* @__PURE__ */ a("caption", {
					class: "hidden-visually",
					children: t("Audit lines. Select a line number to open it.")
				}),
				/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number",
						children: t("Line")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number audit-wide audit-time",
						children: t("Time")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: t("Event")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: t("Tool")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: t("Decision")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: t("Error")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number audit-wide",
						children: t("Duration")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "audit-wide",
						children: t("Session")
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
	const here = view.line === line.seq;
	const row = T(null);
	A(() => {
		if (here) row.current?.scrollIntoView({ block: "nearest" });
	}, [here]);
	return /* @__PURE__ */ a("tr", {
		ref: row,
		class: here ? "is-open" : "",
		"aria-current": here ? "true" : void 0,
		children: [
			/* @__PURE__ */ a("td", {
				class: "number",
				children: /* @__PURE__ */ a("a", {
					class: "audit-open",
					href: at("audit", [], writeView({
						...view,
						line: line.seq
					})),
					"aria-label": t("Line {number}", { number: String(line.seq) }),
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
					class: "muted audit-event",
					children: eventInWords(line.event)
				}), /* @__PURE__ */ a("small", {
					class: "muted number audit-narrow",
					children: time
				})]
			}),
			/* @__PURE__ */ a("td", { children: [line.decision ? /* @__PURE__ */ a(Badge, {
				kind: failed ? "bad" : KINDS[line.decision] ?? "plain",
				children: failed ? t("Failed") : decisionInWords(line.decision)
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
					children: [" ", t("turn {number}", { number: line.turnId })]
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
		kind: "quiet",
		icon: "shield",
		busy,
		onClick: verify,
		"data-tour": "audit-verify",
		children: t("Verify")
	}), found ? /* @__PURE__ */ a(Dialog, {
		title: found instanceof Error ? t("The chain could not be verified") : found.ok ? t("The chain is intact") : t("The chain is broken"),
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
				children: found.ok ? t("Each line carries a hash over itself and the line before it, so no line can be changed without changing all that follow.") : t("The store was changed. Compare it with audit.jsonl in the data folder, or with a backup.")
			}),
			found.first_bad_seq ? /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
				href: at("audit", [], { line: String(found.first_bad_seq) }),
				onClick: () => tell(null),
				children: t("Show line {number}", { number: String(found.first_bad_seq) })
			}) }) : null
		] }), /* @__PURE__ */ a("div", {
			class: "row",
			children: [/* @__PURE__ */ a("span", { class: "spring" }), /* @__PURE__ */ a(Button, {
				kind: "primary",
				onClick: () => tell(null),
				children: t("Close")
			})]
		})]
	}) : null] });
}
// src/pages/audit.tsx
/** The record of every decision: filtered, page by page, checked, exported and replayed. */
var PAGE = 100;
var POLL_MS = 3e3;
async function ask(view, signal, limit = PAGE) {
	const { filters, before, after, line } = view;
	const query = {
		...filters,
		limit,
		newest_first: after === null,
		before_seq: before ?? void 0,
		after_seq: after ?? void 0
	};
	const found = await get("/api/audit", {
		query,
		...signal ? { signal } : {}
	});
	if (after === null) {
		const last = found.lines.at(-1);
		if (line !== null && before === null && last && line < last.seq) return ask({
			...view,
			before: line + PAGE / 2
		}, signal);
		return found;
	}
	const lines = found.lines.toReversed();
	if (lines.length < limit) return ask({
		...view,
		after: null,
		line: null
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
		class: "with-drawer audit",
		children: [
			/* @__PURE__ */ a("div", {
				class: "stack audit-main",
				children: [/* @__PURE__ */ a(Filters, {
					view,
					onChange: (next) => go(at("audit", [], writeView(next)), true),
					children: [
						first ? /* @__PURE__ */ a(Switch, {
							label: t("Follow"),
							checked: follow,
							onChange: setFollow
						}) : null,
						/* @__PURE__ */ a(SavedRequests, {}),
						/* @__PURE__ */ a(Verify, {}),
						/* @__PURE__ */ a(Button, {
							kind: "quiet",
							icon: "refresh",
							onClick: () => replay(true),
							children: t("Replay")
						}),
						/* @__PURE__ */ a("a", {
							class: "button quiet",
							href: exportAddress(view.filters),
							download: "audit.jsonl",
							"data-tour": "audit-export",
							children: [/* @__PURE__ */ a(Icon, {
								name: "download",
								size: 16
							}), isFiltered(view) ? t("Export filtered") : t("Export")]
						})
					]
				}), /* @__PURE__ */ a("section", {
					class: "stack audit-lines",
					"aria-label": t("Lines"),
					"data-tour": "audit-lines",
					children: /* @__PURE__ */ a(Shown, {
						of: lines,
						children: (data) => /* @__PURE__ */ a($, { children: [data.lines.length ? /* @__PURE__ */ a(Table, {
							lines: data.lines,
							view
						}) : /* @__PURE__ */ a(Nothing, { view }), /* @__PURE__ */ a("nav", {
							class: "row",
							"aria-label": t("Pages of the audit"),
							children: [
								/* @__PURE__ */ a("p", {
									class: "hint",
									role: "status",
									children: counted(data, first)
								}),
								/* @__PURE__ */ a("span", { class: "spring" }),
								/* @__PURE__ */ a(Button, {
									disabled: first,
									onClick: () => show({
										before: null,
										after: null
									}),
									children: t("Newest")
								}),
								/* @__PURE__ */ a(Button, {
									disabled: first || !data.lines.length,
									onClick: () => show({
										before: null,
										after: data.lines[0].seq
									}),
									children: t("Newer")
								}),
								/* @__PURE__ */ a(Button, {
									disabled: data.next === null || !data.lines.length,
									onClick: () => show({
										after: null,
										before: data.lines.at(-1).seq
									}),
									children: t("Older")
								})
							]
						})] })
					})
				})]
			}),
			view.line !== null ? /* @__PURE__ */ a(Chosen, {
				view,
				lines: lines.data?.lines ?? [],
				onShow: show
			}) : null,
			replaying ? /* @__PURE__ */ a(Replay, {
				session: view.filters.session,
				onClose: () => replay(false)
			}) : null
		]
	});
}
/** The line that is looked at; its neighbours are those that the filters leave, on whatever page. */
function Chosen({ view, lines, onShow }) {
	const seq = view.line;
	const here = lines.findIndex((line) => line.seq === seq);
	const step = async (down) => {
		const near = here < 0 ? void 0 : lines[here + (down ? 1 : -1)];
		if (near) return onShow({ line: near.seq }, true);
		const place = down ? {
			before: seq,
			after: null
		} : {
			before: null,
			after: seq
		};
		try {
			const query = {
				...view.filters,
				limit: 1,
				newest_first: down,
				before_seq: place.before ?? void 0,
				after_seq: place.after ?? void 0
			};
			const [next] = (await get("/api/audit", { query })).lines;
			if (next) onShow({
				...place,
				line: next.seq
			}, true);
		} catch (error) {
			toast(said(error), { kind: "bad" });
		}
	};
	return /* @__PURE__ */ a(Drawer, {
		title: t("Line {number}", { number: String(seq) }),
		class: "audit-drawer",
		onClose: () => onShow({ line: null }),
		onPrev: () => void step(false),
		onNext: () => void step(true),
		children: /* @__PURE__ */ a(LineDetail, { seq })
	});
}
function counted({ lines, next }, first) {
	if (!lines.length) return t("No lines");
	const from = lines[0].seq;
	const to = lines.at(-1).seq;
	return [
		plural(lines.length, "Line {from}", "{count} lines, {from} to {to}", {
			from,
			to
		}),
		first ? t("newest first") : "",
		next === null ? t("no older lines") : ""
	].filter(Boolean).join(" · ");
}
function Nothing({ view }) {
	if (isFiltered(view)) return /* @__PURE__ */ a(Empty, {
		icon: "search",
		title: t("No line matches these filters"),
		children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("audit"),
			children: t("Clear filters")
		}) })
	});
	return /* @__PURE__ */ a(Empty, {
		icon: "audit",
		title: t("No decisions yet"),
		children: [/* @__PURE__ */ a("p", { children: t("Every call leaves a line here: what was asked, which rule decided, and how it ended.") }), /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("tools"),
			children: t("Try a tool")
		}) })]
	});
}
export { Audit as default };
