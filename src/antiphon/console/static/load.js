import { a as y, d, i as x, l as T, o as A } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { d as words, i as onAnswer, t as ApiError } from "./http.js";
// src/stores/connection.ts
/** How it stands with the server: it answers, it is away, it does not know the person any more, or it is another one. */
var standing = y({ kind: "up" });
/** The server has another build of the console than the one that runs here. */
var outdated = y(false);
/** The build that runs here; empty while it is worked on. */
var MARK = () => document.querySelector("meta[name=\"build\"]")?.content ?? "";
/** A file that every build has, which only those get who are let in. */
var PROBE = "/console/build.json";
var PATIENCE_MS = 5e3;
var LONGEST_MS = 5e3;
/** Whoever comes back to the page after this time is told of a new version. */
var AGE_MS = 6e4;
/** Answers that say nothing about what was asked for, but about the server or the person. */
var ODD = /* @__PURE__ */ new Set([
	0,
	401,
	403,
	502,
	503,
	504
]);
var timer;
var asking = null;
var looked = 0;
/** Looks how it stands; several who want to know at once are told by one request. */
function check() {
	asking ??= look().finally(() => asking = null);
	return asking;
}
async function look() {
	clearTimeout(timer);
	looked = Date.now();
	let answer;
	try {
		answer = await fetch(address(PROBE), {
			cache: "no-store",
			signal: AbortSignal.timeout(PATIENCE_MS)
		});
	} catch {
		away();
		return;
	}
	if (answer.status === 401 || answer.status === 403) {
		const body = await answer.json().catch(() => null);
		standing.value = {
			kind: "signed-out",
			words: words(answer.status, body)
		};
	} else if (answer.status >= 500) away();
	else {
		const built = await answer.json().catch(() => null);
		if (MARK() && built?.sources) outdated.value = built.sources !== MARK();
		standing.value = { kind: "up" };
	}
}
function away() {
	const before = standing.value;
	const tries = before.kind === "away" ? before.tries + 1 : 1;
	const wait = Math.min(LONGEST_MS, 1e3 * tries);
	standing.value = {
		kind: "away",
		tries,
		next: Date.now() + wait
	};
	timer = setTimeout(() => void check(), wait);
}
/** Begins to watch; the answer stops it. */
function watchConnection() {
	const stop = onAnswer((status, own) => {
		if (ODD.has(status) && !own) {
			if (standing.value.kind === "up") check();
		} else if (standing.value.kind !== "up" && status > 0 && status < 400) check();
	});
	const back = () => {
		if (document.visibilityState !== "visible") return;
		if (standing.value.kind !== "up" || Date.now() - looked > AGE_MS) check();
	};
	const now = () => void check();
	looked = Date.now();
	document.addEventListener("visibilitychange", back);
	addEventListener("focus", back);
	addEventListener("online", now);
	addEventListener("offline", now);
	return () => {
		stop();
		clearTimeout(timer);
		document.removeEventListener("visibilitychange", back);
		removeEventListener("focus", back);
		removeEventListener("online", now);
		removeEventListener("offline", now);
	};
}
/** Calls `then` each time the server answers again after it was away, or did not know the person. */
function onReturn(then) {
	let before = standing.peek().kind;
	return x(() => {
		const { kind } = standing.value;
		const returned = kind === "up" && before !== "up";
		before = kind;
		if (returned) then();
	});
}
// src/api/load.ts
/** A server that cannot be reached is asked again after this time. */
var AWAY_MS = 3e3;
var isAway = (error) => error instanceof ApiError && error.status === 0;
/**
* What a page shows: `ask` is called when one of `inputs` changes; an answer that is overtaken by
* a later question is dropped. A server that is away is asked until it is back.
*/
function useLoad(ask, inputs) {
	const [state, set] = d({
		data: null,
		error: null,
		loading: true
	});
	const [round, again] = d(0);
	const latest = T(ask);
	latest.current = ask;
	A(() => {
		const leave = new AbortController();
		let timer;
		set((before) => ({
			...before,
			loading: true
		}));
		latest.current(leave.signal).then((data) => !leave.signal.aborted && set({
			data,
			error: null,
			loading: false
		}), (error) => {
			if (leave.signal.aborted) return;
			set((before) => ({
				data: before.data,
				error,
				loading: false
			}));
			if (isAway(error)) timer = setTimeout(() => again((count) => count + 1), AWAY_MS);
		});
		return () => {
			leave.abort();
			clearTimeout(timer);
		};
	}, [...inputs, round]);
	const failed = state.error !== null;
	A(() => failed ? onReturn(() => again((count) => count + 1)) : void 0, [failed]);
	const reload = () => {
		set((before) => ({
			...before,
			loading: true
		}));
		again((count) => count + 1);
	};
	return {
		...state,
		reload
	};
}
export { onReturn as a, watchConnection as c, check as i, isAway as n, outdated as o, useLoad as r, standing as s, AWAY_MS as t };
