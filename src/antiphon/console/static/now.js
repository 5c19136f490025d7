import { f as d, s as A } from "./vendor-preact.js";
import { s as plural } from "./app.js";
// src/overlays/now.ts
/** Milliseconds of the epoch, again every `every` milliseconds: for what counts down. */
function useNow(every) {
	const [now, set] = d(Date.now);
	A(() => {
		set(Date.now());
		const timer = setInterval(() => set(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
/** `4:05`, rounded up: it is not over before it says so. */
function countdown(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1e3));
	const rest = String(seconds % 60).padStart(2, "0");
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}:${rest}`;
	return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
/** The same for a screen reader, which reads `4:05` as a time of day. */
function inWords(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1e3));
	if (seconds < 60) return plural(seconds, "{count} second", "{count} seconds");
	const minutes = Math.ceil(seconds / 60);
	return plural(minutes, "{count} minute", "{count} minutes");
}
export { inWords as n, useNow as r, countdown as t };
