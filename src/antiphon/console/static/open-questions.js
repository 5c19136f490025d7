import { r as get } from "./http.js";
import { a as named, d as settled, f as watchBy, i as held, o as openQuestions } from "./confirmations.js";
import { n as notify } from "./notifications.js";
// src/stores/open-questions.ts
/** What waits for an answer on the server, of whatever session, and what other tabs answer. */
var POLL_MS = 2e4;
var SOON_MS = 300;
var FIRST = 50;
var timer;
var watching = false;
var seen = /* @__PURE__ */ new Set();
/** Asks for the open ones now and then, and hears what other tabs answer. */
function watchOpen() {
	watching = true;
	const others = new BroadcastChannel("antiphon.confirmations");
	others.onmessage = ({ data }) => settled(data, "elsewhere");
	watchBy({
		opened: (id, what) => {
			notify(id, what);
			soon();
		},
		settled: (message) => {
			if (message) others.postMessage(message);
			soon();
		}
	});
	document.addEventListener("visibilitychange", soon);
	soon();
	return () => {
		watching = false;
		clearTimeout(timer);
		watchBy(null);
		others.close();
		document.removeEventListener("visibilitychange", soon);
	};
}
/** Something may be different. */
function soon() {
	clearTimeout(timer);
	if (watching) timer = setTimeout(() => void look(), SOON_MS);
}
async function look() {
	try {
		const found = await get("/api/confirmations", { query: {
			status: "pending",
			limit: FIRST
		} });
		openQuestions.value = found.open;
		const open = new Set(found.confirmations.map((each) => each.id));
		const here = held();
		for (const each of found.confirmations) {
			if (!seen.has(each.id) && !here.some(({ id }) => id === each.id)) notify(each.id, named(each));
			seen.add(each.id);
		}
		for (const { id } of here) if (found.open <= FIRST && !open.has(id)) await settle(id);
	} catch {}
	clearTimeout(timer);
	if (watching) timer = setTimeout(() => void look(), POLL_MS);
}
/** One that is not open any more: somebody answered it in another window, or its time ran out. */
async function settle(id) {
	const { status } = await get(`/api/confirmations/${encodeURIComponent(id)}`);
	if (status !== "pending" && held().some((each) => each.id === id && !each.told)) settled({
		id,
		outcome: status
	}, "elsewhere");
}
export { watchOpen };
