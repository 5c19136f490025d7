const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./functions.js","./start.js","./vendor-preact.js","./load.js","./address.js","./http.js","./app.js","./router.js","./confirmations.js","./bus.js","./toasts.js","./kit.js","./icons.js","./talk.js","./blocked.js","./server-voice.js","./backends.js","./microphone.js","./words.js","./zone.js","./ear.js","./transcript.js"])))=>i.map(i=>d[i]);
import { p as __exportAll } from "./ear.js";
import { a as y } from "./vendor-preact.js";
import { c as said, d as words, l as send, t as ApiError } from "./http.js";
import { d as __vitePreload, l as t } from "./app.js";
import { n as askById } from "./confirmations.js";
import { i as recentCalls } from "./api2.js";
// src/pages/tools/tries.ts
/** The tries of this visit: what was sent under which key, and what came of it. */
var tries_exports = /* @__PURE__ */ __exportAll({
	attempt: () => attempt,
	opening: () => opening,
	tries: () => tries
});
var MOST = 50;
var tries = y([]);
/** The call that the page of its tool shows at first: it was made elsewhere. */
var opening = y(null);
var last = 0;
function change(id, members) {
	tries.value = tries.value.map((each) => each.id === id ? {
		...each,
		...members
	} : each);
}
var found = (id) => tries.value.find((each) => each.id === id);
var freshKey = () => `console-${crypto.randomUUID()}`;
var sessionOf = (mode) => mode === "voice" ? "rest-voice" : "rest-text";
function begin(toolId, args, mode, key) {
	const id = ++last;
	tries.value = [{
		id,
		toolId,
		mode,
		args,
		key,
		at: Date.now() / 1e3,
		state: "running"
	}, ...tries.value].slice(0, MOST);
	return id;
}
/** Calls a tool as anybody would. Never throws: what goes wrong is part of the try. */
async function attempt(toolId, args, mode, key = freshKey()) {
	const id = begin(toolId, args, mode, key);
	try {
		const answer = await send("POST", `/api/tools/${encodeURIComponent(toolId)}/call`, {
			args,
			mode
		}, { headers: { "Idempotency-Key": key } });
		const body = await answer.json();
		if (!isEnvelope(body)) throw new ApiError(answer.status, words(answer.status, body), body);
		const waits = body.error?.confirmation_request;
		change(id, {
			status: answer.status,
			envelope: body,
			state: waits ? "waiting" : "done"
		});
		await explain(id);
		if (waits) decide(id, waits.id);
	} catch (error) {
		change(id, {
			state: "done",
			problem: said(error),
			...error instanceof ApiError ? { status: error.status } : {}
		});
	}
	return found(id);
}
/** Asks the person, in the dialog that is the same everywhere, and shows what came of it. */
async function decide(id, confirmation) {
	try {
		const { outcome, result } = await askById(confirmation, sessionOf(found(id).mode));
		change(id, {
			state: "done",
			answered: outcome,
			...isEnvelope(result) ? { envelope: result } : {}
		});
		await explain(id);
	} catch (error) {
		change(id, {
			state: "done",
			problem: said(error)
		});
	}
}
/** A function of the browser, run by this one: the server has no part in it. */
async function attemptHere(toolId, args) {
	const id = begin(toolId, args, "text", freshKey());
	change(id, { here: true });
	const started = performance.now();
	const { run } = await __vitePreload(async () => {
		const { run } = await import("./functions.js");
		return { run };
	}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]), import.meta.url);
	const { success, error, ...data } = await run(toolId, args);
	const meta = {
		toolId,
		toolVersion: null,
		registryVersion: "",
		duration: performance.now() - started
	};
	const failed = {
		type: "PERMANENT",
		message: error ?? t("It failed."),
		retryable: false,
		partialSideEffects: false
	};
	change(id, {
		state: "done",
		envelope: success ? {
			ok: true,
			data,
			intents: [],
			meta
		} : {
			ok: false,
			error: failed,
			intents: [],
			meta
		}
	});
	return found(id);
}
/** The audit says which rule decided; the envelope does not. */
async function explain(id) {
	const { toolId, key } = found(id);
	try {
		const { lines } = await recentCalls(toolId, 10);
		const line = lines.find((each) => each.idempotencyKey === `client:${key}`);
		if (line) change(id, { line });
	} catch {}
}
function isEnvelope(body) {
	return !!body && typeof body === "object" && typeof body.ok === "boolean" && "meta" in body;
}
function forget(toolId) {
	tries.value = tries.value.filter((each) => each.toolId !== toolId);
}
export { isEnvelope as a, tries_exports as c, forget as i, attemptHere as n, opening as o, decide as r, tries as s, attempt as t };
