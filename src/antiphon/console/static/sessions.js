const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./conversation.js","./vendor-preact.js","./zone.js","./app.js","./talk.js","./microphone.js","./http.js","./load.js","./bus.js","./player.js"])))=>i.map(i=>d[i]);
import { f as d, h as $, s as A, t as a, u as T } from "./vendor-preact.js";
import { r as get, s as said, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { i as go, r as at, s as route } from "./router.js";
import { a as Empty, c as Json, g as Icon, i as CopyButton, l as Problem, m as TextInput, n as Button, o as Field, r as Card, t as Badge, u as Shown } from "./kit.js";
import { i as useReload, r as useRules } from "./rules.js";
import { i as fullTime, n as clockTime, r as duration, t as ago } from "./time.js";
import { i as talking, n as conversation } from "./talk.js";
import { r as toast } from "./toasts.js";
import { c as __vitePreload } from "./app.js";
import { n as GateStrip, t as GateList } from "./gates.js";
import { t as Figure } from "./view.js";
// src/pages/sessions/shapes.ts
var readFilters = (query) => ({
	mode: query.get("mode") ?? "",
	live: query.get("live") ?? "",
	user: query.get("user") ?? ""
});
var SHARED = {
	"rest-text": "Calls over HTTP, as text",
	"rest-voice": "Calls over HTTP, as voice"
};
/** Its first words. Where it has none of its own, it made calls only, or goes on with what was written elsewhere. */
var titleOf = (session) => SHARED[session.id] ?? (session.about || (session.mode === "voice" ? "Session by voice" : "Session in writing"));
/** How it stands, in a word. */
function standing(session) {
	if (session.live) return {
		word: "live",
		kind: "good"
	};
	return {
		word: session.active ? "left" : "ended",
		kind: "plain"
	};
}
/** How a conversation can be taken up again; nothing where nothing was said. */
function waysOn(session) {
	if (!session.about) return [];
	const ways = [];
	if (session.mode === "voice") ways.push({
		title: "Go on in writing",
		page: "chat",
		hint: "A chat begins that knows all that was said here."
	});
	else if (session.active) ways.push({
		title: "Go on in Chat",
		page: "chat",
		hint: "The same session goes on."
	});
	ways.push({
		title: "Go on by voice",
		page: "vox",
		hint: "You talk on, and the model knows what was said here."
	});
	return ways;
}
var MARKS = {
	time_to_first_audio: "first sound after",
	time_to_first_text: "first words after",
	turn_gap: "speech left at the end",
	barge_in_stop: "silent on interruption after",
	duration: "took"
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
	const by = [text(details["backend"]), text(details["model"])].filter(Boolean).join(", ");
	switch (event) {
		case "session_started": return `The session began${by ? ` with ${by}` : ""}.`;
		case "session_resumed": return `The session was taken up again${by ? ` with ${by}` : ""}.`;
		case "session_ended": return `The session ended: ${text(details["reason"]).replaceAll("_", " ") || "over"}.`;
		case "line_changed": return details["resumed"] ? "The line to the model broke and was taken up again." : "The line to the model broke; a new one was told what was said.";
		case "provider_fault": return `The model's provider had a fault (${text(details["kind"])})${details["detail"] ? `: ${text(details["detail"])}` : "."}`;
		case "confirmation_resolved": return `The question about ${tool} was answered: ${text(details["outcome"]) || "over"}${details["via"] ? ` (${text(details["via"])})` : ""}.`;
		case "confirmation_refused": return `An answer about ${tool} was not taken: ${text(details["reason"])}.`;
		case "registry_mismatch": return "The tools changed while the session went on.";
		case "intent_refused": return `A tool wanted to change the session and was not allowed to: ${text(details["reason"])}.`;
		case "tool_unknown": return `${tool} was under way when the server stopped; nobody knows whether it happened.`;
		case "task_not_run": return `The background task of ${tool} did not run: ${text(details["type"])}.`;
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
		word: "replayed",
		kind: "accent"
	};
	if (call.decision === "wait") return {
		word: "waited",
		kind: "plain"
	};
	if (call.decision === "confirm") return {
		word: "asked first",
		kind: "warn"
	};
	if (call.decision === "refuse") return {
		word: "refused",
		kind: "bad"
	};
	if (call.detached) return {
		word: "still running",
		kind: "plain"
	};
	return call.ok === false ? {
		word: "failed",
		kind: "bad"
	} : {
		word: "done",
		kind: "good"
	};
}
// src/pages/sessions/gate-summary.tsx
/** What came of all calls, gate by gate. Without calls it explains the gates. */
function GateSummary({ turns }) {
	const rules = useRules();
	const { calls, ran, failed, refused, asked, replayed, stops } = tally(turns);
	const parts = [
		[ran, "ran"],
		[failed, "of them failed"],
		[refused, "refused"],
		[asked, "asked first"],
		[replayed, "replayed"]
	].filter(([count]) => count);
	return /* @__PURE__ */ a(Card, {
		title: "Gates",
		tour: "sessions-gates",
		class: "sessions-gates",
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: calls ? `${calls} ${calls === 1 ? "call" : "calls"}: ${parts.map(([count, word]) => `${count} ${word}`).join(", ")}. The numbers show where calls were stopped.` : "Every call passes these gates in this order. The first that has something against it decides, and says so."
		}), /* @__PURE__ */ a(Shown, {
			of: rules,
			children: ({ gates }) => /* @__PURE__ */ a("ol", {
				class: "sessions-chain",
				children: gates.map((gate) => /* @__PURE__ */ a("li", {
					class: stops[gate.id] ? "stops" : "",
					title: gate.rules.map((rule) => `${rule.id}: ${rule.about}`).join("\n"),
					children: [gate.title, stops[gate.id] ? /* @__PURE__ */ a("b", {
						class: "number",
						children: [
							" ",
							stops[gate.id],
							/* @__PURE__ */ a("span", {
								class: "hidden-visually",
								children: " stopped"
							})
						]
					}) : null]
				}, gate.id))
			})
		})]
	});
}
// src/pages/sessions/resume.tsx
/** How a conversation is taken up again, where that can be done. */
function Resume({ session }) {
	const ways = waysOn(session);
	const open = talking.value;
	if (open && conversation.value?.sessionId.value === session.id) return /* @__PURE__ */ a("div", {
		class: "row",
		"data-tour": "sessions-resume",
		children: [/* @__PURE__ */ a("a", {
			class: "button primary",
			href: at("vox"),
			children: [/* @__PURE__ */ a(Icon, {
				name: "mic",
				size: 16
			}), "Back to this conversation"]
		}), /* @__PURE__ */ a("span", {
			class: "hint",
			children: "It is the one that is open in this tab."
		})]
	});
	if (!ways.length) return /* @__PURE__ */ a("p", {
		class: "hint",
		"data-tour": "sessions-resume",
		children: ["Nothing was said here, so there is nothing to take up again.", session.active ? " Calls can still be made over HTTP." : ""]
	});
	return /* @__PURE__ */ a("div", {
		class: "row",
		"data-tour": "sessions-resume",
		children: [ways.map((way, index) => way.page === "chat" ? /* @__PURE__ */ a("a", {
			class: "button primary",
			href: at("chat", [session.id]),
			children: [/* @__PURE__ */ a(Icon, {
				name: "chat",
				size: 16
			}), way.title]
		}, way.page) : /* @__PURE__ */ a(Button, {
			kind: index ? "plain" : "primary",
			icon: "mic",
			disabled: open,
			onClick: () => void byVoice(session),
			children: way.title
		}, way.page)), /* @__PURE__ */ a("span", {
			class: "hint",
			children: open ? "Another conversation is open; hang up to take up this one by voice." : ways[0].hint
		})]
	});
}
async function byVoice({ id, profile, mode }) {
	try {
		const { start } = await __vitePreload(async () => {
			const { start } = await import("./conversation.js").then((n) => n.r);
			return { start };
		}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9]), import.meta.url);
		go(at("vox"));
		await start({
			conversation: id,
			...profile && mode === "voice" ? { profile } : {}
		});
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
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
					children: ["Turn ", turn.number]
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
					children: "goes on"
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
					children: [
						turn.tokens.input.toLocaleString(),
						" tokens read, ",
						turn.tokens.output.toLocaleString(),
						" written"
					]
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
	user: "Person",
	assistant: "Agent",
	system: "Note to the agent"
};
function Words({ said }) {
	const heard = said.heard ?? said.text.length;
	const words = /* @__PURE__ */ a("p", {
		class: "sessions-words",
		children: [said.text.slice(0, heard), heard < said.text.length ? /* @__PURE__ */ a("span", {
			class: "muted",
			title: "Shown, but not heard",
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
				/* @__PURE__ */ a("span", { children: said.channel === "voice" ? "by voice" : "in writing" }),
				" ",
				/* @__PURE__ */ a("time", {
					class: "number",
					children: clockTime(said.at)
				})
			]
		}), said.role === "system" ? /* @__PURE__ */ a("details", { children: [/* @__PURE__ */ a("summary", { children: "What came of earlier calls" }), words] }) : words]
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
						children: call.tool || "(no name)"
					}),
					/* @__PURE__ */ a(Badge, {
						kind,
						children: word
					}),
					call.rule && call.rule !== "run" ? /* @__PURE__ */ a("code", { children: call.rule }) : null,
					call.error_type && call.decision === "run" ? /* @__PURE__ */ a("code", { children: call.error_type }) : null,
					call.source === "tool" ? /* @__PURE__ */ a("span", {
						class: "hint",
						children: "by another tool"
					}) : null,
					call.source === "confirmation" ? /* @__PURE__ */ a("span", {
						class: "hint",
						children: "approved"
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
			children: [/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("h4", { children: "Gates" }), call.gates.length ? /* @__PURE__ */ a(GateList, {
				gates: call.gates,
				rules
			}) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: "A background task: it was decided on when it was asked for."
			})] }), /* @__PURE__ */ a("div", { children: [
				/* @__PURE__ */ a("h4", { children: "Arguments" }),
				/* @__PURE__ */ a(Json, {
					value: call.args,
					label: "Arguments"
				}),
				/* @__PURE__ */ a("h4", { children: "Answer" }),
				call.answer ? /* @__PURE__ */ a(Json, {
					value: call.answer,
					label: "Answer"
				}) : /* @__PURE__ */ a("p", {
					class: "hint",
					children: call.answer_chars ? `It has ${call.answer_chars.toLocaleString()} characters and is not shown here.` : "The audit keeps no answers; those of a conversation are kept with it."
				}),
				/* @__PURE__ */ a("p", {
					class: "row hint",
					children: [
						/* @__PURE__ */ a("a", {
							href: at("audit", [], {
								session,
								line: String(call.seq)
							}),
							children: [
								"Line ",
								call.seq,
								" of the audit"
							]
						}),
						/* @__PURE__ */ a("a", {
							href: at("tools", [call.tool]),
							children: ["About ", call.tool]
						}),
						call.tool_version ? /* @__PURE__ */ a("span", { children: ["version ", call.tool_version] }) : null
					]
				})
			] })]
		})]
	});
}
// src/pages/sessions/detail.tsx
var POLL_MS$1 = 3e3;
var STEPS = [
	200,
	500,
	1e3
];
function Detail({ id, filters }) {
	const [step, deeper] = d(0);
	const newest = route.value.query.get("order") === "newest";
	const path = `/api/sessions/${encodeURIComponent(id)}`;
	const detail = useLoad((signal) => get(path, { signal }), [id]);
	const timeline = useLoad((signal) => get(`${path}/timeline`, {
		query: { limit: STEPS[step] },
		signal
	}), [id, step]);
	useReload(detail, POLL_MS$1, detail.data?.live === true);
	useReload(timeline, POLL_MS$1, detail.data?.live === true);
	const back = /* @__PURE__ */ a("a", {
		class: "sessions-back",
		href: at("sessions", [], { ...filters }),
		children: [/* @__PURE__ */ a(Icon, {
			name: "chevron",
			size: 16
		}), "All sessions"]
	});
	if (detail.error instanceof ApiError && detail.error.status === 404) return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			back,
			/* @__PURE__ */ a(Problem, { error: detail.error }),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: ["It may be in the data of another server. ", /* @__PURE__ */ a("a", {
					href: at("sessions"),
					children: "Here are the sessions of this one."
				})]
			})
		]
	});
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [back, /* @__PURE__ */ a(Shown, {
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
					"aria-label": "Timeline",
					class: "stack",
					children: [
						data.turns.length > 1 ? /* @__PURE__ */ a("div", {
							class: "row",
							children: [
								/* @__PURE__ */ a("h2", { children: "Timeline" }),
								/* @__PURE__ */ a("span", { class: "spring" }),
								/* @__PURE__ */ a(Button, {
									icon: "refresh",
									"aria-pressed": newest,
									onClick: () => go(at("sessions", route.value.rest, {
										...Object.fromEntries(route.value.query),
										order: newest ? "" : "newest"
									}), true),
									children: "Newest first"
								})
							]
						}) : null,
						data.next_before ? step < STEPS.length - 1 ? /* @__PURE__ */ a("button", {
							type: "button",
							class: "button",
							onClick: () => deeper(step + 1),
							children: "Show what was before"
						}) : /* @__PURE__ */ a("p", {
							class: "hint",
							children: ["There is more than fits here. ", /* @__PURE__ */ a("a", {
								href: at("audit", [], { session: id }),
								children: "The audit has every line."
							})]
						}) : null,
						data.turns.length ? /* @__PURE__ */ a(Turns, {
							turns: newest ? data.turns.toReversed() : data.turns,
							session: id,
							under: session.live ? session.turn : null
						}) : /* @__PURE__ */ a(Card, { children: /* @__PURE__ */ a(Empty, {
							icon: "clock",
							title: "Nothing has happened in this session yet"
						}) })
					]
				})] })
			})] })
		})]
	});
}
/** What the list shows as its title, for a session that is not in the list. */
function firstWords(timeline) {
	const words = timeline?.turns.flatMap((turn) => turn.entries).filter((entry) => entry.kind === "said") ?? [];
	return (words.find((entry) => entry.role === "user") ?? words[0])?.text ?? null;
}
function Head({ session, timeline }) {
	const { word, kind } = standing(session);
	const facts = [
		["Began", fullTime(session.created_at)],
		[session.ended_at ? "Ended" : "Last active", fullTime(session.ended_at ?? session.updated_at)],
		["User", session.user],
		["Backend", session.provider ?? "none"],
		["Profile", session.profile ?? "none"],
		["Turn", String(session.turn)],
		["Tools", session.registry_version]
	];
	if (session.counters) {
		const { turn_calls: calls, turn_tool_ms: ms } = session.counters;
		facts.push(["This turn", calls ? `${calls === 1 ? "1 call" : `${calls} calls`}, ${duration(ms)} in tools` : "no calls so far"]);
	}
	return /* @__PURE__ */ a(Card, {
		class: "sessions-head",
		title: /* @__PURE__ */ a("span", {
			class: "sessions-heading",
			children: titleOf(session)
		}),
		actions: /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Badge, {
			kind,
			children: word
		}), /* @__PURE__ */ a(Badge, { children: session.mode })] }),
		children: [
			/* @__PURE__ */ a("dl", {
				class: "sessions-facts",
				children: facts.map(([name, value]) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: value })] }, name))
			}),
			session.confirmations.map((asked) => /* @__PURE__ */ a("p", {
				class: "sessions-asked",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "shield",
						size: 16
					}),
					" Waits for an answer: ",
					asked.preview,
					" ",
					/* @__PURE__ */ a("span", {
						class: "muted",
						children: [
							"(until ",
							ago(asked.expires_at),
							")"
						]
					})
				]
			}, asked.id)),
			timeline?.continued_from ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					"It goes on from a spoken one: ",
					/* @__PURE__ */ a("a", {
						href: at("sessions", [timeline.continued_from]),
						children: "look at that"
					}),
					"."
				]
			}) : null,
			timeline && timeline.conversation !== session.id ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					"It is the spoken part of a ",
					/* @__PURE__ */ a("a", {
						href: at("sessions", [timeline.conversation]),
						children: "written conversation"
					}),
					"."
				]
			}) : null,
			/* @__PURE__ */ a(Resume, { session }),
			/* @__PURE__ */ a("p", {
				class: "row sessions-links",
				children: [
					/* @__PURE__ */ a("a", {
						href: at("audit", [], { session: session.id }),
						children: "Its lines in the audit"
					}),
					/* @__PURE__ */ a(CopyButton, {
						text: session.id,
						label: "Copy id"
					}),
					/* @__PURE__ */ a("code", {
						class: "sessions-id",
						children: session.id
					})
				]
			})
		]
	});
}
// src/pages/sessions/list.tsx
function SessionList({ list, filters, chosen, onMore }) {
	const filter = (change) => go(at("sessions", route.value.rest, {
		...filters,
		...change
	}), true);
	return /* @__PURE__ */ a("section", {
		class: "stack sessions-side",
		"aria-label": "Sessions",
		"data-tour": "sessions-list",
		children: [/* @__PURE__ */ a("form", {
			class: "sessions-filters",
			onSubmit: (event) => event.preventDefault(),
			"aria-label": "Filters",
			children: [
				/* @__PURE__ */ a(Field, {
					label: "Mode",
					children: (field) => /* @__PURE__ */ a("select", {
						...field,
						value: filters.mode,
						onChange: (event) => filter({ mode: event.currentTarget.value }),
						children: [
							/* @__PURE__ */ a("option", {
								value: "",
								children: "Any"
							}),
							/* @__PURE__ */ a("option", {
								value: "voice",
								children: "Voice"
							}),
							/* @__PURE__ */ a("option", {
								value: "text",
								children: "Text"
							})
						]
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: "Status",
					children: (field) => /* @__PURE__ */ a("select", {
						...field,
						value: filters.live,
						onChange: (event) => filter({ live: event.currentTarget.value }),
						children: [
							/* @__PURE__ */ a("option", {
								value: "",
								children: "Any"
							}),
							/* @__PURE__ */ a("option", {
								value: "true",
								children: "Live now"
							}),
							/* @__PURE__ */ a("option", {
								value: "false",
								children: "Past"
							})
						]
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: "User",
					children: (field) => /* @__PURE__ */ a(TextInput, {
						...field,
						type: "search",
						value: filters.user,
						placeholder: "Full user name",
						onDone: (user) => filter({ user })
					})
				})
			]
		}), /* @__PURE__ */ a(Shown, {
			of: list,
			children: ({ sessions }) => /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("p", {
					class: "hint",
					role: "status",
					children: [sessions.length === 1 ? "1 session" : `${sessions.length}${onMore ? "+" : ""} sessions`, ", newest first"]
				}),
				/* @__PURE__ */ a("ul", {
					class: "list sessions-list",
					children: sessions.map((session) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Item, {
						session,
						filters,
						here: session.id === chosen
					}) }, session.id))
				}),
				onMore ? /* @__PURE__ */ a(Button, {
					onClick: onMore,
					children: "Show older ones"
				}) : null
			] })
		})]
	});
}
function Item({ session, filters, here }) {
	const { word } = standing(session);
	return /* @__PURE__ */ a("a", {
		class: "list-item",
		href: at("sessions", [session.id], { ...filters }),
		"aria-current": here ? "true" : void 0,
		children: [/* @__PURE__ */ a("span", {
			class: "sessions-title",
			children: [
				/* @__PURE__ */ a(Icon, {
					name: session.mode === "voice" ? "mic" : "chat",
					size: 15
				}),
				/* @__PURE__ */ a("span", {
					class: "sessions-about",
					title: titleOf(session),
					children: titleOf(session)
				}),
				session.live ? /* @__PURE__ */ a("span", { class: "sessions-dot" }) : null
			]
		}), /* @__PURE__ */ a("small", {
			title: fullTime(session.updated_at),
			children: [
				word,
				session.mode,
				session.provider,
				session.user,
				ago(session.updated_at)
			].filter(Boolean).join(" · ")
		})]
	});
}
// src/pages/sessions.tsx
/** Every conversation, live and past, turn by turn. */
var STEP = 50;
var MOST = 1e3;
var POLL_MS = 5e3;
function Sessions() {
	const filters = readFilters(route.value.query);
	const [limit, show] = d(STEP);
	const list = useLoad((signal) => get("/api/sessions", {
		query: {
			...filters,
			limit
		},
		signal
	}), [
		filters.mode,
		filters.live,
		filters.user,
		limit
	]);
	useReload(list, POLL_MS);
	const named = route.value.rest[0] ?? "";
	const chosen = named || (list.data?.sessions[0]?.id ?? "");
	const more = list.data?.next_before && limit < MOST ? () => show(Math.min(MOST, limit + STEP)) : null;
	return /* @__PURE__ */ a("div", {
		class: `split sessions ${named ? "has-chosen" : ""}`,
		children: [/* @__PURE__ */ a(SessionList, {
			list,
			filters,
			chosen,
			onMore: more
		}), /* @__PURE__ */ a("div", {
			class: "sessions-main",
			children: chosen ? /* @__PURE__ */ a(Detail, {
				id: chosen,
				filters
			}, chosen) : /* @__PURE__ */ a(Shown, {
				of: list,
				children: () => /* @__PURE__ */ a(Nothing, { filtered: Object.values(filters).some(Boolean) })
			})
		})]
	});
}
function Nothing({ filtered }) {
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [/* @__PURE__ */ a(Card, {
			tour: "sessions-timeline",
			children: filtered ? /* @__PURE__ */ a(Empty, {
				icon: "sessions",
				title: "No session fits these filters",
				children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
					href: at("sessions"),
					children: "Show all sessions"
				}) })
			}) : /* @__PURE__ */ a(Empty, {
				icon: "sessions",
				title: "No conversation yet",
				children: [/* @__PURE__ */ a("p", { children: "Each conversation will be told here turn by turn: what was said, every call, and how long it took." }), /* @__PURE__ */ a("p", {
					"data-tour": "sessions-resume",
					children: [
						/* @__PURE__ */ a("a", {
							href: at("vox"),
							children: "Talk"
						}),
						" or ",
						/* @__PURE__ */ a("a", {
							href: at("chat"),
							children: "write"
						}),
						" to begin one. Later you can take it up again from here."
					]
				})]
			})
		}), /* @__PURE__ */ a(GateSummary, { turns: [] })]
	});
}
export { Sessions as default };
