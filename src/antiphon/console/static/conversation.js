import { a as x, i as r, o as y, r as O } from "./vendor-preact.js";
import { t as zoneHere } from "./zone.js";
import { f as prefer, p as prefs } from "./app.js";
import { i as conversation } from "./talk.js";
import { c as speaksHere, r as choice } from "./backends.js";
import { i as speakThrough, r as say, t as heard } from "./bus.js";
import { c as mute, d as recognise, l as open$1, n as close, o as listening, p as __exportAll, r as ear_exports, s as microphone, t as attach } from "./ear.js";
import { r as get } from "./http.js";
import { t as address } from "./address.js";
import { i as BrowserVoice, l as plain } from "./microphone.js";
import { t as Player } from "./player.js";
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
			case "waiting": this.note(message.message);
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
				state: y("open")
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
			outcome: y(null)
		};
		this.append(entry);
		return entry;
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
	/** What a person has decided about a call. */
	resolved(tool, outcome) {
		if (outcome === "approved") this.note(`You approved ${tool}.`, "good");
		else if (outcome === "denied") this.note(`You denied ${tool}. Nothing was done.`);
		else if (outcome === "expired") this.note(`Nobody answered in time, so ${tool} was denied.`);
		else this.note(`${tool} was not run: what was asked is out of date.`);
	}
	/** The line is lost: whatever was being said is not said to its end. */
	interrupted() {
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
		else if (each.kind === "assistant") each.evidence = this.found;
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
/** From `function_result`: `success` beside the data. */
function flatOutcome(message) {
	const { result, meta } = message;
	const ok = result?.["success"] !== false;
	return {
		ok,
		result,
		error: ok ? null : String(result?.["error"] ?? "It failed and said no more."),
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
		error: ok ? null : envelope?.error?.message ?? "It failed and said no more.",
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
// src/voice/stored.ts
/** A conversation as the server keeps it (`/api/sessions/{id}/timeline`), as entries of a transcript. */
/** More pages than this nobody reads. */
var MOST_PAGES = 5;
/** All that was said in a session, and in those by voice that it goes on with. Throws ApiError. */
async function loadEntries(sessionId, signal, depth = 0) {
	const found = [];
	let before = null;
	let from = null;
	for (let page = 0; page < MOST_PAGES; page++) {
		const timeline = await get(`/api/sessions/${encodeURIComponent(sessionId)}/timeline`, {
			...before === null ? {} : { query: { before } },
			...signal ? { signal } : {}
		});
		found.unshift(...timeline.turns.flatMap((turn) => turn.entries));
		from = timeline.continued_from;
		before = timeline.next_before;
		if (before === null) break;
	}
	if (from && depth < MOST_PAGES) found.unshift(...await loadEntries(from, signal, depth + 1));
	return found;
}
function entriesOf(stored) {
	return stored.flatMap((each, n) => {
		const base = {
			id: n - stored.length,
			at: each.at
		};
		if (each.kind === "said") {
			if (each.role === "system") return [];
			if (each.role === "assistant") {
				const state = each.interrupted ? "interrupted" : "done";
				return [{
					...base,
					kind: "assistant",
					turn: -1,
					text: y(each.text),
					state: y(state),
					evidence: []
				}];
			}
			const spoken = each.channel === "voice";
			return [{
				...base,
				kind: "user",
				spoken,
				text: y(each.text),
				open: y(false)
			}];
		}
		if (each.kind === "image") {
			const { id: key, url, caption, alt, width, height } = each;
			return [{
				...base,
				kind: "image",
				key,
				picture: {
					url,
					caption,
					alt,
					width,
					height
				}
			}];
		}
		if (each.kind !== "call" || each.source === "tool") return [];
		const outcome = envelopeOutcome(each.answer ?? {
			ok: each.ok,
			data: null,
			error: {
				type: each.error_type,
				message: each.error_type
			}
		}, each.duration ?? void 0);
		return [{
			...base,
			kind: "tool",
			callId: each.call_id,
			name: each.tool,
			args: each.args,
			decision: each.decision ? {
				outcome: each.decision,
				rule: each.rule
			} : null,
			here: false,
			outcome: y({
				...outcome,
				replayed: each.replayed
			})
		}];
	});
}
// src/voice/keeping.ts
/** What it takes to come back to a conversation, also after the page was loaded anew. */
var KEY = "antiphon.conversation";
var now = read();
function read() {
	try {
		return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
	} catch {
		return null;
	}
}
function kept() {
	return now;
}
function keep(these) {
	now = these;
	write(JSON.stringify(these));
}
function forget() {
	now = null;
	write(null);
}
function write(value) {
	try {
		if (value === null) sessionStorage.removeItem(KEY);
		else sessionStorage.setItem(KEY, value);
	} catch {}
}
/** Shows what was said before in a conversation that is taken up or handed over. */
async function earlier(transcript, conversation = now?.conversation, wanted = () => true) {
	if (!conversation) return;
	try {
		const stored = entriesOf(await loadEntries(conversation));
		if (!wanted()) return;
		transcript.restore([...stored, ...transcript.entries.peek().filter((each) => each.id > 0)]);
	} catch {
		if (wanted()) transcript.note("What was said before could not be shown; it is known all the same.");
	}
}
// src/voice/line.ts
/** One WebSocket to `/ws/vox`, from `start` to its end. */
/** A socket that does not open within this time is taken for one that will not. */
var OPENS_MS = 8e3;
/** Before the samples of a binary frame: the turn that they belong to. */
var HEAD_BYTES = 4;
var Line = class {
	ends;
	socket;
	over = false;
	constructor(start, ends) {
		this.ends = ends;
		this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address("/ws/vox")}`);
		this.socket.binaryType = "arraybuffer";
		const impatient = setTimeout(() => this.end(1006), OPENS_MS);
		this.socket.onopen = () => {
			clearTimeout(impatient);
			this.say(start);
		};
		this.socket.onmessage = ({ data }) => this.take(data);
		this.socket.onclose = ({ code }) => {
			clearTimeout(impatient);
			this.end(code);
		};
	}
	/** False: it is not open. */
	say(message) {
		return this.send(JSON.stringify(message));
	}
	/** A frame of the person's speech. */
	sound(frame) {
		return this.send(frame);
	}
	close() {
		this.over = true;
		this.socket.close();
	}
	send(data) {
		if (this.over || this.socket.readyState !== WebSocket.OPEN) return false;
		this.socket.send(data);
		return true;
	}
	take(data) {
		if (this.over) return;
		if (typeof data === "string") this.ends.message(JSON.parse(data));
		else if (data.byteLength > HEAD_BYTES) this.ends.sound(new DataView(data).getUint32(0, true), data.slice(HEAD_BYTES));
	}
	end(code) {
		if (this.over) return;
		this.close();
		this.ends.closed(code);
	}
};
var GOODBYE = 1e3;
var RESTARTING = 1012;
/** After these the same would only happen again. */
var FINAL = /* @__PURE__ */ new Set([
	GOODBYE,
	4001,
	1008,
	1009
]);
var FIRST_MS = 250;
var LONGEST_MS = 3e3;
/** How long to wait before the so-many-th attempt to get a lost line back; null: it was the last. */
function patience(attempt, chance = Math.random()) {
	if (attempt >= 20) return null;
	return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (.75 + chance / 2);
}
// src/voice/captions.ts
/** The words that are heard right now: each sentence is shown when its sound is played. */
var BYTES_PER_MS = 48;
var caption = y("");
var cues = [];
var turn = -1;
var receivedMs = 0;
/** Where the newest piece of sound begins: its words are told right after it. */
var pieceFromMs = 0;
function soundCame(id, bytes) {
	if (id !== turn) {
		turn = id;
		receivedMs = 0;
		cues = cues.filter((cue) => cue.turn >= id - 1);
	}
	pieceFromMs = receivedMs;
	receivedMs += bytes / BYTES_PER_MS;
}
/** Words of a turn. Without sound they are shown at once. */
function wordsCame(id, text) {
	const shown = plain(text);
	if (!shown) return;
	if (id !== turn) caption.value = shown;
	else cues.push({
		turn: id,
		fromMs: pieceFromMs,
		text: shown
	});
}
function played(id, playedMs) {
	const due = cues.findLast((cue) => cue.turn === id && cue.fromMs <= playedMs);
	if (due) caption.value = due.text;
}
function clearCaptions() {
	cues = [];
	turn = -1;
	caption.value = "";
}
// src/voice/mouth.ts
/** What the person hears of the model: the speech of the server, or the voice of the browser. */
/** Something is heard right now. */
var sounding = y(false);
var REPORT_MS = 200;
/** Between two sentences it is quiet for a moment; that is not the end. */
var PAUSE_MS = 250;
var reported = {
	turn: -1,
	at: 0
};
var pause;
var player = new Player(({ turn, playedMs, done }) => {
	clearTimeout(pause);
	sounding.value = true;
	played(turn, playedMs);
	const now = performance.now();
	if (!done && turn === reported.turn && now - reported.at < REPORT_MS) return;
	reported = {
		turn,
		at: now
	};
	tell(turn, playedMs);
}, () => {
	clearTimeout(pause);
	pause = setTimeout(() => sounding.value = false, PAUSE_MS);
});
var voice = new BrowserVoice((on) => sounding.value = on);
var speaker = O(() => prefs.value.speaker);
x(() => void player.useSpeaker(speaker.value));
var speakerAnalyser = () => player.analyser;
/** Call it where something was pressed. Throws where the browser has no way to play. */
async function open() {
	await player.open(prefs.value.speaker);
}
/** A piece of the server's speech. */
function sound(turn, pcm) {
	soundCame(turn, pcm.byteLength);
	player.play(turn, pcm);
}
/** Words of the model; said by the browser where nobody else says them. */
function words(turn, text, here) {
	if (here) voice.say(text, prefs.value.voice);
	wordsCame(turn, text);
}
function complete(turn, here) {
	player.complete(turn);
	if (here) voice.finish(prefs.value.voice);
}
/** The server says that this turn was cut off. */
function cutOff(turn) {
	player.flush(turn);
	quiet();
}
/** Silence, now. When it is there the server is told how much was heard. */
async function hush() {
	const flushed = player.flush();
	quiet();
	const stopped = await flushed;
	if (stopped) tell(stopped.turn, stopped.playedMs);
}
var PLAYS_OUT_MS = 15e3;
/** When what is being said was heard to its end, or has taken too long. */
function playedOut() {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, PLAYS_OUT_MS);
		const stop = x(() => {
			if (sounding.value) return;
			clearTimeout(timer);
			queueMicrotask(() => stop());
			resolve();
		});
	});
}
/** The conversation is over: silence, and no more of it. */
function rest() {
	player.flush();
	quiet();
	player.rest();
}
/** Another conversation: its turns are counted anew. */
function reset() {
	player.reset();
	quiet();
}
function quiet() {
	clearTimeout(pause);
	voice.stop();
	clearCaptions();
	sounding.value = false;
}
function tell(turn, playedMs) {
	say({
		type: "playback",
		turn_id: turn,
		played_ms: playedMs
	});
}
// src/voice/conversation.ts
/**
* The conversation by voice. There is one, whichever page is open: the model may lead the person
* from page to page while they talk.
*/
var conversation_exports = /* @__PURE__ */ __exportAll({
	muted: () => muted,
	sendText: () => sendText,
	setMuted: () => setMuted,
	start: () => start
});
var link = y("off");
var awaiting = y(false);
var phase = O(() => {
	if (link.value !== "open") return link.value;
	if (sounding.value) return "speaking";
	if (awaiting.value) return "thinking";
	return listening.value ? "listening" : "typing";
});
var transcript = new Transcript();
var { entries } = transcript;
var sessionId = y(null);
var setup = y(null);
var { muted } = ear_exports;
/** What was said before is still being loaded. */
var restoring = y(false);
var trouble = y(null);
/** How many times in a row the lost line was asked for. */
var attempt = y(0);
var line = null;
var wish = {};
/** Counts beginnings and ends: what was begun before the last of them comes to nothing. */
var round = 0;
var retry;
/** Who waits for the line to be there again, or for it to have failed. */
var settle = null;
/** What the person said while there was no line: frames of the last seconds, and texts. */
var unsent = [];
var untold = [];
/** The person typed last and reads the answer: nothing of it is spoken. */
var reads = false;
/** A person who is kept out hears what is being said to its end. */
var leaving;
/** Something was typed that has no answer yet. */
var owed = false;
var UNSENT_FRAMES = 250;
var FAREWELL_MS = 2e4;
/** Begins, or adds to what has begun: the microphone, or words. Call it where something was pressed. */
async function start(options = {}) {
	const { microphone = true, text } = options;
	if (microphone || prefs.value.speakAnswers) openMouth();
	if (link.value !== "off") {
		if (microphone) await listen();
		if (text) sendText(text);
		return;
	}
	trouble.value = null;
	wish = options;
	const mine = ++round;
	link.value = "connecting";
	if (!options.resume) begin();
	const unknown = entries.value.length === 0;
	if (text) {
		transcript.add(text);
		untold.push(typed(text));
	}
	if (unknown && (options.resume || options.conversation)) await earlier(transcript, options.conversation);
	const listening = microphone && await listen();
	if (mine !== round) return;
	if (microphone && !listening && !text && !options.pendingRequest && !options.resume) {
		over();
		return;
	}
	connect();
}
function openMouth() {
	open().catch(() => transcript.note("This browser cannot play sound. The answers can be read.", "bad"));
}
/** Goes on with a conversation as it was held: by voice, or in writing. */
function goOn() {
	start({
		resume: true,
		microphone: kept()?.spoken ?? true
	});
}
/**
* After the page was loaded anew: shows what was said, and opens no microphone. A question that was
* typed and not answered yet is answered.
*/
async function restore() {
	const before = kept();
	if (!before) return;
	trouble.value = {
		message: `This conversation is still open from before. ${before.spoken ? "Go on by voice, or type." : "Type to go on."}`,
		resumable: true
	};
	sessionId.value = before.sessionId;
	restoring.value = true;
	const mine = round;
	await earlier(transcript, before.conversation, () => mine === round);
	restoring.value = false;
	const last = entries.value.findLast((each) => each.kind !== "note");
	if (link.value === "off" && kept() && !before.spoken && last?.kind === "user") goOn();
}
/** What is shown is put away, and what was still open is not gone back to. */
function clear() {
	trouble.value = null;
	forget();
	sessionId.value = null;
	setup.value = null;
	transcript.clear();
}
/** A new conversation: nothing of the one before is part of it. */
function begin() {
	transcript.clear();
	forget();
	sessionId.value = null;
	setup.value = null;
	reset();
	mute(false);
	unsent = [];
	untold = [];
}
function hangUp() {
	if (link.value === "off") return;
	line?.say({ type: "end" });
	drop();
	transcript.interrupted();
	transcript.note("You hung up.");
	forget();
	over();
	heard({
		type: "voice_session_end",
		reason: "user_requested",
		textResponse: null
	});
}
function drop() {
	line?.close();
	line = null;
}
/** Nobody talks any more, for whatever reason. */
function over(problem = null) {
	round++;
	clearTimeout(retry);
	clearTimeout(leaving);
	leaving = void 0;
	speakThrough(null);
	close();
	rest();
	unsent = [];
	attempt.value = 0;
	awaiting.value = false;
	link.value = "off";
	trouble.value = problem;
	settle?.();
	settle = null;
}
function connect() {
	const token = kept()?.token;
	const { pendingRequest, conversation: written, profile, text } = wish;
	drop();
	const mine = new Line({
		type: "start",
		audio: "binary",
		...choice(),
		push_to_talk: !prefs.value.handsFree,
		greeting: !text,
		speak: listening.value || prefs.value.speakAnswers,
		time_zone: zoneHere(),
		...token ? { session_token: token } : {
			pending_request: pendingRequest?.slice(0, 200),
			conversation: written,
			profile: profile ?? "workspace"
		}
	}, {
		message: take,
		sound,
		closed: lost
	});
	line = mine;
	speakThrough((message) => {
		const sent = mine.say(message);
		if (sent) alsoShown(message);
		return sent;
	});
}
function lost(code) {
	line = null;
	speakThrough(null);
	if (FINAL.has(code)) {
		if (code === 4001) forget();
		const refused = code === 1e3 || code === 4001 ? null : "The server closed the line: it was sent more than it takes.";
		over(refused ? {
			message: refused,
			resumable: kept() !== null
		} : trouble.value);
		return;
	}
	if (!kept()) {
		over({
			message: "The server cannot be reached. Is it still running?",
			resumable: false
		});
		return;
	}
	const wait = patience(attempt.value);
	if (wait === null) {
		transcript.note("The line could not be made again.", "bad");
		over({
			message: "The line to the server is lost, what was said is not. Go on when the server is back.",
			resumable: true
		});
		return;
	}
	if (link.value !== "reconnecting") {
		link.value = "reconnecting";
		transcript.interrupted();
		transcript.note("The line was lost. Getting it back…");
		hush();
		awaiting.value = false;
	}
	attempt.value++;
	clearTimeout(retry);
	retry = setTimeout(connect, wait);
}
/** Tries now to get a lost line back, whenever the next attempt would be. */
function reconnect() {
	if (link.value !== "reconnecting" || line) return;
	clearTimeout(retry);
	connect();
}
addEventListener("online", reconnect);
function ready(message) {
	const { mode, model, voice, profile, conversation: id } = message;
	if (message.resume_problem) {
		transcript.note(`${message.resume_problem} This is a new one.`, "bad");
		reset();
	} else if (link.value === "reconnecting") transcript.note("The line is back.", "good");
	setup.value = {
		mode,
		model,
		voice,
		profile,
		conversation: id,
		recordedDays: message.recorded_days
	};
	sessionId.value = message.sessionId;
	keep({
		token: message.session_token,
		sessionId: message.sessionId,
		conversation: id,
		spoken: listening.value
	});
	attempt.value = 0;
	link.value = "open";
	awaiting.value = owed = untold.length > 0 || Boolean(wish.pendingRequest && !message.resumed);
	wish = {};
	for (const words of untold.splice(0)) line?.say({
		type: "text",
		...words
	});
	for (const frame of unsent.splice(0)) line?.sound(frame);
	settle?.();
	settle = null;
}
/** The model only writes, and this browser says it. */
var spokenHere = () => !reads && setup.value?.voice === "browser" && speaksHere();
function take(message) {
	transcript.take(message);
	switch (message.type) {
		case "setup_complete":
			ready(message);
			break;
		case "partial_transcript":
			reads = false;
			break;
		case "transcript":
			if (message.role === "assistant") {
				if (!reads) words(message.turn_id ?? 0, message.text, false);
				break;
			}
			reads = false;
			if (message.final) awaiting.value = true;
			break;
		case "text":
			if (!reads) words(message.turn_id ?? 0, message.text, spokenHere());
			break;
		case "function_call":
			awaiting.value = true;
			break;
		case "turn_complete":
			if (message.reason !== "interrupted") awaiting.value = owed = false;
			complete(message.turn_id ?? 0, spokenHere());
			if (leaving) playedOut().then(() => leave(FAREWELL_MS / 10));
			break;
		case "interrupted":
			awaiting.value = owed;
			cutOff(message.turn_id);
			break;
		case "confirmation_resolved":
			transcript.resolved(message.tool, message.outcome);
			break;
		case "voice_session_end":
			ended(message);
			break;
		case "timeout":
			paused(message);
			break;
		case "go_away":
			keep({
				...kept(),
				token: message.session_token
			});
			break;
		case "error": wrong(message);
	}
	heard(message);
}
/** The person is kept out for a while, as the banner says; the last words are still for them. */
function paused(message) {
	if (link.value !== "open") {
		drop();
		over();
		return;
	}
	if (!leaving && message.message) transcript.note(message.message, "bad");
	close();
	leave(FAREWELL_MS);
}
/** The server ends it; if it does not, we do. */
function leave(after) {
	const mine = round;
	clearTimeout(leaving);
	leaving = setTimeout(() => {
		if (mine !== round) return;
		drop();
		over();
	}, after);
}
function ended({ textResponse }) {
	transcript.closeAnswer("done");
	transcript.answered(textResponse ?? "");
	transcript.closeAnswer("done");
	transcript.note("The conversation is over.");
	forget();
}
/** Errors about what other parts of the console sent are theirs to show. */
var THEIRS = /* @__PURE__ */ new Set([
	"confirmation_response",
	"browser_function_result",
	"playback"
]);
function wrong({ message, about, fatal, kind }) {
	if (about && THEIRS.has(about)) return;
	if (about !== "start" && !fatal) {
		transcript.note(message, "bad");
		awaiting.value = false;
		return;
	}
	drop();
	const strange = about === "start" && /session_token/.test(message);
	if (link.value === "reconnecting" && !kind && !strange) {
		lost(RESTARTING);
		return;
	}
	if (strange || kind === "taken_over" || !setup.value) forget();
	transcript.interrupted();
	over({
		message,
		resumable: kept() !== null
	});
}
/** What another part of the console sent has its place here, too: a result belongs to its card, and
* a question that was answered is not read out any further. */
function alsoShown(message) {
	const { type, fn_call_id, name, result } = message;
	if (type === "confirmation_response") hush();
	if (type !== "browser_function_result" || !name || !result) return;
	transcript.take({
		type: "function_result",
		fn_call_id: fn_call_id ?? null,
		name,
		result,
		meta: {},
		decision: null
	});
}
/** Writes to the model; begins a conversation where there is none. */
function sendText(text) {
	const words = text.trim();
	if (!words) return;
	if (link.value === "off") {
		start({
			microphone: false,
			text: words,
			resume: trouble.value?.resumable ?? false
		});
		return;
	}
	transcript.add(words);
	const message = typed(words);
	if (message.speak) openMouth();
	if (link.value === "open") {
		awaiting.value = owed = true;
		hush().then(() => say({
			type: "text",
			...message
		}));
	} else untold.push(message);
}
function typed(text) {
	const speak = prefs.value.speakAnswers;
	reads = !speak;
	return {
		text,
		speak
	};
}
/** Silence, now; then the model is told, and how much of it was heard. */
function interrupt() {
	if (phase.value !== "speaking" && phase.value !== "thinking") return;
	awaiting.value = owed = false;
	hush().then(() => say({ type: "interrupt" }));
}
/** Opens the ears: the microphone, or the browser's recognition for a model that only reads. */
async function listen() {
	const heard = await ears();
	const before = kept();
	if (heard && before) keep({
		...before,
		spoken: true
	});
	return heard;
}
async function ears() {
	if (!speaksHere()) return open$1();
	recognise({
		partial: (text) => {
			if (text && sounding.value) interrupt();
			transcript.understood(text);
		},
		said: (text) => {
			reads = false;
			transcript.take({
				type: "transcript",
				role: "user",
				text,
				final: true,
				started_at: null
			});
			if (link.value !== "open") untold.push({
				text,
				spoken: true
			});
			else awaiting.value = say({
				type: "text",
				text,
				spoken: true
			});
		},
		failed: (words) => transcript.note(words, "bad")
	});
	return true;
}
attach((frame) => {
	if (link.value === "open" && line?.sound(frame)) return;
	unsent.push(frame);
	if (unsent.length > UNSENT_FRAMES) unsent.shift();
}, () => say({ type: "audio_end" }));
function setMuted(on) {
	mute(on);
	if (on) say({ type: "audio_end" });
}
/**
* Takes the conversation up with another backend, model or way of talking, when what is being said
* was heard to its end. Without a conversation it only changes what the next one begins with. What
* goes wrong is in `trouble`.
*/
async function restart(change = {}) {
	const { backend, ...rest } = change;
	prefer({
		...rest,
		...backend === void 0 ? {} : { backend }
	});
	if (link.value !== "open") return;
	await playedOut();
	if (link.value !== "open") return;
	link.value = "connecting";
	const done = new Promise((resolve) => settle = resolve);
	if (listening.value && speaksHere() === (microphone.value !== null)) {
		close();
		await listen();
	}
	connect();
	await done;
}
var handsFree = O(() => prefs.value.handsFree);
var asked = handsFree.value;
x(() => {
	if (handsFree.value === asked) return;
	asked = handsFree.value;
	restart();
});
restore();
conversation.value = {
	phase,
	sessionId,
	setup,
	start,
	hangUp,
	restart
};
export { kept as C, envelopeOutcome as D, Transcript as E, caption as S, loadEntries as T, start as _, goOn as a, hush as b, muted as c, restart as d, restoring as f, setup as g, setMuted as h, entries as i, phase as l, sessionId as m, clear as n, hangUp as o, sendText as p, conversation_exports as r, interrupt as s, attempt as t, reconnect as u, transcript as v, entriesOf as w, speakerAnalyser as x, trouble as y };
