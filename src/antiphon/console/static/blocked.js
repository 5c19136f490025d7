import { a as y } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { n as on } from "./bus.js";
// src/stores/blocked.ts
/** A person who is kept out for a while: until when, and what was said about it. */
/** Null: talking and writing are open. It becomes null by itself when the time is over. */
var blocked = y(null);
var timer;
var LONGEST_MS = 2 ** 31 - 1;
function block(timeout) {
	const { timeoutUntil: until, message } = timeout;
	if (until <= Date.now()) return;
	blocked.value = {
		until,
		message: message || t("This conversation is paused.")
	};
	wait();
}
/** It was lifted: whoever is still kept out is told so again. */
function unblock() {
	clearTimeout(timer);
	blocked.value = null;
}
function wait() {
	clearTimeout(timer);
	const left = (blocked.value?.until ?? 0) - Date.now();
	if (left <= 0) blocked.value = null;
	else timer = setTimeout(wait, Math.min(left, LONGEST_MS));
}
on("timeout", block);
export { blocked as n, unblock as r, block as t };
