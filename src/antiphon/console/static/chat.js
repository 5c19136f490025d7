import { o as y, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as at, d as route, o as go } from "./router.js";
import { l as blocked } from "./start.js";
import { f as Spinner, g as save, i as CopyButton, n as Button, u as Problem } from "./kit.js";
import { i as toMarkdown, n as ToolCard, r as Composer, t as Entries } from "./entries.js";
import { D as envelopeOutcome } from "./conversation.js";
import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { t as ago } from "./time.js";
import { announced, answeredBy, answering, draft, loading, open, problem, profile, sessionId, stop, toVoice, transcript, write } from "./written.js";
import { f as prefer, p as prefs } from "./app.js";
import { d as usable, i as loadStatus, l as status, n as backendStatus, o as modelFor, s as modelsOf, t as backend } from "./backends.js";
// src/pages/chat/past.tsx
/** Conversations in writing from before. */
var SHOWN = 30;
function Past() {
	const those = (useLoad((signal) => get("/api/sessions", {
		query: {
			mode: "text",
			limit: 100
		},
		signal
	}), [sessionId.value, answering.value]).data?.sessions ?? []).filter((each) => each.about).slice(0, SHOWN);
	if (!those.length) return /* @__PURE__ */ a("nav", {
		class: "chat-past",
		"aria-label": "Conversations",
		hidden: true
	});
	return /* @__PURE__ */ a("nav", {
		class: "chat-past",
		"aria-label": "Conversations",
		children: [/* @__PURE__ */ a("h2", { children: "Conversations" }), /* @__PURE__ */ a("ul", {
			class: "list",
			children: those.map(({ id, about, updated_at: when, active }) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "list-item",
				href: at("chat", [id]),
				"aria-current": id === sessionId.value ? "page" : void 0,
				children: [/* @__PURE__ */ a("span", {
					class: "chat-about",
					children: about
				}), /* @__PURE__ */ a("small", { children: [ago(when), active ? "" : ", over"] })]
			}) }, id))
		})]
	});
}
// src/pages/chat/who.tsx
/** Which agent and which model answer. Models can be changed in the middle of a conversation. */
function Who() {
	A(() => void loadStatus(), []);
	return /* @__PURE__ */ a("div", {
		class: "chat-who",
		children: [/* @__PURE__ */ a(Agent, {}), /* @__PURE__ */ a(Model, {})]
	});
}
function Agent() {
	const found = useLoad((signal) => get("/api/profiles", { signal }), []);
	const kept = sessionId.value ? answeredBy.value?.profile : void 0;
	if (!found.data || found.data.profiles.length < 2) return null;
	if (sessionId.value) return kept ? /* @__PURE__ */ a("span", {
		class: "chat-kept",
		children: ["Agent ", /* @__PURE__ */ a("strong", { children: kept })]
	}) : null;
	return /* @__PURE__ */ a("label", { children: [/* @__PURE__ */ a("span", { children: "Agent" }), /* @__PURE__ */ a("select", {
		value: profile.value,
		"aria-label": "Agent",
		onChange: (event) => {
			profile.value = event.currentTarget.value;
		},
		children: found.data.profiles.map(({ name, description }) => /* @__PURE__ */ a("option", {
			value: name,
			title: description,
			children: name
		}, name))
	})] });
}
/** Backend and model in one list: `gemini/gemini-2.5-flash`. */
function Model() {
	const found = status.value;
	const now = backendStatus.value;
	const model = modelFor("text") ?? now?.model ?? "";
	const choose = (value) => {
		const cut = value.indexOf("/");
		prefer({
			backend: value.slice(0, cut),
			model: value.slice(cut + 1),
			voice: value.startsWith(prefs.value.backend) ? prefs.value.voice : ""
		});
	};
	return /* @__PURE__ */ a("label", {
		"data-tour": "chat-model",
		children: [/* @__PURE__ */ a("span", { children: "Model" }), /* @__PURE__ */ a("select", {
			value: `${backend.value}/${model}`,
			"aria-label": "Model",
			disabled: !found,
			onChange: (event) => choose(event.currentTarget.value),
			children: found?.backends.map((one) => {
				const models = modelsOf(one, "text");
				const listed = one.model && !models.some(({ id }) => id === one.model) ? [{
					id: one.model,
					label: one.model
				}, ...models] : models;
				return /* @__PURE__ */ a("optgroup", {
					label: usable(one) ? one.label : `${one.label} (${one.configured ? "not reachable" : "needs a key"})`,
					disabled: !usable(one),
					children: listed.map(({ id, label }) => /* @__PURE__ */ a("option", {
						value: `${one.name}/${id}`,
						children: label
					}, id))
				}, one.name);
			})
		})]
	});
}
// src/pages/chat.tsx
/** Chat: the agent in writing. `#/chat/<session>` is one conversation. */
function Chat() {
	const wanted = route.value.rest[0] ?? null;
	const came = T(true);
	A(() => {
		if (came.current && wanted === null && sessionId.value) go(at("chat", [sessionId.value]), true);
		else if (wanted !== sessionId.value) open(wanted);
		came.current = false;
	}, [wanted]);
	const send = (text) => void write(text);
	return /* @__PURE__ */ a("div", {
		class: "chat",
		children: [/* @__PURE__ */ a(Past, {}), /* @__PURE__ */ a("section", {
			class: "chat-said",
			"aria-label": "Conversation",
			children: [
				/* @__PURE__ */ a(Tools, {}),
				loading.value ? /* @__PURE__ */ a("div", {
					class: "loading",
					children: /* @__PURE__ */ a(Spinner, { label: "Loading the conversation" })
				}) : /* @__PURE__ */ a(Entries, {
					transcript,
					label: "Messages",
					tour: "chat-messages",
					children: problem.value ? null : /* @__PURE__ */ a(First, { onSay: send })
				}),
				problem.value ? /* @__PURE__ */ a(Problem, { error: problem.value }) : null,
				answering.value ? /* @__PURE__ */ a("p", {
					class: "chat-busy",
					role: "status",
					children: [/* @__PURE__ */ a(Spinner, {}), " Answering…"]
				}) : null,
				/* @__PURE__ */ a("p", {
					class: "hidden-visually",
					role: "status",
					children: announced.value
				}),
				/* @__PURE__ */ a(Composer, {
					label: "Your message",
					placeholder: "Write a message",
					tour: "chat-input",
					draft,
					onSend: send,
					onStop: answering.value ? stop : void 0,
					disabled: answering.value || blocked.value !== null
				})
			]
		})]
	});
}
function Tools() {
	const some = transcript.entries.value.length > 0;
	return /* @__PURE__ */ a("div", {
		class: "chat-tools",
		children: [
			/* @__PURE__ */ a(Who, {}),
			/* @__PURE__ */ a("span", { class: "spring" }),
			some ? /* @__PURE__ */ a(CopyButton, { text: () => toMarkdown(transcript.entries.value) }) : null,
			some ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "download",
				onClick: () => save("conversation.md", toMarkdown(transcript.entries.value), "text/markdown"),
				children: "Download"
			}) : null,
			some ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "plus",
				onClick: () => go(at("chat")),
				children: "New"
			}) : null,
			/* @__PURE__ */ a(Button, {
				icon: "mic",
				"data-tour": "chat-to-voice",
				disabled: blocked.value !== null,
				onClick: () => void toVoice(),
				children: "Talk instead"
			})
		]
	});
}
/** Each works with the built-in model and the knowledge that ships. */
var EXAMPLES = [
	"Who leads Harbor Light?",
	"What is the budget of Atlas?",
	"When am I free tomorrow?",
	"Let's talk instead"
];
var EXAMPLE_CARD = {
	kind: "tool",
	id: 0,
	at: 0,
	callId: null,
	name: "kb_search",
	args: { query: "Who leads Harbor Light?" },
	decision: {
		outcome: "run",
		rule: "run"
	},
	here: false,
	outcome: y(envelopeOutcome({
		ok: true,
		data: { results: [{
			id: "project:harbor_light",
			title: "Harbor Light"
		}] },
		meta: { duration: 18 }
	}))
};
function First({ onSay }) {
	return /* @__PURE__ */ a("div", {
		class: "chat-first",
		children: [
			/* @__PURE__ */ a("h2", { children: "Ask in writing" }),
			/* @__PURE__ */ a("p", {
				class: "muted",
				children: "Answers come from your knowledge and your tools, and say what they rest on. Try one of these:"
			}),
			/* @__PURE__ */ a("ul", { children: EXAMPLES.map((text) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Button, {
				onClick: () => onSay(text),
				children: text
			}) }, text)) }),
			/* @__PURE__ */ a("div", {
				class: "chat-example",
				children: [/* @__PURE__ */ a("p", {
					class: "hint",
					children: "When a tool is used, a card like this one says what was asked, by which rule it was allowed or refused, and what came back:"
				}), /* @__PURE__ */ a(ToolCard, { entry: EXAMPLE_CARD })]
			})
		]
	});
}
export { Chat as default };
