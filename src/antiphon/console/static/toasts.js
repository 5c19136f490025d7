import { a as y } from "./vendor-preact.js";
// src/stores/toasts.ts
/** Short messages in the corner. They are read out, and those that matter stay until closed. */
var toasts = y([]);
var STAYS_MS = 6e3;
var timers = /* @__PURE__ */ new Map();
var last = 0;
/** Shows one, or replaces the one with that `id`. Errors and work under way stay until closed. */
function toast(text, options = {}) {
	const id = options.id ?? ++last;
	const made = {
		kind: "info",
		...options,
		id,
		text
	};
	const at = toasts.value.findIndex((each) => each.id === id);
	toasts.value = at < 0 ? [...toasts.value, made].slice(-5) : toasts.value.with(at, made);
	wait(made);
	return id;
}
function wait({ id, kind, progress, stays }) {
	clearTimeout(timers.get(id));
	if (held || kind === "bad" || progress !== void 0 || stays) return;
	timers.set(id, setTimeout(() => dismiss(id), STAYS_MS));
}
var held = false;
/** While the person points at them or has gone to them, none goes away by itself. */
function holdToasts(on) {
	if (on === held) return;
	held = on;
	for (const each of toasts.value) wait(each);
}
function dismiss(id) {
	clearTimeout(timers.get(id));
	timers.delete(id);
	toasts.value = toasts.value.filter((each) => each.id !== id);
}
export { toasts as i, holdToasts as n, toast as r, dismiss as t };
