const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./waveform.js","./vendor-preact.js","./start.js","./load.js","./address.js","./http.js","./app.js","./router.js","./confirmations.js","./bus.js","./toasts.js","./kit.js","./icons.js","./talk.js","./blocked.js","./server-voice.js","./backends.js","./microphone.js","./words.js","./zone.js","./ear.js","./transcript.js","./past.js","./time.js","./api.js","./words3.js","./markdown.js","./figure.js","./source.js","./drawer.js"])))=>i.map(i=>d[i]);
import { a as y, d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { d as __vitePreload, l as t, p as prefs } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { B as caption, D as entries, F as show, H as addShortcuts, I as takeBranch, L as transcript, N as renew, T as conversationId, U as Dialog, V as lazy, _ as setMuted, a as Composer, b as trouble, c as hangUp, d as live, f as muted, g as sendText, i as Recorded, j as problem, k as loading, l as interrupt, m as reconnect, p as phase, r as Standing, w as stop, x as announced } from "./start.js";
import { n as useNarrow } from "./drawer.js";
import { f as Spinner, n as Button, s as IconButton, u as Problem } from "./kit.js";
import { a as listed, d as Entries, i as judge, l as turnOf, t as branch } from "./api.js";
import { c as said, r as get } from "./http.js";
import { r as toast } from "./toasts.js";
import { r as useLoad } from "./load.js";
import { n as Icon } from "./icons.js";
import { i as loadStatus, l as status } from "./backends.js";
import { f as trouble$1, o as listening } from "./ear.js";
// src/pages/conversation/deeds.ts
/** What can be done with the messages of the conversation that is open. */
/** The record that is open beside the conversation. */
var source = y(null);
/** Counts what the list of conversations has not seen yet. */
var changes = y(0);
async function tried(deed) {
	const id = conversationId.peek();
	if (!id) return;
	try {
		await deed(id);
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
}
var deeds = {
	openSource: (id) => {
		source.value = id;
	},
	askAgain: (entry, text) => tried(async (id) => {
		const made = await branch(id, await turnOf(id, entry), false);
		takeBranch(made.id, entries.peek().slice(0, entries.peek().indexOf(entry)));
		sendText(text);
	}),
	branch: (entry) => tried(async (id) => {
		const made = await branch(id, await turnOf(id, entry), true);
		takeBranch(made.id, entries.peek().slice(0, entries.peek().indexOf(entry) + 1));
		changes.value++;
		toast(t("This is a branch. The original conversation is unchanged."));
	}),
	judge: (entry, opinion) => {
		const before = entry.opinion.peek();
		entry.opinion.value = opinion;
		return tried(async (id) => {
			try {
				await judge(id, await turnOf(id, entry), opinion);
			} catch (error) {
				entry.opinion.value = before;
				throw error;
			}
		});
	}
};
// src/pages/conversation/examples.ts
/** Things to ask, in the language of the knowledge that ships. Each works with the built-in model. */
var EXAMPLES = [
	"Who leads Harbor Light?",
	"What does idempotent mean?",
	"Open the tools page",
	"What can you do?"
];
// src/pages/conversation/first.tsx
/** Before anything was said: what this is, three steps to begin with, and things to ask that work right away. */
/** What each example shows. */
var ABOUT = [
	{
		icon: "graph",
		about: t("Looks it up and cites the source")
	},
	{
		icon: "book",
		about: t("Answers from the glossary")
	},
	{
		icon: "tool",
		about: t("Operates this console")
	},
	{
		icon: "compass",
		about: t("Suggests what to try next")
	}
];
/** The databases that ship. */
var SHIPPED = /* @__PURE__ */ new Set([
	"studio",
	"public",
	"personal"
]);
function Start() {
	A(() => void loadStatus(), []);
	const asked = useLoad((signal) => listed({
		query: "",
		limit: 1
	}, signal), []);
	const bases = useLoad((signal) => get("/api/knowledge", { signal }), []);
	const steps = [
		{
			title: t("Ask a question"),
			about: t("Type below, or press the microphone"),
			href: null,
			done: (asked.data?.conversations.length ?? 0) > 0
		},
		{
			title: t("Add your own text"),
			about: t("Paste or upload it, then ask about it"),
			href: at("kg-studio"),
			done: bases.data?.databases.some(({ id }) => !SHIPPED.has(id)) ?? false
		},
		{
			title: t("Connect a model"),
			about: t("The built-in one works without a key; others write better"),
			href: at("settings"),
			done: status.value?.backends.some(({ name, configured }) => configured && name !== "local") ?? false
		}
	];
	return /* @__PURE__ */ a("ol", {
		class: "first-steps",
		"aria-label": t("First steps"),
		children: steps.map(({ title, about, href, done }, n) => /* @__PURE__ */ a("li", {
			class: done ? "done" : "",
			children: [/* @__PURE__ */ a("span", {
				class: "first-mark",
				children: done ? /* @__PURE__ */ a(Icon, {
					name: "check",
					size: 14
				}) : n + 1
			}), /* @__PURE__ */ a("span", { children: [
				href ? /* @__PURE__ */ a("a", {
					href,
					children: title
				}) : /* @__PURE__ */ a("strong", { children: title }),
				done ? /* @__PURE__ */ a("span", {
					class: "hidden-visually",
					children: t("done")
				}) : null,
				/* @__PURE__ */ a("small", { children: about })
			] })]
		}, title))
	});
}
function First() {
	return /* @__PURE__ */ a("div", {
		class: "first",
		children: [
			/* @__PURE__ */ a("h2", { children: t("Ask, and it gets done") }),
			/* @__PURE__ */ a("p", {
				class: "muted",
				children: t("Antiphon answers from your knowledge and works with your tools. It names its sources, and asks you before it changes anything.")
			}),
			/* @__PURE__ */ a(Start, {}),
			/* @__PURE__ */ a("ul", {
				class: "first-examples",
				"aria-label": t("Examples"),
				children: EXAMPLES.map((text, n) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
					type: "button",
					class: "first-example",
					onClick: () => sendText(text),
					children: [/* @__PURE__ */ a(Icon, { name: ABOUT[n].icon }), /* @__PURE__ */ a("span", { children: [text, /* @__PURE__ */ a("small", { children: ABOUT[n].about })] })]
				}) }, text))
			})
		]
	});
}
// src/pages/conversation/live.tsx
/** While the microphone is on, and where something is in its way: how it stands, above the composer. */
var Waveform = lazy(() => __vitePreload(() => import("./waveform.js").then((part) => part.Waveform), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]), import.meta.url));
function Live() {
	const now = phase.value;
	const ears = trouble$1.value;
	const line = trouble.value;
	return /* @__PURE__ */ a($, { children: [ears || line ? /* @__PURE__ */ a("div", {
		class: "talk-trouble",
		role: "alert",
		children: [ears ? /* @__PURE__ */ a("p", { children: ears.message }) : null, line ? /* @__PURE__ */ a("p", { children: line.message }) : null]
	}) : null, /* @__PURE__ */ a("div", {
		class: `talk-live ${live.value ? "on" : ""}`,
		hidden: now === "off",
		children: [
			/* @__PURE__ */ a(Standing, {}),
			/* @__PURE__ */ a(Recorded, {}),
			live.value ? /* @__PURE__ */ a(Waveform, {}) : /* @__PURE__ */ a("span", { class: "spring" }),
			live.value && prefs.value.captions && caption.value ? /* @__PURE__ */ a("p", {
				class: "talk-caption",
				role: "group",
				"aria-label": t("Captions"),
				children: caption.value
			}) : null,
			now === "reconnecting" ? /* @__PURE__ */ a(Button, {
				icon: "refresh",
				onClick: reconnect,
				children: t("Try now")
			}) : null,
			now === "reconnecting" && !live.value ? /* @__PURE__ */ a(Button, {
				onClick: stop,
				children: t("Cancel")
			}) : null,
			now === "speaking" || now === "thinking" && live.value ? /* @__PURE__ */ a(Button, {
				icon: "stop",
				title: t("Esc does the same"),
				"data-tour": "vox-interrupt",
				onClick: interrupt,
				children: t("Interrupt")
			}) : null,
			live.value && listening.value ? /* @__PURE__ */ a(IconButton, {
				label: muted.value ? t("Unmute") : t("Mute"),
				icon: muted.value ? "mic-off" : "mic",
				"aria-pressed": muted.value,
				onClick: () => setMuted(!muted.value)
			}) : null,
			live.value ? /* @__PURE__ */ a(Button, {
				kind: "danger",
				icon: "close",
				onClick: hangUp,
				children: t("Hang up")
			}) : null
		]
	})] });
}
// src/pages/conversation/page.tsx
/** The conversation: by voice or in writing, in one place. `#/chat/<id>` is one of them; `#/vox` opens the same page. */
var Past = lazy(() => __vitePreload(() => import("./past.js").then((part) => part.Past), __vite__mapDeps([22,1,4,5,6,3,7,10,2,8,9,11,12,13,14,15,16,17,18,19,20,21,23,24,25,26,27]), import.meta.url));
var SourceDrawer = lazy(() => __vitePreload(() => import("./source.js").then((part) => part.SourceDrawer), __vite__mapDeps([28,5,6,1,4,3,29,11,10,12,26,2,7,8,9,13,14,15,16,17,18,19,20,21,25,23]), import.meta.url));
function Conversation() {
	const wanted = route.value.rest[0] ?? null;
	const came = T(true);
	A(() => {
		const { page } = route.peek();
		if (came.current && wanted === null && conversationId.peek()) go(at(page === "vox" ? "vox" : "chat", [conversationId.peek()]), true);
		else if (wanted !== conversationId.peek()) show(wanted);
		came.current = false;
		source.value = null;
	}, [wanted]);
	A(() => addShortcuts([
		{
			keys: "Space",
			label: t("Hold to talk, in push-to-talk"),
			group: t("Conversation")
		},
		{
			keys: "Esc",
			label: t("Interrupt the answer"),
			group: t("Conversation")
		},
		{
			keys: "Enter",
			label: t("Send the message"),
			group: t("Conversation")
		}
	]), []);
	const narrow = useNarrow();
	return /* @__PURE__ */ a("div", {
		class: `talk ${source.value ? "with-source" : ""}`,
		children: [
			narrow ? /* @__PURE__ */ a(PastSheet, {}) : /* @__PURE__ */ a("div", {
				class: "talk-past",
				children: /* @__PURE__ */ a(Past, {})
			}),
			/* @__PURE__ */ a("section", {
				class: "talk-said",
				"aria-label": t("Conversation"),
				children: [
					/* @__PURE__ */ a(Entries, {
						transcript,
						label: t("Transcript"),
						deeds,
						children: loading.value ? /* @__PURE__ */ a("div", {
							class: "loading",
							children: /* @__PURE__ */ a(Spinner, { label: t("Loading conversation") })
						}) : problem.value ? null : /* @__PURE__ */ a(First, {})
					}),
					problem.value ? /* @__PURE__ */ a(Problem, { error: problem.value }) : null,
					/* @__PURE__ */ a("p", {
						class: "hidden-visually",
						role: "status",
						children: announced.value
					}),
					/* @__PURE__ */ a(Live, {}),
					/* @__PURE__ */ a(Composer, {})
				]
			}),
			source.value ? /* @__PURE__ */ a(SourceDrawer, {
				id: source.value,
				onClose: () => source.value = null
			}) : null
		]
	});
}
/** On a narrow screen the other conversations come over this one. */
function PastSheet() {
	const [open, set] = d(false);
	return /* @__PURE__ */ a("div", {
		class: "talk-head",
		"data-tour": "chat-past",
		children: [
			/* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "list",
				"aria-haspopup": "dialog",
				onClick: () => set(true),
				children: t("Conversations")
			}),
			/* @__PURE__ */ a("span", { class: "spring" }),
			entries.value.length ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "plus",
				onClick: renew,
				children: t("New")
			}) : null,
			open ? /* @__PURE__ */ a(Dialog, {
				title: t("Conversations"),
				class: "past-sheet",
				onClose: () => set(false),
				children: /* @__PURE__ */ a(Past, { onChosen: () => set(false) })
			}) : null
		]
	});
}
export { changes as n, Conversation as t };
