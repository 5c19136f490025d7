import { r as useLoad } from "./load.js";
import { c as rich, i as listed, l as t, s as plural } from "./app.js";
import { a as at, d as route } from "./router.js";
import { a as Empty, d as Shown, f as Spinner, i as CopyButton, n as Button, t as Badge, u as Problem } from "./kit.js";
import { t as callTool } from "./calls.js";
import { c as said, r as get } from "./http.js";
import { d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
import { t as Markdown } from "./markdown.js";
import { a as fullTime, r as clockTime } from "./time.js";
import { t as LeftOutFiles } from "./left-out.js";
/* empty css          */
// src/pages/experts/api.ts
var listExperts = (signal) => get("/api/experts", { signal });
var readExpert = (id, signal) => get(`/api/experts/${encodeURIComponent(id)}`, { signal });
/** Asks, as every tool is called. */
var askExpert = (expert_id, message) => callTool("chat_with_expert", {
	expert_id,
	message
});
/** The words that make an expert forget. */
var START_OVER = "start over";
var recordOf = (database, id) => at("kg-studio", [
	database,
	"record",
	id
]);
/** An answer as Markdown: ids of records in square brackets become numbered links to them. */
function cited(answer, citations, database) {
	const numbers = new Map(citations.map((each, place) => [each.id, place + 1]));
	return answer.replace(/\[([^[\]\n]{1,200})\](?!\()/g, (mark, inside) => {
		const ids = inside.split(",").map((id) => id.trim());
		if (!ids.every((id) => numbers.has(id) || /^[\w-]+:\S+$/.test(id))) return mark;
		return ids.map((id) => `[\\[${numbers.get(id) ?? id}\\]](<${recordOf(database, id)}>)`).join("");
	});
}
// src/pages/experts/conversation.tsx
/** The conversation with one expert: what it remembers, a question, and the records behind answers. */
function Conversation({ id }) {
	const found = useLoad((signal) => readExpert(id, signal), [id]);
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: (expert) => /* @__PURE__ */ a(Chat, { expert })
	});
}
function Chat({ expert }) {
	const [turns, set] = d(expert.turns);
	const [waiting, wait] = d(null);
	const [typed, type] = d("");
	const [shown, show] = d(null);
	const log = T(null);
	const box = T(null);
	const busy = waiting !== null && waiting.problem === null;
	A(() => {
		const list = log.current;
		list.scrollTop = list.scrollHeight;
	}, [turns, waiting]);
	const ask = async (message) => {
		if (!message.trim() || busy) return;
		type("");
		wait({
			message,
			problem: null
		});
		try {
			const answer = await askExpert(expert.id, message);
			set((before) => [...before, {
				at: Date.now() / 1e3,
				message,
				...answer
			}]);
			show(null);
			wait(null);
		} catch (error) {
			wait({
				message,
				problem: said(error)
			});
		}
		box.current?.focus();
	};
	const startOver = async () => {
		wait({
			message: t("New conversation"),
			problem: null
		});
		try {
			await askExpert(expert.id, START_OVER);
			set([]);
			wait(null);
			toast(t("{name} started a new conversation.", { name: expert.name }));
		} catch (error) {
			wait({
				message: t("New conversation"),
				problem: said(error)
			});
		}
		box.current?.focus();
	};
	const submit = (event) => {
		event.preventDefault();
		ask(typed.trim());
	};
	const chosen = turns[shown ?? turns.length - 1];
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("section", {
		class: "card experts-chat",
		"data-tour": "experts-chat",
		"aria-label": t("Conversation with {name}", { name: expert.name }),
		children: [
			/* @__PURE__ */ a("p", {
				class: "experts-back",
				children: /* @__PURE__ */ a("a", {
					href: at("experts"),
					children: [
						/* @__PURE__ */ a(Icon, {
							name: "left",
							size: 16
						}),
						" ",
						t("All experts")
					]
				})
			}),
			/* @__PURE__ */ a("header", {
				class: "card-head",
				children: [/* @__PURE__ */ a("h2", { children: expert.name }), /* @__PURE__ */ a(Button, {
					icon: "refresh",
					kind: "quiet",
					disabled: !turns.length || busy,
					onClick: () => void startOver(),
					children: t("New conversation")
				})]
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					expert.description,
					" ",
					expert.types.length ? rich("Answers from {database}, {types} first.", {
						database: /* @__PURE__ */ a("a", {
							href: at("kg-studio", [expert.database_id]),
							children: expert.database_id
						}),
						types: listed(expert.types)
					}) : rich("Answers from {database}.", { database: /* @__PURE__ */ a("a", {
						href: at("kg-studio", [expert.database_id]),
						children: expert.database_id
					}) })
				]
			}),
			/* @__PURE__ */ a("div", {
				class: "experts-log",
				ref: log,
				role: "log",
				"aria-label": t("Conversation"),
				tabIndex: 0,
				children: [
					turns.length || waiting ? null : /* @__PURE__ */ a("div", {
						class: "stack experts-begin",
						children: [/* @__PURE__ */ a("p", {
							class: "muted",
							children: t("Ask something. {name} remembers the conversation until you start a new one.", { name: expert.name })
						}), expert.examples.length ? /* @__PURE__ */ a("ul", {
							class: "row",
							"aria-label": t("Examples"),
							children: expert.examples.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
								type: "button",
								class: "experts-example",
								onClick: () => void ask(each),
								children: each
							}) }, each))
						}) : null]
					}),
					turns.map((turn, place) => /* @__PURE__ */ a(Said, {
						turn,
						expert,
						chosen: turn === chosen,
						onShow: () => show(place)
					}, place)),
					waiting ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", {
						class: "experts-asked",
						children: waiting.message
					}), waiting.problem ? /* @__PURE__ */ a(Problem, {
						error: waiting.problem,
						retry: () => {
							wait(null);
							ask(waiting.message);
						}
					}) : /* @__PURE__ */ a("p", {
						class: "experts-busy",
						children: [
							/* @__PURE__ */ a(Spinner, {}),
							" ",
							/* @__PURE__ */ a("span", {
								role: "status",
								children: t("{name} is looking it up…", { name: expert.name })
							})
						]
					})] }) : null
				]
			}),
			/* @__PURE__ */ a("form", {
				class: "experts-form",
				onSubmit: submit,
				children: [/* @__PURE__ */ a("textarea", {
					ref: box,
					rows: 2,
					"aria-label": t("Your question to {name}", { name: expert.name }),
					placeholder: expert.examples[0] ?? t("Your question"),
					maxLength: 4e3,
					value: typed,
					onInput: (event) => type(event.currentTarget.value),
					onKeyDown: (event) => {
						if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
					}
				}), /* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					icon: "send",
					disabled: !typed.trim(),
					busy,
					children: t("Ask")
				})]
			}),
			turns.length ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: plural(Math.min(20, turns.length), "{name} remembers {count} turn of this conversation.", "{name} remembers {count} turns of this conversation.", { name: expert.name })
			}) : null
		]
	}), /* @__PURE__ */ a(Citations, {
		expert,
		turn: chosen
	})] });
}
function Said({ turn, expert, chosen, onShow }) {
	return /* @__PURE__ */ a("div", {
		class: `experts-turn ${chosen ? "chosen" : ""}`,
		children: [/* @__PURE__ */ a("p", {
			class: "experts-asked",
			title: fullTime(turn.at),
			children: turn.message
		}), /* @__PURE__ */ a("div", {
			class: "experts-answer",
			children: [
				/* @__PURE__ */ a(Markdown, { text: cited(turn.answer, turn.citations, expert.database_id) }),
				turn.note ? /* @__PURE__ */ a("p", {
					class: "hint",
					children: turn.note
				}) : null,
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", {
							class: "hint",
							children: clockTime(turn.at)
						}),
						turn.answered ? /* @__PURE__ */ a(Badge, {
							kind: turn.by === "model" ? "accent" : "plain",
							children: turn.by === "model" ? t("Written by a model") : t("Quoted from records")
						}) : null,
						/* @__PURE__ */ a("span", { class: "spring" }),
						turn.citations.length && !chosen ? /* @__PURE__ */ a(Button, {
							kind: "quiet",
							onClick: onShow,
							children: plural(turn.citations.length, "{count} source", "{count} sources")
						}) : null,
						/* @__PURE__ */ a(CopyButton, { text: turn.answer })
					]
				})
			]
		})]
	});
}
function Citations({ expert, turn }) {
	return /* @__PURE__ */ a("section", {
		class: "card experts-citations",
		"data-tour": "experts-citations",
		"aria-label": t("Sources"),
		children: [/* @__PURE__ */ a("h2", { children: t("Sources") }), turn?.citations.length ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Sources of the answer to “{message}”.", { message: turn.message })
		}), /* @__PURE__ */ a("ol", { children: turn.citations.map((each) => /* @__PURE__ */ a("li", { children: [
			/* @__PURE__ */ a("a", {
				href: recordOf(expert.database_id, each.id),
				children: each.title
			}),
			" ",
			/* @__PURE__ */ a("code", {
				class: "muted",
				children: each.id
			}),
			each.snippet ? /* @__PURE__ */ a("p", { children: each.snippet }) : null,
			/* @__PURE__ */ a("a", {
				class: "hint",
				href: at("kg-studio", [expert.database_id], {
					tab: "graph",
					around: each.id,
					node: each.id
				}),
				children: t("Show in graph")
			})
		] }, each.id)) })] }) : /* @__PURE__ */ a("p", {
			class: "hint",
			children: turn ? t("This answer cites no record.") : t("The sources of an answer are listed here, each with a link to its record.")
		})]
	});
}
// src/pages/experts.tsx
/** Experts: personas that answer from a knowledge graph, and say from where. */
function Experts() {
	const { rest: [id = ""] } = route.value;
	const found = useLoad(listExperts, []);
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: ({ experts, folder, left_out }) => /* @__PURE__ */ a("div", {
			class: `split experts ${id ? "talking" : ""}`,
			children: [/* @__PURE__ */ a("div", {
				class: "stack experts-side",
				"data-tour": "experts-list",
				children: [
					experts.length ? /* @__PURE__ */ a("nav", {
						"aria-label": t("Experts"),
						children: /* @__PURE__ */ a("ul", {
							class: "list",
							children: experts.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
								class: "list-item",
								href: at("experts", [each.id]),
								"aria-current": each.id === id ? "page" : void 0,
								children: [/* @__PURE__ */ a("span", {
									class: "row",
									children: [
										/* @__PURE__ */ a("strong", { children: each.name }),
										/* @__PURE__ */ a("span", { class: "spring" }),
										/* @__PURE__ */ a(Badge, { children: each.database_id })
									]
								}), /* @__PURE__ */ a("small", { children: each.description })]
							}) }, each.id))
						})
					}) : /* @__PURE__ */ a(Empty, {
						icon: "expert",
						title: t("No experts yet")
					}),
					/* @__PURE__ */ a(LeftOutFiles, {
						files: left_out,
						folder
					}),
					/* @__PURE__ */ a("p", {
						class: "hint",
						children: rich("Add your own: TOML files with {members}, in {folder}.", {
							members: /* @__PURE__ */ a($, { children: [
								/* @__PURE__ */ a("code", { children: "name" }),
								", ",
								/* @__PURE__ */ a("code", { children: "description" }),
								", ",
								/* @__PURE__ */ a("code", { children: "database" }),
								", ",
								/* @__PURE__ */ a("code", { children: "persona" })
							] }),
							folder: /* @__PURE__ */ a("code", { children: folder })
						})
					})
				]
			}), /* @__PURE__ */ a("div", {
				class: "experts-main",
				children: id ? /* @__PURE__ */ a(Conversation, { id }, id) : /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("section", {
					class: "card",
					"data-tour": "experts-chat",
					children: /* @__PURE__ */ a(Empty, {
						icon: "expert",
						title: t("Choose an expert"),
						children: /* @__PURE__ */ a("p", { children: t("An expert answers from one database and cites its sources.") })
					})
				}), /* @__PURE__ */ a("section", {
					class: "card",
					"data-tour": "experts-citations",
					children: [/* @__PURE__ */ a("h2", { children: t("Sources") }), /* @__PURE__ */ a("p", {
						class: "hint",
						children: t("The sources of an answer are listed here, each with a link to its record.")
					})]
				})] })
			})]
		})
	});
}
export { Experts as default };
