import { a as locale, o as number } from "./app.js";
// src/ui/time.ts
/** Times and amounts in words. Seconds of the epoch come from the server. */
var clock = new Intl.DateTimeFormat(locale, {
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit"
});
var minute = new Intl.DateTimeFormat(locale, {
	hour: "2-digit",
	minute: "2-digit"
});
var full = new Intl.DateTimeFormat(locale, {
	dateStyle: "medium",
	timeStyle: "medium"
});
var relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
var narrow = new Intl.RelativeTimeFormat(locale, { style: "narrow" });
var clockTime = (seconds) => clock.format(/* @__PURE__ */ new Date(seconds * 1e3));
/** Without seconds: a message is not a measurement. */
var minuteTime = (seconds) => minute.format(/* @__PURE__ */ new Date(seconds * 1e3));
var fullTime = (seconds) => full.format(/* @__PURE__ */ new Date(seconds * 1e3));
/** The same for a dense row. */
var briefAgo = (seconds) => ago(seconds, Date.now() / 1e3, narrow);
function ago(seconds, now = Date.now() / 1e3, words = relative) {
	const passed = seconds - now;
	for (const [unit, size] of [
		["day", 86400],
		["hour", 3600],
		["minute", 60]
	]) if (Math.abs(passed) >= size) return words.format(Math.round(passed / size), unit);
	return words.format(Math.round(passed), "second");
}
function duration(ms) {
	if (ms < 1) return "< 1 ms";
	if (ms < 1e3) return `${Math.round(ms)} ms`;
	if (ms < 6e4) return `${number(ms / 1e3, {
		minimumFractionDigits: 1,
		maximumFractionDigits: 1
	})} s`;
	return `${Math.floor(ms / 6e4)} min ${Math.round(ms % 6e4 / 1e3)} s`;
}
export { fullTime as a, duration as i, briefAgo as n, minuteTime as o, clockTime as r, ago as t };
