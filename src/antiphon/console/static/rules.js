import { r as get } from "./http.js";
import { r as useLoad } from "./load.js";
// src/api/rules.ts
/** The gates that every call passes, as the server tells them. Asked for once. */
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
var gateTitle = (rules, id) => rules?.gates.find((gate) => gate.id === id)?.title ?? id;
export { useRules as i, loadRules as n, ruleAbout as r, gateTitle as t };
