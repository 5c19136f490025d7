import { d, l as T, m as $, o as A, p as w, t as a } from "./vendor-preact.js";
import { r as get, t as ApiError } from "./http.js";
import { n as usePages, t as Older } from "./older.js";
import { l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { n as useNarrow, t as Drawer } from "./drawer.js";
import { r as useLoad } from "./load.js";
import { r as putIntoAddress, t as FilterChips } from "./filter-chips.js";
import { n as Icon } from "./icons.js";
import { a as Empty, c as Json, d as Shown, i as CopyButton, n as Button, t as Badge, u as Problem } from "./kit.js";
import { t as useReload } from "./poll.js";
import { a as fullTime, i as duration, n as briefAgo, r as clockTime, t as ago } from "./time.js";
import { i as useRules, t as gateTitle } from "./rules.js";
import { i as conversation, o as talking } from "./talk.js";
import { t as CallMenu } from "./call-menu.js";
import { n as GateStrip, t as GateList } from "./gates.js";
import { n as isRecord } from "./readable.js";
import { t as Figure } from "./figure.js";
import "./start.js";
/* empty css     */
// src/pages/sessions/shapes.ts
var readFilters = (query) => ({
	mode: query.get("mode") ?? "",
	live: query.get("live") ?? "",
	user: query.get("user") ?? ""
});
var SHARED = {
	"rest-text": t("Calls over HTTP, text mode"),
	"rest-voice": t("Calls over HTTP, voice mode")
};
/** Its first words. Where it has none of its own, it made calls only, or continues what was written elsewhere. */
var titleOf = (session) => SHARED[session.id] ?? (session.about || (session.mode === "voice" ? t("Voice session") : t("Text session")));
var MODELS = {
	local: t("Built-in model"),
	gemini: "Gemini",
	openai: "OpenAI",
	claude: "Claude"
};
/** The model's side, as people call it; empty where no model took part. */
var modelName = (provider) => provider ? MODELS[provider] ?? provider : "";
/** How it stands, in a word, and what the word means. */
function standing(session) {
	if (session.live) return {
		word: t("Active"),
		kind: "good",
		about: t("Open on this server right now.")
	};
	if (session.active) return {
		word: t("Idle"),
		kind: "plain",
		about: t("Nobody is in it right now. It continues with the next message.")
	};
	return {
		word: t("Ended"),
		kind: "plain",
		about: t("It was ended. A new session can continue the conversation.")
	};
}
var MARKS = {
	time_to_first_audio: t("first sound"),
	time_to_first_text: t("first words"),
	turn_gap: t("unplayed speech"),
	barge_in_stop: t("silent after interruption"),
	duration: t("total")
};
/** What somebody waited for in a turn, in the order in which it is noticed. */
function marksOf(turn) {
	return Object.keys(MARKS).filter((name) => name in turn.marks).map((name) => ({
		name,
		title: MARKS[name],
		value: duration(turn.marks[name])
	}));
}
var text = (value) => typeof value === "string" ? value : "";
/** One line of the audit that is no call, as a sentence. */
function noteInWords({ event, tool, details }) {
	const name = tool ?? t("a tool");
	const backend = text(details["backend"]);
	const exact = text(details["model"]);
	const model = [modelName(backend || null), exact && exact !== backend ? `(${exact})` : ""].filter(Boolean).join(" ");
	const reason = text(details["reason"]).replaceAll("_", " ");
	switch (event) {
		case "session_started": return model ? t("Session started with {model}.", { model }) : t("Session started.");
		case "session_resumed": return model ? t("Session resumed with {model}.", { model }) : t("Session resumed.");
		case "session_ended": return reason ? t("Session ended: {reason}.", { reason }) : t("Session ended.");
		case "line_changed": return details["resumed"] ? t("The connection to the model was lost and resumed.") : t("The connection to the model was lost. A new one was told what was said.");
		case "provider_fault": return t("The model's provider reported a fault: {reason}.", { reason: [text(details["kind"]), text(details["detail"])].filter(Boolean).join(", ").replace(/\.$/, "") });
		case "confirmation_resolved": return t("Approval of {tool}: {outcome}.", {
			tool: name,
			outcome: [text(details["outcome"]) || t("closed"), text(details["via"])].filter(Boolean).join(", ")
		});
		case "confirmation_refused": return t("An answer about {tool} was not accepted: {reason}.", {
			tool: name,
			reason
		});
		case "registry_mismatch": return t("The tools changed during the session.");
		case "intent_refused": return t("A tool tried to change the session and was not allowed to: {reason}.", { reason });
		case "tool_unknown": return t("{tool} was running when the server stopped. Its outcome is unknown.", { tool: name });
		case "task_not_run": return t("The background task of {tool} did not run: {reason}.", {
			tool: name,
			reason: text(details["type"])
		});
		default: return `${event.replaceAll("_", " ")}${tool ? ` (${tool})` : ""}`;
	}
}
/** What came of the calls of some turns. */
function tally(turns) {
	const found = {
		calls: 0,
		ran: 0,
		failed: 0,
		refused: 0,
		asked: 0,
		replayed: 0,
		stops: {}
	};
	for (const entry of turns.flatMap((turn) => turn.entries)) {
		if (entry.kind !== "call") continue;
		found.calls++;
		const end = entry.gates.find((gate) => gate.outcome === "stopped" || gate.outcome === "asked");
		if (end) found.stops[end.id] = (found.stops[end.id] ?? 0) + 1;
		if (entry.replayed) found.replayed++;
		else if (entry.decision === "confirm") found.asked++;
		else if (entry.decision === "refuse") found.refused++;
		else {
			found.ran++;
			if (entry.ok === false && !entry.detached) found.failed++;
		}
	}
	return found;
}
/** How a call ended, in a word. */
function verdictOf(call) {
	if (call.replayed) return {
		word: t("replayed"),
		kind: "accent"
	};
	if (call.decision === "wait") return {
		word: t("waited"),
		kind: "plain"
	};
	if (call.decision === "confirm") return {
		word: t("asked first"),
		kind: "warn"
	};
	if (call.decision === "refuse") return {
		word: t("refused"),
		kind: "bad"
	};
	if (call.detached) return {
		word: t("still running"),
		kind: "plain"
	};
	return call.ok === false ? {
		word: t("failed"),
		kind: "bad"
	} : {
		word: t("done"),
		kind: "good"
	};
}
// src/pages/sessions/gate-summary.tsx
/** What came of all calls, gate by gate. Without calls it explains the gates. */
function GateSummary({ turns }) {
	const rules = useRules();
	const { calls, ran, failed, refused, asked, replayed, stops } = tally(turns);
	const parts = [
		ran ? t("{count} ran", { count: ran }) : "",
		failed ? t("{count} failed", { count: failed }) : "",
		refused ? t("{count} refused", { count: refused }) : "",
		asked ? t("{count} asked first", { count: asked }) : "",
		replayed ? t("{count} replayed", { count: replayed }) : ""
	].filter(Boolean).join(", ");
	return /* @__PURE__ */ a("details", {
		class: "sessions-gates",
		"data-tour": "sessions-gates",
		children: [/* @__PURE__ */ a("summary", { children: [/* @__PURE__ */ a("h3", { children: t("Gates") }), /* @__PURE__ */ a("span", {
			class: "hint",
			children: calls ? `${plural(calls, "{count} call", "{count} calls")}: ${parts}` : t("Every call passes these checks in order.")
		})] }), /* @__PURE__ */ a(Shown, {
			of: rules,
			children: ({ gates }) => /* @__PURE__ */ a("ol", {
				class: "sessions-chain",
				children: gates.map((gate) => /* @__PURE__ */ a("li", {
					class: stops[gate.id] ? "stops" : "",
					title: gate.rules.map((rule) => `${rule.id}: ${rule.about}`).join("\n"),
					children: [gateTitle(rules.data, gate.id), stops[gate.id] ? /* @__PURE__ */ a("b", {
						class: "number",
						children: [
							" ",
							stops[gate.id],
							/* @__PURE__ */ a("span", {
								class: "hidden-visually",
								children: [" ", t("stopped")]
							})
						]
					}) : null]
				}, gate.id))
			})
		})]
	});
}
// src/pages/sessions/resume.tsx
/** How a conversation is continued, where that can be done. */
function Resume({ session }) {
	const open = talking.value && conversation.value?.conversationId.value === session.id;
	if (!open && !session.about) return /* @__PURE__ */ a("p", {
		class: "hint",
		"data-tour": "sessions-resume",
		children: t("Nothing was said in this session; it only made calls.")
	});
	return /* @__PURE__ */ a("div", {
		class: "row",
		"data-tour": "sessions-resume",
		children: [/* @__PURE__ */ a("a", {
			class: "button primary",
			href: at("chat", [session.id]),
			children: [/* @__PURE__ */ a(Icon, {
				name: "chat",
				size: 16
			}), t("Open conversation")]
		}), /* @__PURE__ */ a("span", {
			class: "hint",
			children: open ? t("This conversation is open in this tab.") : t("Read it and continue where you left off.")
		})]
	});
}
// src/pages/sessions/turns.tsx
/** `under` is the number of the turn that goes on right now. */
function Turns({ turns, session, under }) {
	const rules = useRules().data;
	const line = Number(route.value.query.get("line") ?? 0);
	return /* @__PURE__ */ a("ol", {
		class: "sessions-turns",
		children: turns.map((turn) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(OneTurn, {
			turn,
			session,
			rules,
			line,
			goesOn: turn.number === under
		}) }, turn.number))
	});
}
function OneTurn({ turn, session, rules, line, goesOn }) {
	const marks = marksOf(turn);
	const heading = `turn-${turn.number}`;
	return /* @__PURE__ */ a("section", {
		class: "sessions-turn",
		"aria-labelledby": heading,
		children: [/* @__PURE__ */ a("header", {
			class: "row",
			children: [
				/* @__PURE__ */ a("h3", {
					id: heading,
					children: t("Turn {number}", { number: turn.number })
				}),
				/* @__PURE__ */ a("time", {
					class: "muted number",
					title: fullTime(turn.started_at),
					children: clockTime(turn.started_at)
				}),
				turn.finish && turn.finish !== "complete" ? /* @__PURE__ */ a(Badge, {
					kind: "warn",
					children: turn.finish.replaceAll("_", " ")
				}) : null,
				goesOn && turn.finish === null ? /* @__PURE__ */ a(Badge, {
					kind: "good",
					children: t("in progress")
				}) : null,
				marks.map((mark) => /* @__PURE__ */ a("span", {
					class: "sessions-mark",
					"data-mark": mark.name,
					children: [
						/* @__PURE__ */ a(Icon, {
							name: "clock",
							size: 13
						}),
						mark.title,
						" ",
						/* @__PURE__ */ a("b", {
							class: "number",
							children: mark.value
						})
					]
				}, mark.name)),
				turn.tokens ? /* @__PURE__ */ a("span", {
					class: "sessions-mark",
					children: t("{input} tokens in, {output} out", {
						input: turn.tokens.input,
						output: turn.tokens.output
					})
				}) : null,
				turn.finish !== null ? /* @__PURE__ */ a("a", {
					class: "sessions-mark",
					href: at("traces", [session.id, String(turn.number)]),
					children: t("Trace")
				}) : null
			]
		}), /* @__PURE__ */ a("ol", {
			class: "sessions-entries",
			children: turn.entries.map((entry, index) => /* @__PURE__ */ a("li", {
				class: `is-${entry.kind}`,
				children: /* @__PURE__ */ a(OneEntry, {
					entry,
					session,
					rules,
					open: entry.kind === "call" && entry.seq === line
				})
			}, entry.kind === "said" ? `said-${index}` : entry.seq))
		})]
	});
}
function OneEntry({ entry, session, rules, open }) {
	if (entry.kind === "said") return /* @__PURE__ */ a(Words, { said: entry });
	if (entry.kind === "image") return /* @__PURE__ */ a(Figure, { ...entry });
	if (entry.kind === "call") return /* @__PURE__ */ a(Call, {
		call: entry,
		session,
		rules,
		open
	});
	return /* @__PURE__ */ a("p", {
		class: "sessions-note",
		children: [
			/* @__PURE__ */ a(Icon, {
				name: "info",
				size: 14
			}),
			" ",
			noteInWords(entry),
			" ",
			/* @__PURE__ */ a("time", {
				class: "number",
				children: clockTime(entry.at)
			})
		]
	});
}
var WHO = {
	user: t("Person"),
	assistant: t("Agent"),
	system: t("Note to the agent")
};
function Words({ said }) {
	const heard = said.heard ?? said.text.length;
	const words = /* @__PURE__ */ a("p", {
		class: "sessions-words",
		children: [said.text.slice(0, heard), heard < said.text.length ? /* @__PURE__ */ a("span", {
			class: "muted",
			title: t("Shown, but not heard"),
			children: said.text.slice(heard)
		}) : null]
	});
	return /* @__PURE__ */ a("div", {
		class: `sessions-said by-${said.role}`,
		children: [/* @__PURE__ */ a("p", {
			class: "sessions-who",
			children: [
				/* @__PURE__ */ a(Icon, {
					name: said.channel === "voice" ? "mic" : "edit",
					size: 13
				}),
				/* @__PURE__ */ a("b", { children: WHO[said.role] }),
				" ",
				/* @__PURE__ */ a("span", { children: said.channel === "voice" ? t("by voice") : t("in writing") }),
				" ",
				/* @__PURE__ */ a("time", {
					class: "number",
					children: clockTime(said.at)
				})
			]
		}), said.role === "system" ? /* @__PURE__ */ a("details", { children: [/* @__PURE__ */ a("summary", { children: t("Results of earlier calls") }), words] }) : words]
	});
}
function Call({ call, session, rules, open }) {
	const box = T(null);
	const { word, kind } = verdictOf(call);
	A(() => {
		if (!open || !rules) return;
		box.current.open = true;
		box.current.scrollIntoView({ block: "start" });
	}, [open, rules]);
	const message = call.answer?.error?.message;
	return /* @__PURE__ */ a("details", {
		class: `sessions-call is-${kind}`,
		ref: box,
		children: [/* @__PURE__ */ a("summary", { children: [
			/* @__PURE__ */ a("span", {
				class: "row",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "tool",
						size: 15
					}),
					/* @__PURE__ */ a("code", {
						class: "sessions-tool",
						children: call.tool || t("(no name)")
					}),
					/* @__PURE__ */ a(Badge, {
						kind,
						children: word
					}),
					call.rule && call.rule !== "run" ? /* @__PURE__ */ a("code", { children: call.rule }) : null,
					call.error_type && call.decision === "run" ? /* @__PURE__ */ a("code", { children: call.error_type }) : null,
					call.source === "tool" ? /* @__PURE__ */ a("span", {
						class: "hint",
						children: t("called by another tool")
					}) : null,
					call.source === "confirmation" ? /* @__PURE__ */ a("span", {
						class: "hint",
						children: t("approved")
					}) : null,
					/* @__PURE__ */ a("span", { class: "spring" }),
					call.duration !== null ? /* @__PURE__ */ a("span", {
						class: "number muted",
						children: duration(call.duration)
					}) : null,
					/* @__PURE__ */ a("time", {
						class: "number muted",
						children: clockTime(call.at)
					})
				]
			}),
			/* @__PURE__ */ a(GateStrip, {
				gates: call.gates,
				rules
			}),
			message ? /* @__PURE__ */ a("span", {
				class: "sessions-why",
				children: message
			}) : null
		] }), /* @__PURE__ */ a("div", {
			class: "sessions-inside",
			children: [/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("h4", { children: t("Gates") }), call.gates.length ? /* @__PURE__ */ a(GateList, {
				gates: call.gates,
				rules
			}) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("A background task. It was decided when it was requested.")
			})] }), /* @__PURE__ */ a("div", { children: [
				/* @__PURE__ */ a("h4", { children: t("Arguments") }),
				/* @__PURE__ */ a(Json, {
					value: call.args,
					label: t("Arguments")
				}),
				/* @__PURE__ */ a("h4", { children: t("Result") }),
				call.answer ? /* @__PURE__ */ a(Json, {
					value: call.answer,
					label: t("Result")
				}) : /* @__PURE__ */ a("p", {
					class: "hint",
					children: call.answer_chars ? t("Too long to show here: {count} characters.", { count: call.answer_chars }) : t("The audit keeps no results. Those of a conversation are kept with it.")
				}),
				isRecord(call.args) ? /* @__PURE__ */ a(CallMenu, { call: {
					tool: call.tool,
					args: call.args,
					mode: session.mode
				} }) : null,
				/* @__PURE__ */ a("p", {
					class: "row hint",
					children: [
						/* @__PURE__ */ a("a", {
							href: at("audit", [], {
								session: session.id,
								line: String(call.seq)
							}),
							children: t("Audit line {number}", { number: String(call.seq) })
						}),
						/* @__PURE__ */ a("a", {
							href: at("tools", [call.tool]),
							children: t("About {tool}", { tool: call.tool })
						}),
						call.tool_version ? /* @__PURE__ */ a("span", { children: t("version {version}", { version: call.tool_version }) }) : null
					]
				})
			] })]
		})]
	});
}
// src/pages/sessions/detail.tsx
var POLL_MS = 3e3;
var STEPS = [
	200,
	500,
	1e3
];
function Detail({ id }) {
	const [step, deeper] = d(0);
	const newest = route.value.query.get("order") === "newest";
	const path = `/api/sessions/${encodeURIComponent(id)}`;
	const detail = useLoad((signal) => get(path, { signal }), [id]);
	const timeline = useLoad((signal) => get(`${path}/timeline`, {
		query: { limit: STEPS[step] },
		signal
	}), [id, step]);
	useReload(detail, POLL_MS, detail.data?.live === true);
	useReload(timeline, POLL_MS, detail.data?.live === true);
	if (detail.error instanceof ApiError && detail.error.status === 404) return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Problem, { error: detail.error }), /* @__PURE__ */ a("p", {
		class: "hint",
		children: [
			t("It may be in another server's data."),
			" ",
			/* @__PURE__ */ a("a", {
				href: at("sessions"),
				children: t("Show the sessions of this server")
			})
		]
	})] });
	return /* @__PURE__ */ a(Shown, {
		of: detail,
		children: (session) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Head, {
			session: {
				...session,
				about: session.about ?? firstWords(timeline.data)
			},
			timeline: timeline.data
		}), /* @__PURE__ */ a(Shown, {
			of: timeline,
			children: (data) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(GateSummary, { turns: data.turns }), /* @__PURE__ */ a("section", {
				"data-tour": "sessions-timeline",
				"aria-label": t("Timeline"),
				class: "stack",
				children: [
					data.turns.length > 1 ? /* @__PURE__ */ a("div", {
						class: "row",
						children: [
							/* @__PURE__ */ a("h3", { children: t("Timeline") }),
							/* @__PURE__ */ a("span", { class: "spring" }),
							/* @__PURE__ */ a(Button, {
								kind: "quiet",
								icon: "refresh",
								"aria-pressed": newest,
								onClick: () => putIntoAddress({ order: newest ? "" : "newest" }),
								children: t("Newest first")
							})
						]
					}) : null,
					data.next_before ? step < STEPS.length - 1 ? /* @__PURE__ */ a(Button, {
						onClick: () => deeper(step + 1),
						children: t("Show earlier turns")
					}) : /* @__PURE__ */ a("p", {
						class: "hint",
						children: [
							t("There is more than can be shown here."),
							" ",
							/* @__PURE__ */ a("a", {
								href: at("audit", [], { session: id }),
								children: t("The audit has every line")
							})
						]
					}) : null,
					data.turns.length ? /* @__PURE__ */ a(Turns, {
						turns: newest ? data.turns.toReversed() : data.turns,
						session,
						under: session.live ? session.turn : null
					}) : /* @__PURE__ */ a(Empty, {
						icon: "clock",
						title: t("Nothing has happened in this session yet")
					})
				]
			})] })
		})] })
	});
}
/** What the list shows as its title, for a session that is not in the list. */
function firstWords(timeline) {
	const words = timeline?.turns.flatMap((turn) => turn.entries).filter((entry) => entry.kind === "said") ?? [];
	return (words.find((entry) => entry.role === "user") ?? words[0])?.text ?? null;
}
function Head({ session, timeline }) {
	const { word, kind, about } = standing(session);
	const facts = [
		[t("Started"), fullTime(session.created_at)],
		[session.ended_at ? t("Ended") : t("Last active"), fullTime(session.ended_at ?? session.updated_at)],
		[t("Mode"), session.mode === "voice" ? t("Voice") : t("Text")],
		[t("User"), session.user],
		[t("Turns"), session.turn.toLocaleString()],
		[t("Tools version"), session.registry_version]
	];
	if (session.provider) facts.splice(4, 0, [t("Model"), modelName(session.provider)]);
	if (session.profile) facts.splice(5, 0, [t("Agent"), session.profile]);
	if (session.counters?.turn_calls) {
		const { turn_calls: calls, turn_tool_ms: ms } = session.counters;
		facts.push([t("This turn"), plural(calls, "{count} call, {time} in tools", "{count} calls, {time} in tools", { time: duration(ms) })]);
	}
	return /* @__PURE__ */ a("div", {
		class: "sessions-head",
		children: [
			/* @__PURE__ */ a("p", {
				class: "row",
				children: [
					/* @__PURE__ */ a(Badge, {
						kind,
						children: word
					}),
					" ",
					/* @__PURE__ */ a("span", {
						class: "hint",
						children: about
					})
				]
			}),
			/* @__PURE__ */ a("dl", {
				class: "facts",
				children: facts.map(([name, value]) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: value })] }, name))
			}),
			session.confirmations.map((asked) => /* @__PURE__ */ a("p", {
				class: "sessions-asked",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "shield",
						size: 16
					}),
					" ",
					t("Waiting for approval: {question}", { question: asked.preview }),
					" ",
					/* @__PURE__ */ a("span", {
						class: "muted",
						children: [
							"(",
							t("expires {when}", { when: ago(asked.expires_at) }),
							")"
						]
					})
				]
			}, asked.id)),
			timeline?.continued_from ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: /* @__PURE__ */ a("a", {
					href: at("sessions", [timeline.continued_from]),
					children: t("Continues an earlier session")
				})
			}) : null,
			timeline && timeline.conversation !== session.id ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: /* @__PURE__ */ a("a", {
					href: at("sessions", [timeline.conversation]),
					children: t("Spoken part of a written conversation")
				})
			}) : null,
			/* @__PURE__ */ a(Resume, { session }),
			/* @__PURE__ */ a("p", {
				class: "row sessions-links",
				children: [
					/* @__PURE__ */ a("a", {
						href: at("audit", [], { session: session.id }),
						children: t("Audit lines")
					}),
					/* @__PURE__ */ a(CopyButton, {
						text: session.id,
						label: t("Copy ID")
					}),
					/* @__PURE__ */ a("code", {
						class: "sessions-id",
						title: session.id,
						children: session.id
					})
				]
			})
		]
	});
}
// src/pages/sessions/list.tsx
var CHOICES = [
	{
		id: "mode",
		label: t("Mode"),
		options: [{
			value: "voice",
			label: t("Voice")
		}, {
			value: "text",
			label: t("Text")
		}]
	},
	{
		id: "live",
		label: t("Status"),
		options: [{
			value: "true",
			label: t("Active now")
		}, {
			value: "false",
			label: t("Idle or ended")
		}]
	},
	{
		id: "user",
		label: t("User"),
		placeholder: t("Full user name")
	}
];
function SessionList({ list, filters, chosen }) {
	const filtered = Object.values(filters).some(Boolean);
	return /* @__PURE__ */ a("section", {
		class: "stack sessions-side",
		"aria-label": t("Sessions"),
		"data-tour": "sessions-list",
		children: [/* @__PURE__ */ a(FilterChips, {
			label: t("Filters"),
			filters: CHOICES,
			values: filters,
			onChange: (values) => go(at("sessions", route.value.rest, values), true)
		}), /* @__PURE__ */ a(Shown, {
			of: list,
			children: (sessions) => {
				const people = new Set(sessions.map((session) => session.user)).size > 1;
				return sessions.length ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("p", {
						class: "hint",
						role: "status",
						children: list.more ? t("{count} newest sessions", { count: sessions.length }) : plural(sessions.length, "{count} session", "{count} sessions")
					}),
					/* @__PURE__ */ a("ul", {
						class: "rows sessions-list",
						children: sessions.map((session) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Item, {
							session,
							filters,
							here: session.id === chosen,
							people
						}) }, session.id))
					}),
					list.more ? /* @__PURE__ */ a(Older, { more: list.more }, sessions.length) : null
				] }) : /* @__PURE__ */ a(Nothing, { filtered });
			}
		})]
	});
}
/** Of thousands of rows, only those that changed are drawn anew. */
function Item(row) {
	const { session, filters, here, people } = row;
	return w(() => /* @__PURE__ */ a(Face, { ...row }), [
		session,
		JSON.stringify(filters),
		here,
		people,
		Math.floor(Date.now() / 6e4)
	]);
}
function Face({ session, filters, here, people }) {
	const { word, kind, about } = standing(session);
	const link = T(null);
	A(() => {
		if (here) link.current?.scrollIntoView({ block: "nearest" });
	}, [here]);
	return /* @__PURE__ */ a("a", {
		class: "rows-item",
		ref: link,
		href: at("sessions", [session.id], { ...filters }),
		"aria-current": here ? "true" : void 0,
		children: [
			/* @__PURE__ */ a(Icon, {
				name: session.mode === "voice" ? "mic" : "chat",
				size: 15
			}),
			/* @__PURE__ */ a("span", {
				class: "rows-title sessions-about",
				title: titleOf(session),
				children: titleOf(session)
			}),
			/* @__PURE__ */ a("span", {
				class: "rows-wide muted",
				children: modelName(session.provider)
			}),
			people ? /* @__PURE__ */ a("span", {
				class: "rows-wide muted",
				children: session.user
			}) : null,
			/* @__PURE__ */ a("span", {
				class: "rows-wide",
				title: about,
				children: /* @__PURE__ */ a(Badge, {
					kind,
					children: word
				})
			}),
			/* @__PURE__ */ a("span", {
				class: `sessions-dot ${session.live ? "is-live" : ""}`,
				title: `${word}. ${about}`,
				children: /* @__PURE__ */ a("span", {
					class: "hidden-visually",
					children: word
				})
			}),
			/* @__PURE__ */ a("time", {
				class: "number muted",
				title: fullTime(session.updated_at),
				children: briefAgo(session.updated_at)
			})
		]
	});
}
function Nothing({ filtered }) {
	if (filtered) return /* @__PURE__ */ a(Empty, {
		icon: "sessions",
		title: t("No session matches these filters"),
		children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("sessions"),
			children: t("Show all sessions")
		}) })
	});
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Empty, {
		icon: "sessions",
		title: t("No conversations yet"),
		children: [/* @__PURE__ */ a("p", {
			"data-tour": "sessions-timeline",
			children: t("Each conversation appears here turn by turn: what was said, every call, and how long it took.")
		}), /* @__PURE__ */ a("p", {
			"data-tour": "sessions-resume",
			children: /* @__PURE__ */ a("a", {
				href: at("chat"),
				children: t("Start a conversation")
			})
		})]
	}), /* @__PURE__ */ a(GateSummary, { turns: [] })] });
}
// src/pages/sessions.tsx
/** Every conversation, live and past, turn by turn. */
var PAGE = 50;
function Sessions() {
	const filters = readFilters(route.value.query);
	const list = usePages(JSON.stringify(filters), async (before, signal) => {
		const page = await get("/api/sessions", {
			query: {
				...filters,
				limit: PAGE,
				before
			},
			...signal ? { signal } : {}
		});
		return {
			items: page.sessions,
			next: page.next_before
		};
	}, (session) => session.id);
	const [closed, close] = d(false);
	const narrow = useNarrow();
	const named = route.value.rest[0] ?? "";
	const sessions = list.data ?? [];
	const chosen = named || (closed || narrow ? "" : sessions[0]?.id ?? "");
	const here = sessions.findIndex((session) => session.id === chosen);
	const open = (id) => go(at("sessions", [id], { ...filters }), true);
	const title = here >= 0 ? titleOf(sessions[here]) : t("Session");
	const older = async () => {
		const next = sessions[here + 1] ?? (await list.more())[0];
		if (next) open(next.id);
	};
	return /* @__PURE__ */ a("div", {
		class: "with-drawer sessions",
		children: [/* @__PURE__ */ a(SessionList, {
			list,
			filters,
			chosen
		}), chosen ? /* @__PURE__ */ a(Drawer, {
			class: "wide",
			title,
			onClose: () => {
				close(true);
				if (named) go(at("sessions", [], { ...filters }));
			},
			onPrev: here > 0 ? () => open(sessions[here - 1].id) : null,
			onNext: here >= 0 && (here + 1 < sessions.length || list.more) ? () => void older() : null,
			children: /* @__PURE__ */ a(Detail, { id: chosen }, chosen)
		}) : null]
	});
}
export { Sessions as default };
