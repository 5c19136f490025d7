const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./tool-card.js","./vendor-preact.js","./app.js","./router.js","./icons.js","./kit.js","./toasts.js","./readable.js","./address.js","./markdown.js","./time.js","./artefacts.js","./figure.js"])))=>i.map(i=>d[i]);
import { d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { a as locale, d as __vitePreload, l as t, s as plural } from "./app.js";
import { d as words, l as send, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { a as at } from "./router.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
import { f as Spinner, n as Button, s as IconButton } from "./kit.js";
import { n as isMarkdown, o as titleOf, r as parts$1, t as cited } from "./words.js";
import { i as duration, o as minuteTime } from "./time.js";
import { t as Markdown } from "./markdown.js";
import { r as nameOf } from "./transcript.js";
import { t as Figure } from "./figure.js";
import { B as lazy } from "./start.js";
// src/voice/view/actions.tsx
/** What can be done with one message: copied, judged, asked again in other words, branched off. */
/** There when one points at the message, or comes to it by keyboard. */
function Actions({ near, entry, deeds, onEdit }) {
	const [open, set] = d(false);
	const opinion = entry.kind === "assistant" ? entry.opinion.value : null;
	return /* @__PURE__ */ a("div", {
		class: `entry-actions ${opinion ? "judged" : ""}`,
		role: "group",
		"aria-label": t("Message actions"),
		children: near || open || opinion ? /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a(IconButton, {
				label: t("Copy"),
				icon: "copy",
				onClick: () => void copy(entry.text.peek())
			}),
			entry.kind === "user" && deeds.askAgain && onEdit ? /* @__PURE__ */ a(IconButton, {
				label: t("Edit and ask again"),
				icon: "edit",
				onClick: onEdit
			}) : null,
			deeds.branch ? /* @__PURE__ */ a(IconButton, {
				label: t("Branch from here"),
				icon: "branch",
				onClick: () => void deeds.branch(entry)
			}) : null,
			entry.kind === "assistant" && deeds.judge ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Thumb, {
				entry,
				judge: deeds.judge,
				which: "up",
				label: t("Good answer")
			}), /* @__PURE__ */ a(Thumb, {
				entry,
				judge: deeds.judge,
				which: "down",
				label: t("Bad answer")
			})] }) : null
		] }) : /* @__PURE__ */ a("button", {
			type: "button",
			class: "entry-more",
			"aria-label": t("Message actions"),
			onFocus: () => set(true),
			onClick: () => set(true),
			children: "⋯"
		})
	});
}
function Thumb({ entry, judge, which, label }) {
	const on = entry.opinion.value === which;
	return /* @__PURE__ */ a(IconButton, {
		label,
		icon: `thumb-${which}`,
		"aria-pressed": on,
		class: on ? "on" : "",
		onClick: () => void judge(entry, on ? null : which)
	});
}
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		toast(t("Copied."), { kind: "good" });
	} catch {
		toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
	}
}
/** A message as it would have been better put. */
function Asking({ text, onAsk, onCancel }) {
	const [typed, type] = d(text);
	const box = T(null);
	F(() => {
		box.current.focus();
		box.current.setSelectionRange(text.length, text.length);
	}, []);
	const ask = () => typed.trim() && onAsk(typed.trim());
	return /* @__PURE__ */ a("form", {
		class: "asking",
		onSubmit: (event) => {
			event.preventDefault();
			ask();
		},
		children: [/* @__PURE__ */ a("textarea", {
			ref: box,
			"aria-label": t("Edited message"),
			value: typed,
			rows: 2,
			onInput: (event) => type(event.currentTarget.value),
			onKeyDown: (event) => {
				if (event.key === "Escape") {
					event.preventDefault();
					event.stopPropagation();
					onCancel();
				}
				if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
				event.preventDefault();
				ask();
			}
		}), /* @__PURE__ */ a("div", {
			class: "row",
			children: [
				/* @__PURE__ */ a("span", {
					class: "hint",
					children: t("This starts a branch. The original conversation stays as it is.")
				}),
				/* @__PURE__ */ a("span", { class: "spring" }),
				/* @__PURE__ */ a(Button, {
					onClick: onCancel,
					children: t("Cancel")
				}),
				/* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					disabled: !typed.trim(),
					children: t("Ask again")
				})
			]
		})]
	});
}
// src/voice/view/blocks.ts
/** In order. Whatever lies between two things that the person says is one answer. */
function blocks(entries) {
	const found = [];
	let open = null;
	for (const entry of entries) {
		if (entry.kind === "user") {
			open = null;
			found.push(entry);
			continue;
		}
		if (!open && entry.kind === "note") {
			found.push(entry);
			continue;
		}
		if (!open) found.push(open = {
			kind: "answer",
			id: entry.id,
			said: [],
			calls: [],
			images: [],
			notes: [],
			mark: ""
		});
		open.mark += `${entry.id},`;
		if (entry.kind === "assistant") open.said.push(entry);
		else if (entry.kind === "tool") open.calls.push(entry);
		else if (entry.kind === "image") open.images.push(entry);
		else open.notes.push(entry);
	}
	return found;
}
// src/voice/view/summary.ts
/** Calls in one line: what they were given, and what came of them. */
var LONG = 70;
var moments = new Intl.DateTimeFormat(locale, {
	dateStyle: "medium",
	timeStyle: "short"
});
var ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)/g;
/** Times as people write them, in place of those that machines do. */
function readableTimes(text) {
	return text.replace(ISO, (iso) => {
		const at = new Date(iso);
		return Number.isNaN(at.getTime()) ? iso : moments.format(at);
	});
}
/** What stands in place of a value that must not be shown. */
var HIDDEN = "[redacted]";
/** The values that say most: words before numbers. */
function argsInWords(args) {
	if (args === void 0 || args === null || args === HIDDEN) return "";
	if (typeof args !== "object") return cut(String(args));
	const values = Object.values(args).filter((value) => value !== HIDDEN);
	const texts = values.filter((value) => typeof value === "string" && value !== "");
	return cut((texts.length ? texts : values.filter((value) => typeof value === "number" || typeof value === "boolean")).map((value) => typeof value === "string" && value.includes(" ") ? `“${value}”` : String(value)).join(", "));
}
/** Under these names results are lists. */
var NOUNS = {
	results: "result",
	records: "record",
	databases: "database",
	messages: "message"
};
function resultInWords({ ok, error, errorType, result }) {
	if (!ok) return errorType === "CONFIRMATION_REQUIRED" ? t("waiting for your approval") : cut(error ?? t("failed"));
	if (result === null || typeof result !== "object") return result === void 0 || result === null ? t("done") : cut(String(result));
	const fields = Object.entries(result).filter(([name]) => name !== "success");
	const lists = fields.filter((field) => Array.isArray(field[1]));
	const said = fields.find(([name, value]) => [
		"summary",
		"answer",
		"message",
		"text"
	].includes(name) && typeof value === "string");
	if (said) return cut(said[1]);
	if (lists.length === 1) {
		const [name, list] = lists[0];
		const noun = NOUNS[name] ?? name.replace(/_/g, " ").replace(/s$/, "");
		return `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
	}
	const short = fields.filter(([, value]) => [
		"string",
		"number",
		"boolean"
	].includes(typeof value));
	if (!short.length) return t("done");
	return cut(short.slice(0, 3).map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`).join(", "));
}
function cut(text) {
	const line = readableTimes(text.replace(/\s+/g, " ").trim());
	return line.length > LONG ? `${line.slice(0, 69).trimEnd()}…` : line;
}
var SEARCHES = /* @__PURE__ */ new Set([
	"kb_search",
	"search_kg",
	"query_kg",
	"cross_kg_search"
]);
/** Looks around for the agent's own sake. */
var ASIDE = /^(list_|get_|describe_tool$|check_)/;
var isSearch = (name) => SEARCHES.has(name);
var isAside = (name) => ASIDE.test(name);
/** A tool of the catalogue is called through `run_tool`; people know it by its own name. */
function asPeopleKnowIt(call) {
	const { tool_id: name, params } = call.name === "run_tool" && call.args ? call.args : {};
	if (typeof name !== "string") return call;
	const inner = (call.outcome?.result)?.result;
	return {
		...call,
		name,
		args: params,
		outcome: call.outcome && {
			...call.outcome,
			...inner === void 0 ? {} : { result: inner }
		}
	};
}
/** "Searched 2 databases · 6 results · 127 ms" */
function inOneLine(made) {
	const calls = made.map(asPeopleKnowIt);
	const searches = calls.filter(({ name }) => isSearch(name));
	const others = calls.filter(({ name }) => !isSearch(name) && !isAside(name));
	const aside = calls.length - searches.length - others.length;
	const running = calls.some(({ outcome }) => outcome === null);
	const said = [];
	if (searches.length) said.push(...searched(searches, running));
	if (others.length === 1) said.push(one(others[0]));
	else if (others.length) {
		const names = [...new Set(others.map(({ name }) => nameOf(name)))];
		said.push(names.length <= 3 ? names.join(", ") : plural(others.length, "{count} tool call", "{count} tool calls"));
	}
	if (!said.length && aside) said.push(running ? t("Looking around") : t("Looked around"));
	const failed = calls.filter(({ outcome, consent }) => outcome && !outcome.ok && outcome.errorType !== "CONFIRMATION_REQUIRED" && consent === null && !refused(outcome));
	if (failed.length && calls.length > 1) said.push(t("{count} failed", { count: failed.length }));
	if (!running) {
		const ms = took(calls);
		if (ms !== null) said.push(duration(ms));
	}
	return said.join(" · ");
}
/** The person did not want it. */
var refused = ({ errorType }) => errorType === "CANCELLED" || errorType === "CONFIRMATION_DENIED";
function searched(searches, running) {
	const homes = new Set(searches.flatMap(({ args }) => databasesIn(args)));
	const count = Math.max(1, homes.size);
	if (running) return [plural(count, "Searching {count} database", "Searching {count} databases")];
	const results = searches.reduce((sum, { outcome }) => sum + resultsIn(outcome), 0);
	return [plural(count, "Searched {count} database", "Searched {count} databases"), plural(results, "{count} result", "{count} results")];
}
function databasesIn(args) {
	const { namespace, database_id, database_ids, database } = args ?? {};
	const named = database_ids ?? namespace ?? database_id ?? database;
	return (Array.isArray(named) ? named : [named]).filter((each) => typeof each === "string");
}
function resultsIn(outcome) {
	const { results } = outcome?.result ?? {};
	return Array.isArray(results) ? results.length : 0;
}
function one({ name, args, outcome, consent }) {
	if (consent === "denied") return t("{tool}: denied", { tool: nameOf(name) });
	if (!outcome) return t("{tool}…", { tool: nameOf(name) });
	if (outcome.errorType === "CONFIRMATION_REQUIRED") return consent === "approved" ? t("{tool}: approved", { tool: nameOf(name) }) : t("{tool}: waiting for your approval", { tool: nameOf(name) });
	const given = argsInWords(args);
	const came = resultInWords(outcome);
	return [
		nameOf(name),
		given,
		came === t("done") ? "" : came
	].filter(Boolean).join(" · ");
}
/** Calls at the same time count once. */
function took(calls) {
	const timed = calls.flatMap(({ at, outcome }) => outcome?.durationMs == null ? [] : [{
		from: at * 1e3,
		ms: outcome.durationMs
	}]);
	if (!timed.length) return null;
	const sum = timed.reduce((all, { ms }) => all + ms, 0);
	const longest = Math.max(...timed.map(({ ms }) => ms));
	const span = Math.max(...timed.map(({ from, ms }) => from + ms)) - Math.min(...timed.map(({ from }) => from));
	return Math.min(sum, Math.max(span, longest));
}
// src/voice/view/calls.tsx
/** All calls of an answer in one line, which opens to a card for each. */
var ToolCard = lazy(() => __vitePreload(() => import("./tool-card.js").then((card) => card.ToolCard), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10]), import.meta.url));
function Calls({ calls }) {
	const [open, set] = d(false);
	const facts = calls.map((entry) => ({
		name: entry.name,
		args: entry.args,
		at: entry.at,
		outcome: entry.outcome.value,
		consent: entry.consent.value
	}));
	const running = facts.some(({ outcome }) => outcome === null);
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry tool",
		children: /* @__PURE__ */ a("details", {
			class: "calls",
			onToggle: (event) => {
				if (event.target === event.currentTarget) set(event.currentTarget.open);
			},
			children: [/* @__PURE__ */ a("summary", { children: [running ? /* @__PURE__ */ a(Spinner, { label: t("Running") }) : /* @__PURE__ */ a(Icon, {
				name: "tool",
				size: 14
			}), /* @__PURE__ */ a("span", {
				class: "calls-line",
				children: inOneLine(facts)
			})] }), open ? /* @__PURE__ */ a("div", {
				class: "calls-cards",
				children: calls.map((entry) => /* @__PURE__ */ a(ToolCard, { entry }, entry.id))
			}) : null]
		})
	});
}
// src/voice/view/words.tsx
function Words({ text, heard, evidence, sources, onSource }) {
	if (isMarkdown(text)) return /* @__PURE__ */ a("div", {
		onClick: (event) => followed(event, onSource),
		children: /* @__PURE__ */ a(Markdown, { text: withLinks(text, sources) })
	});
	const numbers = cited(text, evidence, sources.value);
	const cut = heard !== null && heard < text.length ? heard : null;
	let at_ = 0;
	return /* @__PURE__ */ a("p", {
		class: "as-text",
		children: parts$1(text).map((piece) => {
			if ("cites" in piece) return piece.cites.map((id) => /* @__PURE__ */ a(Mark, {
				id,
				number: numbers.indexOf(id) + 1,
				sources,
				onSource
			}, id));
			const from = at_;
			at_ += piece.text.length;
			if (cut === null || cut >= at_) return piece.text;
			if (cut <= from) return /* @__PURE__ */ a("span", {
				class: "unheard",
				children: piece.text
			});
			return /* @__PURE__ */ a($, { children: [
				piece.text.slice(0, cut - from),
				/* @__PURE__ */ a("span", {
					class: "heard-to",
					role: "img",
					"aria-label": t("Heard up to here"),
					title: t("Heard up to here")
				}),
				/* @__PURE__ */ a("span", {
					class: "unheard",
					children: piece.text.slice(cut - from)
				})
			] });
		})
	});
}
/** What an answer rests on: its records, numbered as it cites them. */
function Sources({ text, evidence, sources, onSource }) {
	const found = cited(text, evidence, sources.value);
	if (!found.length) return null;
	return /* @__PURE__ */ a("p", {
		class: "evidence",
		children: [/* @__PURE__ */ a("span", {
			class: "hidden-visually",
			children: t("Sources")
		}), found.map((id, n) => {
			const source = sources.value.get(id);
			return /* @__PURE__ */ a("a", {
				class: "citation",
				href: placeOf(id, source),
				title: source?.snippet || id,
				onClick: (event) => opened(event, id, onSource),
				children: [/* @__PURE__ */ a("b", { children: n + 1 }), titleOf(id, source)]
			}, id);
		})]
	});
}
function Mark({ id, number, sources, onSource }) {
	const source = sources.value.get(id);
	return /* @__PURE__ */ a("a", {
		class: "citation mark",
		href: placeOf(id, source),
		title: titleOf(id, source),
		"aria-label": t("Source {number}: {title}", {
			number,
			title: titleOf(id, source)
		}),
		onClick: (event) => opened(event, id, onSource),
		children: number
	});
}
function opened(event, id, onSource) {
	if (!onSource || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	onSource(id);
}
/** Links of Markdown carry the id of their record as their title. */
function followed(event, onSource) {
	const id = event.target.closest("a[href^='#/kg-studio/']")?.getAttribute("title");
	if (id) opened(event, id, onSource);
}
/** Where a record can be read. */
function placeOf(id, source) {
	return source?.database ? at("kg-studio", [
		source.database,
		"record",
		id
	]) : at("kg-studio");
}
/** For Markdown: each citation as a link of its own. */
function withLinks(text, sources) {
	const escaped = (title) => title.replace(/[[\]\\]/g, "\\$&");
	return parts$1(text).map((piece) => {
		if ("text" in piece) return piece.text;
		return ` (${piece.cites.map((id) => {
			const source = sources.value.get(id);
			return `[${escaped(titleOf(id, source))}](<${placeOf(id, source)}> "${id}")`;
		}).join(", ")})`;
	}).join("");
}
// src/voice/view/entries.tsx
var Artefacts = lazy(() => __vitePreload(() => import("./artefacts.js").then((made) => made.Artefacts), __vite__mapDeps([11,8,2,1,4,5,6,7,9,12]), import.meta.url));
var NEAR_PX = 60;
function Entries({ transcript, label, deeds, children }) {
	const entries = transcript.entries.value;
	const box = T(null);
	const list = T(null);
	const follows = T(true);
	const [behind, set] = d(false);
	const elements = T(/* @__PURE__ */ new Map());
	const before = elements.current;
	elements.current = /* @__PURE__ */ new Map();
	const drawn = (block) => {
		const mark = block.kind === "answer" ? block.mark : "";
		const known = before.get(block.id);
		const element = known && known.mark === mark && (block.kind === "answer" || known.block === block) ? known.element : /* @__PURE__ */ a(One, {
			block,
			transcript,
			deeds
		}, block.id);
		elements.current.set(block.id, {
			block,
			mark,
			element
		});
		return element;
	};
	const toEnd = () => box.current?.scrollTo(0, box.current.scrollHeight);
	A(() => {
		const { current: scrolled } = box;
		let before = 0;
		const moved = () => {
			const { scrollHeight, scrollTop, clientHeight } = scrolled;
			if (scrollHeight - scrollTop - clientHeight < NEAR_PX || !transcript.entries.peek().length) follows.current = true;
			else if (scrollTop < before) follows.current = false;
			before = scrollTop;
			set(!follows.current);
		};
		const grown = new ResizeObserver(() => {
			if (follows.current && transcript.entries.peek().length) toEnd();
		});
		grown.observe(list.current);
		grown.observe(scrolled);
		scrolled.addEventListener("scroll", moved, { passive: true });
		return () => {
			grown.disconnect();
			scrolled.removeEventListener("scroll", moved);
		};
	}, []);
	return /* @__PURE__ */ a("div", {
		class: "entries-frame",
		"data-tour": "vox-transcript",
		children: [/* @__PURE__ */ a("div", {
			class: "entries",
			ref: box,
			tabIndex: 0,
			role: "region",
			"aria-label": label,
			"data-tour": "chat-messages",
			onClick: (event) => {
				if (event.target.closest("summary")) follows.current = false;
			},
			children: [entries.length ? null : children, /* @__PURE__ */ a("div", {
				role: "list",
				class: "entries-list",
				ref: list,
				children: parts(blocks(entries)).map((part, n) => /* @__PURE__ */ a("div", {
					class: "entries-part",
					role: "none",
					children: part.map(drawn)
				}, n))
			})]
		}), behind && entries.length ? /* @__PURE__ */ a(Button, {
			class: "entries-end",
			icon: "down",
			onClick: toEnd,
			children: t("Newest")
		}) : null]
	});
}
/** The browser skips whole parts that are out of sight; watching every entry would cost more. */
var PART = 10;
function parts(all) {
	return Array.from({ length: Math.ceil(all.length / PART) }, (_, n) => all.slice(n * PART, (n + 1) * PART));
}
function One({ block, transcript, deeds }) {
	if (block.kind === "user") return /* @__PURE__ */ a(FromPerson, {
		entry: block,
		deeds
	});
	if (block.kind === "note") return /* @__PURE__ */ a(Note, { entry: block });
	return /* @__PURE__ */ a(FromAgent, {
		answer: block,
		transcript,
		deeds
	});
}
function FromPerson({ entry, deeds }) {
	const [near, come] = d(false);
	const [editing, edit] = d(false);
	const open = entry.open.value;
	if (editing && deeds?.askAgain) return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry user editing",
		children: /* @__PURE__ */ a(Asking, {
			text: entry.text.value,
			onCancel: () => edit(false),
			onAsk: (text) => {
				edit(false);
				deeds.askAgain(entry, text);
			}
		})
	});
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry user ${open ? "open" : ""}`,
		onPointerEnter: () => come(true),
		children: [
			/* @__PURE__ */ a("p", {
				class: "who",
				children: [
					/* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: t("You")
					}),
					entry.spoken ? /* @__PURE__ */ a("span", {
						class: "spoken",
						title: t("Spoken"),
						children: [/* @__PURE__ */ a(Icon, {
							name: "mic",
							size: 13
						}), /* @__PURE__ */ a("span", {
							class: "hidden-visually",
							children: t("Spoken")
						})]
					}) : null,
					/* @__PURE__ */ a(Time, { at: entry.at })
				]
			}),
			/* @__PURE__ */ a("p", {
				class: "as-text bubble",
				children: entry.text.value
			}),
			deeds && !open ? /* @__PURE__ */ a(Actions, {
				near,
				entry,
				deeds,
				onEdit: () => edit(true)
			}) : null
		]
	});
}
/** What it says first, then what that rests on, and what was done for it in one line. */
function FromAgent({ answer, transcript, deeds }) {
	const { said, calls, images, notes } = answer;
	return /* @__PURE__ */ a($, { children: [
		said.map((entry, n) => /* @__PURE__ */ a(Said, {
			entry,
			first: n === 0,
			transcript,
			deeds
		}, entry.id)),
		images.map((entry) => /* @__PURE__ */ a(Shown, { entry }, entry.id)),
		calls.length ? /* @__PURE__ */ a(Artefacts, { calls }, "made") : null,
		calls.length ? /* @__PURE__ */ a(Calls, { calls }, "calls") : null,
		notes.map((entry) => /* @__PURE__ */ a(Note, { entry }, entry.id))
	] });
}
function Said({ entry, first, transcript, deeds }) {
	const [near, come] = d(false);
	const state = entry.state.value;
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry assistant ${state}`,
		"aria-busy": state === "open" || void 0,
		onPointerEnter: () => come(true),
		children: [
			first ? /* @__PURE__ */ a("p", {
				class: "who",
				children: ["Antiphon", /* @__PURE__ */ a(Time, { at: entry.at })]
			}) : null,
			/* @__PURE__ */ a(Words, {
				text: entry.text.value,
				heard: entry.heard.value,
				evidence: entry.evidence,
				sources: transcript.sources,
				onSource: deeds?.openSource
			}),
			/* @__PURE__ */ a(Sources, {
				text: entry.text.value,
				evidence: entry.evidence,
				sources: transcript.sources,
				onSource: deeds?.openSource
			}),
			state === "interrupted" || entry.heard.value !== null ? /* @__PURE__ */ a("p", {
				class: "cut",
				children: cutOff(state === "interrupted", entry.heard.value !== null)
			}) : null,
			deeds && state !== "open" ? /* @__PURE__ */ a(Actions, {
				near,
				entry,
				deeds
			}) : null
		]
	});
}
function cutOff(interrupted, marked) {
	if (!marked) return t("interrupted");
	return interrupted ? t("interrupted; heard up to the mark") : t("heard up to the mark");
}
function Shown({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry image",
		children: /* @__PURE__ */ a(Figure, { ...entry.picture })
	});
}
function Note({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry note ${entry.tone}`,
		children: /* @__PURE__ */ a("p", { children: entry.text })
	});
}
function Time({ at }) {
	return /* @__PURE__ */ a("time", {
		dateTime: (/* @__PURE__ */ new Date(at * 1e3)).toISOString(),
		children: minuteTime(at)
	});
}
// src/pages/conversation/api.ts
/** Conversations over HTTP. */
var path = (id, more = "") => `/api/conversations/${encodeURIComponent(id)}${more}`;
function listed(query, signal) {
	return get("/api/conversations", {
		query,
		signal
	});
}
/** Refused where somebody else has changed it meanwhile. */
async function change({ id, version }, what) {
	const answer = await send("PATCH", path(id), what, version === void 0 ? {} : { headers: { "If-Match": `"${version}"` } });
	const body = await answer.json().catch(() => null);
	if (!answer.ok) throw new ApiError(answer.status, words(answer.status, body), body);
}
var remove = (id) => del(path(id));
var share = (id) => post(path(id, "/share"));
var unshare = (id) => del(path(id, "/share"));
var exported = (id, format) => `${path(id, "/export")}?format=${format}`;
var readShared = (token, signal) => get(`/api/shared/${encodeURIComponent(token)}`, { signal });
/** A new conversation with everything before that message, or with the message too. */
var branch = (id, turn, include) => post(path(id, "/branch"), {
	turn,
	...include ? { include } : {}
});
var judge = (id, turn, value) => put(path(id, `/turns/${encodeURIComponent(turn)}/feedback`), { value });
/** What names a message at the server. One that was said just now is looked up there. */
async function turnOf(id, entry) {
	if (entry.stored) return entry.stored;
	const { entries } = await get(path(id));
	const found = entries.findLast((each) => each.kind === "said" && each.role === entry.kind && same(each.text, entry.text.peek()));
	if (found?.kind !== "said" || !found.turn) throw new ApiError(404, t("This message is not saved yet. Try again in a moment."));
	entry.stored = found.turn;
	return found.turn;
}
var same = (a, b) => a.trim() === b.trim();
export { listed as a, share as c, Entries as d, placeOf as f, resultInWords as g, isSearch as h, judge as i, turnOf as l, isAside as m, change as n, readShared as o, argsInWords as p, exported as r, remove as s, branch as t, unshare as u };
