import { r as ruleAbout, t as gateTitle } from "./rules.js";
import { l as t, s as plural } from "./app.js";
import { n as Icon } from "./icons.js";
import { t as a } from "./vendor-preact.js";
// src/ui/gates.tsx
/** A call's way through the gates: small for a line, and in full with what each gate sees to. */
var WORDS = {
	passed: "passed",
	idle: t("not applicable"),
	stopped: t("stopped here"),
	asked: t("approval asked"),
	answered: t("answered from the record"),
	ran: "ran",
	not_reached: t("not reached")
};
var ICONS = {
	passed: "check",
	stopped: "close",
	asked: "shield",
	answered: "copy",
	ran: "play"
};
var DECIDED = [
	"stopped",
	"asked",
	"answered",
	"ran"
];
var decidedAt = (gates) => gates.find((gate) => DECIDED.includes(gate.outcome));
/** In one sentence where the way ended. */
function wayInWords(gates, rules) {
	const end = decidedAt(gates);
	if (!end) return "";
	const passed = gates.filter((gate) => gate.outcome === "passed").length;
	const title = gateTitle(rules, end.id);
	if (end.outcome === "ran") return plural(passed, "Passed {count} gate and ran", "Passed {count} gates and ran");
	const gate = `“${title}”${end.rule && end.rule !== end.id ? ` (${end.rule})` : ""}`;
	if (end.outcome === "asked") return plural(passed, "Approval asked at {gate} after {count} gate", "Approval asked at {gate} after {count} gates", { gate });
	if (end.outcome === "answered") return plural(passed, "Answered at {gate} after {count} gate", "Answered at {gate} after {count} gates", { gate });
	return plural(passed, "Stopped at {gate} after {count} gate", "Stopped at {gate} after {count} gates", { gate });
}
/** Dots in the order of the gates; the sentence beside it says the same. */
function GateStrip({ gates, rules }) {
	if (!gates.length) return null;
	return /* @__PURE__ */ a("span", {
		class: "gates-strip",
		children: [/* @__PURE__ */ a("span", {
			class: "gates-dots",
			"aria-hidden": "true",
			children: gates.map((gate) => /* @__PURE__ */ a("i", {
				class: gate.outcome,
				title: `${gateTitle(rules, gate.id)}: ${WORDS[gate.outcome]}`
			}, gate.id))
		}), /* @__PURE__ */ a("span", {
			class: "gates-words",
			children: wayInWords(gates, rules)
		})]
	});
}
function GateList({ gates, rules }) {
	if (!gates.length) return null;
	return /* @__PURE__ */ a("ol", {
		class: "gates-list",
		"aria-label": t("Gates in order"),
		children: gates.map((gate) => /* @__PURE__ */ a("li", {
			class: gate.outcome,
			children: [
				/* @__PURE__ */ a("span", {
					class: "gates-mark",
					children: ICONS[gate.outcome] ? /* @__PURE__ */ a(Icon, {
						name: ICONS[gate.outcome],
						size: 13
					}) : null
				}),
				/* @__PURE__ */ a("span", {
					class: "gates-title",
					children: gateTitle(rules, gate.id)
				}),
				/* @__PURE__ */ a("span", {
					class: "gates-outcome",
					children: WORDS[gate.outcome]
				}),
				gate.rule && gate.outcome !== "ran" ? /* @__PURE__ */ a("span", {
					class: "gates-rule",
					children: [
						/* @__PURE__ */ a("code", { children: gate.rule }),
						" ",
						ruleAbout(rules, gate.rule)
					]
				}) : null
			]
		}, gate.id))
	});
}
export { GateStrip as n, GateList as t };
