import { l as t } from "./app.js";
import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
// src/api/rules.ts
/** The gates that every call passes, as the server tells them. Asked for once. */
/** Titles of the gates that come with the server; those of a program's own are as it calls them. */
var TITLES = {
	registry: t("Same tools"),
	shape: t("Well formed"),
	duplicate: t("Not a repeat"),
	known: t("Known tool"),
	session: t("Session open"),
	mode: t("Mode"),
	availability: t("Available"),
	rate: t("Rate limit"),
	nesting: t("Nesting"),
	loop: t("No loop"),
	budget: t("Budget"),
	arguments: t("Arguments"),
	confirmation: t("Confirmed"),
	before_call: t("Program"),
	run: t("Execution")
};
var asked = null;
function loadRules() {
	asked ??= get("/api/rules").catch((error) => {
		asked = null;
		throw error;
	});
	return asked;
}
var useRules = () => useLoad(loadRules, []);
function ruleAbout(rules, rule) {
	return (rules?.gates.flatMap((gate) => gate.rules) ?? []).find((each) => each.id === rule)?.about ?? "";
}
var gateTitle = (rules, id) => TITLES[id] ?? rules?.gates.find((gate) => gate.id === id)?.title ?? id;
export { useRules as i, loadRules as n, ruleAbout as r, gateTitle as t };
