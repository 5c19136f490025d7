import { a as y, r } from "./vendor-preact.js";
import { l as t } from "./app.js";
// src/voice/transcript.ts
/**
* What was said and done, in order. Each entry has signals of its own, so that a word that is added
* concerns nobody but its entry; the list changes only when an entry comes or finds its place.
*/
/** An utterance of which nothing more was heard for so many seconds was none. */
var FORGOTTEN_S = 5;
var Transcript = class {
	now;
	entries = y([]);
	sources = y(/* @__PURE__ */ new Map());
	last = 0;
	/** How far the server's clock is ahead of ours. */
	ahead = null;
	/** The utterance that is being understood, and when it was last heard of. */
	partial = null;
	answer = null;
	/** What tools have found since the person spoke last. */
	found = [];
	passed = null;
	constructor(now = () => Date.now() / 1e3) {
		this.now = now;
	}
	/** What a message of the server changes. Those that are none of its business change nothing. */
	take(message) {
		r(() => this.taken(message));
	}
	taken(message) {
		this.dropForgotten();
		switch (message.type) {
			case "partial_transcript":
				if (message.role === "user") this.understood(message.text);
				break;
			case "transcript":
				if (message.role === "user") this.heard(message);
				else this.answered(message.text, message);
				break;
			case "text":
				if (message.filler) this.note(message.text);
				else this.answered(message.text, message);
				break;
			case "function_call":
				this.called(message);
				break;
			case "function_result":
				this.finish(message.fn_call_id, message.name, flatOutcome(message));
				break;
			case "turn_complete":
				this.closeAnswer(message.reason === "interrupted" ? "interrupted" : "done");
				break;
			case "interrupted":
				this.cutOff(message.turn_id, message.cut_in !== false);
				break;
			case "image":
				this.pictured(message);
				break;
			case "waiting": this.passing(message.message);
		}
	}
	/** Something that the person wrote, or that was recognised in this browser. */
	add(text, spoken = false) {
		this.closePerson();
		this.found = [];
		const entry = this.user(text, spoken, false);
		this.append(entry);
		return entry;
	}
	/** So far; replaced by what is understood next. */
	understood(text) {
		if (!this.partial) {
			if (!text) return;
			const entry = this.user(text, true, true);
			this.append(entry);
			this.partial = {
				entry,
				heard: this.now(),
				startedAt: null
			};
		}
		this.partial.entry.text.value = text;
		this.partial.heard = this.now();
	}
	/** A piece of an utterance that is understood for good; it stands where it began. */
	heard({ text, started_at: startedAt, final }) {
		if (this.partial && (this.partial.startedAt === null || this.partial.startedAt === startedAt)) {
			const { entry } = this.partial;
			entry.text.value = this.partial.startedAt === null ? text : entry.text.value + text;
			if (this.partial.startedAt === null && startedAt) this.place(entry, startedAt);
		} else {
			this.closePerson();
			const entry = this.user(text, true, true);
			if (startedAt) this.place(entry, startedAt);
			else this.append(entry);
			this.partial = {
				entry,
				heard: this.now(),
				startedAt
			};
		}
		this.partial.startedAt = startedAt ?? null;
		this.partial.heard = this.now();
		this.found = [];
		if (final) this.closePerson();
	}
	user(text, spoken, open) {
		return {
			kind: "user",
			id: ++this.last,
			at: this.time(),
			stored: null,
			spoken,
			text: y(text),
			open: y(open)
		};
	}
	closePerson() {
		if (this.partial) this.partial.entry.open.value = false;
		this.partial = null;
	}
	/** Noise that was taken for speech leaves a guess and no words. */
	dropForgotten() {
		const { partial } = this;
		if (!partial || partial.startedAt !== null || this.now() - partial.heard < FORGOTTEN_S) return;
		this.entries.value = this.entries.value.filter((each) => each !== partial.entry);
		this.partial = null;
	}
	answered(text, message = {}) {
		if (!text) return;
		this.dropPassing();
		const turn = message.turn_id ?? 0;
		if (this.partial?.startedAt != null) this.closePerson();
		if (!this.answer || this.answer.turn !== turn) {
			this.closeAnswer("done");
			this.answer = {
				kind: "assistant",
				id: ++this.last,
				at: this.time(),
				turn,
				evidence: this.found,
				text: y(""),
				state: y("open"),
				stored: null,
				heard: y(null),
				opinion: y(null)
			};
			this.append(this.answer);
		}
		const before = this.answer.text.value;
		const corrected = message.replaces && before.endsWith(message.replaces);
		this.answer.text.value = (corrected ? before.slice(0, -message.replaces.length) : before) + text;
	}
	/** The answer in hand is over. */
	closeAnswer(state) {
		if (this.answer && this.answer.state.value === "open") this.answer.state.value = state;
		this.answer = null;
	}
	/** No more of it comes. `cutIn`: because the person did not want to hear it to its end. */
	cutOff(turn, cutIn) {
		const cut = this.entries.value.findLast((each) => each.kind === "assistant" && each.turn === turn);
		if (cut && (cutIn || cut.state.value === "open")) cut.state.value = cutIn ? "interrupted" : "done";
		if (cut === this.answer) this.answer = null;
	}
	called(message) {
		this.closeAnswer("done");
		this.dropPassing();
		if (typeof message.started_at === "number") this.ahead = Math.max(this.ahead ?? -Infinity, message.started_at - this.now());
		const entry = {
			kind: "tool",
			id: ++this.last,
			at: this.time(),
			callId: message.fn_call_id ?? null,
			name: message.name,
			args: message.args,
			decision: message.decision ?? null,
			here: message.server_handled === false,
			outcome: y(null),
			consent: y(null)
		};
		this.append(entry);
		return entry;
	}
	/** A call that ran in this browser. */
	ranHere(callId) {
		const entry = this.entries.peek().findLast((each) => each.kind === "tool" && each.callId === callId);
		if (entry) entry.here = true;
	}
	/** What came of a call; ids that a model made up may come again, so the last one counts. */
	finish(callId, name, outcome) {
		const waiting = this.entries.value.findLast((each) => each.kind === "tool" && each.callId === (callId ?? null) && (!name || each.name === name));
		if (!waiting) return;
		waiting.outcome.value = outcome;
		this.learn(outcome.result, waiting.args);
	}
	/** Remembers what was found, so that citations can be told by their titles. */
	learn(result, args) {
		const found = /* @__PURE__ */ new Map();
		collect(result, homeOf(args), found, 0);
		if (!found.size) return;
		this.found = [...this.found, ...found.keys()];
		this.sources.value = new Map([...this.sources.value, ...found]);
	}
	pictured(message) {
		const { id: key, url, caption, alt, width, height } = message;
		if (this.entries.value.some((each) => each.kind === "image" && each.key === key)) return;
		this.closeAnswer("done");
		this.append({
			kind: "image",
			id: ++this.last,
			at: this.time(),
			key: String(key),
			picture: {
				url,
				caption,
				alt: alt ?? "",
				width,
				height
			}
		});
	}
	note(text, tone = "info") {
		this.append({
			kind: "note",
			id: ++this.last,
			at: this.time(),
			tone,
			text
		});
	}
	/** A note that is true until the agent says or does something. */
	passing(text) {
		this.dropPassing();
		this.note(text);
		this.passed = this.entries.peek().at(-1);
	}
	dropPassing() {
		if (this.passed) this.remove(this.passed);
		this.passed = null;
	}
	/** What a person has decided about a call. The agent says what came of it; nobody else has to. */
	resolved(tool, outcome) {
		const asked = this.entries.peek().findLast((each) => each.kind === "tool" && each.name === tool);
		if (asked) asked.consent.value = outcome;
		if (outcome === "expired") this.note(t("No one answered in time, so {tool} was not run.", { tool: nameOf(tool) }));
		else if (outcome !== "approved" && outcome !== "denied") this.note(t("{tool} was not run: the approval is out of date.", { tool: nameOf(tool) }));
	}
	/** Something that did not become part of the conversation after all. */
	remove(entry) {
		this.entries.value = this.entries.value.filter((each) => each !== entry);
	}
	/** How far the answer of a turn was heard when its speech was stopped: a share of it. */
	heardUpTo(turn, share) {
		const cut = this.entries.peek().findLast((each) => each.kind === "assistant" && each.turn === turn);
		if (!cut || share >= 1) return;
		const text = cut.text.peek();
		const end = text.indexOf(" ", Math.round(text.length * share));
		if (end > 0) cut.heard.value = end;
	}
	/** The line is lost: whatever was being said is not said to its end. */
	interrupted() {
		this.dropPassing();
		this.closePerson();
		this.closeAnswer("interrupted");
	}
	/** Entries from before, such as those of a conversation that is taken up again. */
	restore(entries) {
		this.last = Math.max(this.last, ...entries.map((each) => each.id));
		this.partial = this.answer = null;
		this.entries.value = entries;
		for (const each of entries) if (each.kind === "tool") this.learn(each.outcome.peek()?.result, each.args);
		else if (each.kind === "user") this.found = [];
		else if (each.kind === "assistant") {
			if (!each.evidence.length) each.evidence = this.found;
			if (each.known?.size) this.sources.value = new Map([...this.sources.value, ...each.known]);
		}
	}
	clear() {
		this.partial = this.answer = null;
		this.found = [];
		this.ahead = null;
		this.entries.value = [];
		this.sources.value = /* @__PURE__ */ new Map();
	}
	time() {
		return this.now() + (this.ahead ?? 0);
	}
	/** At the end, whatever its clock says. */
	append(entry) {
		const last = this.entries.value.at(-1);
		if (last && entry.at < last.at) entry.at = last.at;
		this.entries.value = [...this.entries.value, entry];
	}
	/** Where it began: an answer may have begun before its question was understood. */
	place(entry, at) {
		const others = this.entries.value.filter((each) => each !== entry);
		entry.at = at;
		const before = others.findLastIndex((each) => each.at <= at);
		this.entries.value = others.toSpliced(before + 1, 0, entry);
	}
};
/** A tool in words: `calendar_create_event` is "Calendar create event". */
function nameOf(tool) {
	const words = tool.replace(/[_-]+/g, " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
}
/** From `function_result`: `success` beside the data. */
function flatOutcome(message) {
	const { result, meta } = message;
	const ok = result?.["success"] !== false;
	return {
		ok,
		result,
		error: ok ? null : String(result?.["error"] ?? t("It failed without a message.")),
		errorType: ok ? null : result?.["error_type"] ?? null,
		durationMs: typeof meta["duration"] === "number" ? meta["duration"] : null,
		replayed: meta["replayed"] === true,
		meta
	};
}
/** From an envelope, as the chat and the store have it. */
function envelopeOutcome(envelope, durationMs) {
	const meta = envelope?.meta ?? {};
	const ok = envelope?.ok === true;
	return {
		ok,
		result: ok ? envelope?.data : envelope?.error,
		error: ok ? null : envelope?.error?.message ?? t("It failed without a message."),
		errorType: ok ? null : envelope?.error?.type ?? null,
		durationMs: durationMs ?? (typeof meta["duration"] === "number" ? meta["duration"] : null),
		replayed: meta["replayed"] === true,
		meta
	};
}
/** The database that something is about; the tools call it by one of these names. */
function homeOf(fields) {
	const { database_id, database, namespace } = fields ?? {};
	const named = database_id ?? database ?? namespace;
	return typeof named === "string" ? named : null;
}
var RECORD_ID = /^[a-z][a-z0-9_]*:[^\s()]+$/;
var DEEP = 4;
function collect(value, database, into, depth) {
	if (depth > DEEP || value === null || typeof value !== "object") return;
	if (Array.isArray(value)) {
		for (const each of value) collect(each, database, into, depth + 1);
		return;
	}
	const record = value;
	const home = homeOf(record) ?? database;
	const { id, title } = record;
	if (typeof id === "string" && typeof title === "string" && RECORD_ID.test(id)) into.set(id, {
		title,
		snippet: String(record["snippet"] ?? ""),
		database: home
	});
	for (const each of Object.values(record)) if (typeof each === "object") collect(each, home, into, depth + 1);
}
export { envelopeOutcome as n, nameOf as r, Transcript as t };
