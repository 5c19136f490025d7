import { d, m as $, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { a as at } from "./router.js";
import { n as Icon } from "./icons.js";
import { c as Json, f as Spinner, t as Badge } from "./kit.js";
import { t as Readable } from "./readable.js";
import { i as duration } from "./time.js";
import { a as argsInWords, c as resultInWords } from "./words3.js";
// src/voice/view/tool-card.tsx
/** One call of a tool: a line that says what came of it, and everything else when it is opened. */
function ToolCard({ entry }) {
	const [open, set] = d(false);
	const outcome = entry.outcome.value;
	return /* @__PURE__ */ a("details", {
		class: `tool-card ${outcome && !outcome.ok && !isOpen(outcome) ? "failed" : ""}`,
		onToggle: (event) => {
			if (event.target === event.currentTarget) set(event.currentTarget.open);
		},
		children: [/* @__PURE__ */ a("summary", { children: [
			outcome ? /* @__PURE__ */ a(Icon, {
				name: outcome.ok || isOpen(outcome) ? "tool" : "warn",
				size: 16
			}) : /* @__PURE__ */ a(Spinner, { label: t("Running") }),
			/* @__PURE__ */ a("span", {
				class: "tool-name",
				children: entry.name
			}),
			/* @__PURE__ */ a("span", {
				class: "tool-line",
				children: [argsInWords(entry.args), outcome ? /* @__PURE__ */ a("span", {
					class: "tool-result",
					children: resultInWords(outcome)
				}) : null]
			}),
			/* @__PURE__ */ a(Marks, {
				decision: entry.decision,
				outcome
			}),
			outcome?.durationMs != null ? /* @__PURE__ */ a("span", {
				class: "tool-time number",
				children: duration(outcome.durationMs)
			}) : null
		] }), open ? /* @__PURE__ */ a(Details, {
			entry,
			outcome
		}) : null]
	});
}
/** The person was asked, and has not answered or said no: nothing went wrong. */
var isOpen = ({ errorType }) => errorType === "CONFIRMATION_REQUIRED" || errorType === "CANCELLED";
function Marks({ decision, outcome }) {
	return /* @__PURE__ */ a($, { children: [
		decision?.outcome === "refuse" ? /* @__PURE__ */ a(Badge, {
			kind: "bad",
			children: t("refused")
		}) : null,
		decision?.outcome === "confirm" ? /* @__PURE__ */ a(Badge, { children: t("asked you") }) : null,
		outcome?.replayed || decision?.outcome === "replay" ? /* @__PURE__ */ a(Badge, {
			kind: "accent",
			children: t("replayed")
		}) : null
	] });
}
var OUTCOMES = {
	run: t("allowed to run"),
	replay: t("answered from the record, not run again"),
	wait: t("waited for the same call, which was already running"),
	recover: t("looked up after an interruption"),
	confirm: t("waiting for a person's approval"),
	refuse: t("refused")
};
function Details({ entry, outcome }) {
	const { decision } = entry;
	const took = outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : "";
	return /* @__PURE__ */ a("div", {
		class: "tool-details",
		children: [
			/* @__PURE__ */ a("dl", { children: [
				decision ? /* @__PURE__ */ a(Line, {
					name: t("Decision"),
					children: OUTCOMES[decision.outcome] ?? decision.outcome
				}) : null,
				decision?.rule ? /* @__PURE__ */ a(Line, {
					name: t("Rule"),
					children: /* @__PURE__ */ a("code", { children: decision.rule })
				}) : null,
				/* @__PURE__ */ a(Line, {
					name: t("Ran"),
					children: [entry.here ? t("in this browser") : t("on the server"), took]
				}),
				outcome?.errorType ? /* @__PURE__ */ a(Line, {
					name: t("Error"),
					children: [
						/* @__PURE__ */ a("code", { children: outcome.errorType }),
						" ",
						outcome.error
					]
				}) : null,
				/* @__PURE__ */ a(Line, {
					name: t("Tool"),
					children: /* @__PURE__ */ a("a", {
						href: at("tools", [entry.name]),
						children: entry.name
					})
				})
			] }),
			/* @__PURE__ */ a("p", {
				class: "tool-part",
				children: t("Arguments")
			}),
			/* @__PURE__ */ a(Json, {
				value: entry.args,
				label: t("Arguments of {tool}", { tool: entry.name })
			}),
			outcome?.ok ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", {
				class: "tool-part",
				children: t("Result")
			}), /* @__PURE__ */ a("div", {
				class: "tool-result-box",
				children: /* @__PURE__ */ a(Readable, { value: outcome.result })
			})] }) : null,
			outcome ? /* @__PURE__ */ a("details", {
				class: "tool-raw",
				children: [/* @__PURE__ */ a("summary", { children: t("Result as JSON") }), /* @__PURE__ */ a(Json, {
					value: outcome.result,
					label: t("Result of {tool}", { tool: entry.name })
				})]
			}) : null
		]
	});
}
function Line({ name, children }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children })] });
}
export { ToolCard };
