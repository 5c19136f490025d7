const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./conversation.js","./vendor-preact.js","./zone.js","./app.js","./backends.js","./http.js","./address.js","./load.js","./microphone.js","./bus.js","./ear.js","./player.js","./written.js","./router.js","./confirmations.js","./notifications.js","./toasts.js","./start.js","./kit.js","./now.js"])))=>i.map(i=>d[i]);
import { o as y, r as O } from "./vendor-preact.js";
import { d as __vitePreload } from "./app.js";
// src/stores/talk.ts
/** The conversation, for the parts of the console that are there before it is loaded. */
/** The profile of the agent that answers on Talk and Chat: everything that the console has a page for. */
var TALK_PROFILE = "workspace";
/** Null until a page has needed it. */
var conversation = y(null);
/** One is open, or about to be. */
var talking = O(() => (conversation.value?.phase.value ?? "off") !== "off");
/** Begins to talk, from wherever the person is. */
async function talk() {
	const { start } = await __vitePreload(async () => {
		const { start } = await import("./conversation.js").then((n) => n.r);
		return { start };
	}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11]), import.meta.url);
	await start();
}
/** Puts a question to the agent, from wherever the person is. */
async function ask(text) {
	const { sendText } = await __vitePreload(async () => {
		const { sendText } = await import("./conversation.js").then((n) => n.r);
		return { sendText };
	}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11]), import.meta.url);
	sendText(text);
}
/** Puts words into the composer; they are sent when the person says so. */
async function compose(text) {
	const { draft } = await __vitePreload(async () => {
		const { draft } = await import("./written.js");
		return { draft };
	}, __vite__mapDeps([12,1,5,3,6,2,13,14,9,15,16,17,7,18,11,19,10,8,4,0]), import.meta.url);
	draft.value = draft.peek() ? `${draft.peek()}\n${text}` : text;
}
export { talk as a, conversation as i, ask as n, talking as o, compose as r, TALK_PROFILE as t };
