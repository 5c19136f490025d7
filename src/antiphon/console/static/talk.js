const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./conversation.js","./start.js","./vendor-preact.js","./load.js","./address.js","./http.js","./app.js","./router.js","./confirmations.js","./bus.js","./toasts.js","./kit.js","./icons.js","./blocked.js","./server-voice.js","./backends.js","./microphone.js","./words.js","./zone.js","./ear.js","./transcript.js","./thread.js"])))=>i.map(i=>d[i]);
import { a as y, n as O } from "./vendor-preact.js";
import { d as __vitePreload } from "./app.js";
// src/stores/talk.ts
/** The conversation, for the parts of the console that are there before it is loaded. */
/** The profile of the agent that answers: everything that the console has a page for. */
var TALK_PROFILE = "workspace";
/** Null until a page has needed it. */
var conversation = y(null);
/** The microphone is on, or about to be. */
var talking = O(() => conversation.value?.live.value ?? false);
/** Puts a question to the agent, from wherever the person is. */
async function ask(text) {
	const { sendText } = await __vitePreload(async () => {
		const { sendText } = await import("./conversation.js");
		return { sendText };
	}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]), import.meta.url);
	sendText(text);
}
/** Puts words into the composer; they are sent when the person says so. */
async function compose(text) {
	const { putDraft } = await __vitePreload(async () => {
		const { putDraft } = await import("./thread.js");
		return { putDraft };
	}, __vite__mapDeps([21,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]), import.meta.url);
	putDraft(text);
}
/** Turns the microphone on, from wherever the person is. */
async function talk() {
	const { start } = await __vitePreload(async () => {
		const { start } = await import("./conversation.js");
		return { start };
	}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]), import.meta.url);
	await start();
}
export { talk as a, conversation as i, ask as n, talking as o, compose as r, TALK_PROFILE as t };
