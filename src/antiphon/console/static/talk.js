const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./conversation.js","./vendor-preact.js","./zone.js","./app.js","./backends.js","./http.js","./address.js","./load.js","./microphone.js","./bus.js","./ear.js","./player.js"])))=>i.map(i=>d[i]);
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
export { talking as a, talk as i, ask as n, conversation as r, TALK_PROFILE as t };
