const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./tool-card.js","./vendor-preact.js","./app.js","./router.js","./icons.js","./kit.js","./toasts.js","./readable.js","./address.js","./markdown.js","./time.js"])))=>i.map(i=>d[i]);
import { d, m as $, t as a } from "./vendor-preact.js";
import { a as locale, d as __vitePreload, l as t, s as plural } from "./app.js";
import { a as at } from "./router.js";
import { n as Icon } from "./icons.js";
import { f as Spinner } from "./kit.js";
import { n as isMarkdown, o as titleOf, r as parts, t as cited } from "./words.js";
import { i as duration } from "./time.js";
import { t as Markdown } from "./markdown.js";
import { r as nameOf } from "./transcript.js";
import { V as lazy } from "./start.js";
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
	const cut = heard !== null && heard < text.length ? heard : null;
	if (cut === null && isMarkdown(text)) return /* @__PURE__ */ a("div", {
		onClick: (event) => followed(event, onSource),
		children: /* @__PURE__ */ a(Markdown, { text: withLinks(text, sources) })
	});
	const numbers = cited(text, evidence, sources.value);
	let at_ = 0;
	return /* @__PURE__ */ a("p", {
		class: "as-text",
		children: parts(text).map((piece) => {
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
	return parts(text).map((piece) => {
		if ("text" in piece) return piece.text;
		return ` (${piece.cites.map((id) => {
			const source = sources.value.get(id);
			return `[${escaped(titleOf(id, source))}](<${placeOf(id, source)}> "${id}")`;
		}).join(", ")})`;
	}).join("");
}
export { argsInWords as a, resultInWords as c, Calls as i, Words as n, isAside as o, placeOf as r, isSearch as s, Sources as t };
