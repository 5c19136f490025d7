import { a as x, o as y, r as O } from "./vendor-preact.js";
// src/stores/prefs.ts
/** What the person chose, kept in this browser. */
var KEY = "antiphon.prefs";
var DEFAULTS = {
	theme: "system",
	backend: "",
	model: "",
	voice: "",
	handsFree: true,
	captions: true,
	speakAnswers: false,
	microphone: "",
	speaker: "",
	navOpen: true,
	tourSpeech: true
};
function stored() {
	try {
		const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		return {
			...DEFAULTS,
			...found
		};
	} catch {
		return DEFAULTS;
	}
}
var prefs = y(stored());
function prefer(change) {
	prefs.value = {
		...prefs.value,
		...change
	};
}
var darkness = matchMedia("(prefers-color-scheme: dark)");
var dark = y(darkness.matches);
darkness.addEventListener("change", () => {
	dark.value = darkness.matches;
});
/** What is seen: the person's choice, or what their system prefers. */
var shownTheme = O(() => {
	const { theme } = prefs.value;
	return theme === "system" ? dark.value ? "dark" : "light" : theme;
});
x(() => {
	document.documentElement.dataset["theme"] = shownTheme.value;
	try {
		localStorage.setItem(KEY, JSON.stringify(prefs.value));
	} catch {}
});
export { prefs as n, shownTheme as r, prefer as t };
