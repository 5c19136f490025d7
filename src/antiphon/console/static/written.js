import { i as r, o as y } from "./vendor-preact.js";
import { c as said, d as words, l as send, t as ApiError } from "./http.js";
import { t as zoneHere } from "./zone.js";
import { a as at, d as route, o as go } from "./router.js";
import { d as settled, l as remind, s as overHttp, t as ask } from "./confirmations.js";
import { c as block } from "./start.js";
import { p as prefs } from "./app.js";
import { t as TALK_PROFILE } from "./talk.js";
import { o as modelFor } from "./backends.js";
import { t as heard } from "./bus.js";
import { D as envelopeOutcome, E as Transcript, T as loadEntries, _ as start, w as entriesOf } from "./conversation.js";
// src/pages/chat/events.ts
var EventReader = class {
	rest = "";
	/** The events that are whole now. Comments, which keep the line open, are none. */
	feed(piece) {
		this.rest += piece;
		const blocks = this.rest.split(/\r?\n\r?\n/);
		this.rest = blocks.pop();
		return blocks.flatMap((block) => {
			const data = block.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, "")).join("\n");
			return data ? [JSON.parse(data)] : [];
		});
	}
};
/** All events of an answer, as they come. */
async function* events(body) {
	const reader = new EventReader();
	const decoder = new TextDecoder();
	const pieces = body.getReader();
	try {
		for (;;) {
			const { done, value } = await pieces.read();
			if (done) return;
			yield* reader.feed(decoder.decode(value, { stream: true }));
		}
	} finally {
		pieces.releaseLock();
	}
}
// src/pages/chat/written.ts
/** The conversation in writing. It goes on while another page is open. */
var transcript = new Transcript();
/** Null: a new one, of which nothing was said yet. */
var sessionId = y(null);
var answering = y(false);
var loading = y(false);
var problem = y(null);
/** What was written and not sent. */
var draft = y("");
/** Who answers in a new conversation; an old one keeps its own. */
var profile = y(TALK_PROFILE);
/** Who has answered last. */
var answeredBy = y(null);
/** The answer to what was asked last, for those who hear the page. */
var announced = y("");
var turn = 0;
var stopping = null;
/** Loads that were overtaken come to nothing. */
var round = 0;
/** Shows a conversation; null: begins a new one. */
async function open(id) {
	if (id === sessionId.value && (id !== null || !transcript.entries.value.length)) return;
	const mine = ++round;
	stop();
	r(() => {
		transcript.clear();
		sessionId.value = id;
		problem.value = answeredBy.value = null;
		answering.value = false;
		loading.value = id !== null;
	});
	if (id === null) return;
	try {
		const stored = await loadEntries(id);
		if (mine !== round) return;
		transcript.restore(entriesOf(stored));
		await remind(id);
	} catch (error) {
		if (mine === round) problem.value = error;
	} finally {
		if (mine === round) loading.value = false;
	}
}
/** Goes on in writing with what was said by voice, which the page already shows. */
function takeOver(id, entries) {
	round++;
	stop();
	r(() => {
		transcript.clear();
		transcript.restore(entries.filter((each) => each.kind !== "note"));
		sessionId.value = id;
		problem.value = answeredBy.value = null;
		loading.value = answering.value = false;
	});
}
/** Stops the answer: what was called and only reads is cancelled, a write under way is finished. */
function stop() {
	stopping?.abort();
	stopping = null;
}
async function write(text) {
	transcript.add(text);
	if (!await answer(text)) draft.value ||= text;
}
/** Lets the agent go on with what came of earlier calls, such as one that was approved. */
async function goOn() {
	if (!answering.value) await answer(null);
}
/** One turn. False: it did not begin, and `problem` says why. */
async function answer(message) {
	const leave = stopping = new AbortController();
	const mine = round;
	turn++;
	answering.value = true;
	problem.value = null;
	announced.value = "";
	try {
		const { backend } = prefs.value;
		const model = modelFor("text");
		const response = await posted({
			...message === null ? {} : { message },
			...sessionId.value ? { session_id: sessionId.value } : { profile: profile.value },
			...backend ? { backend } : {},
			...model ? { model } : {},
			time_zone: zoneHere()
		}, leave.signal);
		for await (const event of events(response.body)) if (mine === round) take(event);
		return true;
	} catch (error) {
		if (leave.signal.aborted) {
			transcript.interrupted();
			return true;
		}
		transcript.interrupted();
		problem.value = error instanceof ApiError ? error : /* @__PURE__ */ new Error(`The answer broke off: ${said(error)}`);
		return false;
	} finally {
		if (stopping === leave) stopping = null;
		if (mine === round) answering.value = false;
	}
}
/** An answer that was stopped needs a moment to end, and until then the next one is refused. */
var AGAIN_MS = 300;
var TIMES = 6;
async function posted(body, signal) {
	for (let time = 1;; time++) {
		const response = await send("POST", "/api/chat", body, {
			headers: { Accept: "text/event-stream" },
			signal
		});
		if (response.ok && response.body) return response;
		const refused = await refusal(response);
		if (refused.body?.kind !== "busy" || time === TIMES) throw refused;
		await new Promise((wake) => setTimeout(wake, AGAIN_MS));
	}
}
async function refusal(response) {
	const body = await response.json().catch(() => null);
	if (body?.timeout) block({
		...body.timeout,
		message: body.detail ?? ""
	});
	return new ApiError(response.status, words(response.status, body), body);
}
function take(event) {
	switch (event.type) {
		case "session":
			began(event);
			break;
		case "text":
			transcript.answered(event.delta, { turn_id: turn });
			break;
		case "tool_call":
			transcript.called({
				...event,
				fn_call_id: event.id,
				server_handled: true
			});
			break;
		case "tool_result":
			transcript.finish(event.id, event.name, envelopeOutcome(event.envelope, event.duration));
			break;
		case "late_result":
			transcript.finish(event.id, event.name, envelopeOutcome(event.envelope));
			break;
		case "confirmation_required":
			confirm(event);
			break;
		case "confirmation_resolved":
			settled(event);
			break;
		case "image":
			transcript.pictured(event);
			break;
		case "timeout":
			block(event);
			break;
		case "message":
			if (event.message.type) heard(event.message);
			break;
		case "async_task_started":
		case "async_task_progress":
		case "async_task_complete":
			heard(event);
			break;
		case "notice":
		case "error":
			transcript.note(event.message, event.type === "error" ? "bad" : "info");
			break;
		case "done": finished(event);
	}
}
function began({ session_id: id, backend, model, profile: who, continued_from: from }) {
	answeredBy.value = {
		backend,
		model,
		profile: who
	};
	if (from) transcript.note("Here the conversation goes on in writing.");
	if (id === sessionId.value) return;
	sessionId.value = id;
	if (route.value.page === "chat") go(at("chat", [id]), true);
}
function finished(event) {
	transcript.closeAnswer(event.finish === "interrupted" ? "interrupted" : "done");
	announced.value = event.message ?? "";
	if (event.startVoiceSession) toVoice(event.pendingRequest);
}
/** The person is asked; whatever they say, the agent hears of it and goes on. */
async function confirm(question) {
	const mine = round;
	const { outcome } = await ask(question, overHttp(question));
	if (mine !== round) return;
	transcript.resolved(question.tool, outcome);
	if (outcome !== "expired") await goOn();
}
/** The same conversation, spoken from here on. */
async function toVoice(pendingRequest) {
	const conversation = sessionId.value ?? void 0;
	const who = answeredBy.value?.profile;
	go(at("vox"));
	await start({
		...conversation ? { conversation } : {},
		...who ? { profile: who } : {},
		...pendingRequest ? { pendingRequest } : {}
	});
}
export { announced, answeredBy, answering, draft, loading, open, problem, profile, sessionId, stop, takeOver, toVoice, transcript, write };
