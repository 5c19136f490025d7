import { d as words, l as send } from "./http.js";
import { l as t, p as prefs } from "./app.js";
// src/voice/playback-worklet.ts?worker&url
var playback_worklet_default = new URL("playback-worklet.js", import.meta.url).href;
// src/voice/player.ts
/** The rate of what the server says; the browser brings it to that of the device. */
var RATE = 24e3;
var RESTS_MS = 1e3;
var Player = class {
	onProgress;
	onSilent;
	context = null;
	node = null;
	opening = null;
	/** What is to be played as soon as the worklet is there. */
	early = [];
	flushes = /* @__PURE__ */ new Map();
	lastFlush = 0;
	resting;
	analyser = null;
	constructor(onProgress, onSilent) {
		this.onProgress = onProgress;
		this.onSilent = onSilent;
	}
	/** Call it where the person pressed something: browsers let nothing sound before that. */
	open(speaker) {
		clearTimeout(this.resting);
		this.context ??= new AudioContext({
			sampleRate: RATE,
			latencyHint: "interactive"
		});
		this.opening ??= this.load(this.context);
		this.context.resume();
		this.useSpeaker(speaker);
		return this.opening;
	}
	/** Nobody talks any more: the device is let go of, when the last of it has faded. */
	rest() {
		clearTimeout(this.resting);
		this.resting = setTimeout(() => void this.context?.suspend(), RESTS_MS);
	}
	/** Where the browser can choose a device. One that is gone is left for the usual one. */
	async useSpeaker(id) {
		const context = this.context;
		await context?.setSinkId?.(id).catch(() => context.setSinkId?.(""));
	}
	play(turn, pcm) {
		this.send({
			type: "play",
			turn,
			pcm
		});
	}
	/** No more of this turn comes: play what is there, however short. */
	complete(turn) {
		this.send({
			type: "complete",
			turn
		});
	}
	/** Silence at once. The answer is how much of the turn in question was heard; null: none was. */
	flush(upTo) {
		if (!this.node) {
			this.early = [];
			return Promise.resolve(null);
		}
		const id = ++this.lastFlush;
		return new Promise((resolve) => {
			this.flushes.set(id, resolve);
			this.send({
				type: "flush",
				id,
				...upTo === void 0 ? {} : { upTo }
			});
		});
	}
	/** Another conversation begins: its turns are counted anew. */
	reset() {
		this.early = [];
		if (this.node) this.send({ type: "reset" });
	}
	async load(context) {
		await context.audioWorklet.addModule(playback_worklet_default);
		const node = new AudioWorkletNode(context, "antiphon-playback", {
			numberOfInputs: 0,
			outputChannelCount: [1]
		});
		node.port.onmessage = ({ data }) => this.take(data);
		this.analyser = new AnalyserNode(context, {
			fftSize: 512,
			smoothingTimeConstant: .6
		});
		node.connect(this.analyser).connect(context.destination);
		this.node = node;
		for (const request of this.early) this.send(request);
		this.early = [];
	}
	take(report) {
		if (report.type === "progress") this.onProgress(report);
		else if (report.type === "silent") this.onSilent();
		else {
			this.flushes.get(report.id)?.(report.stopped);
			this.flushes.delete(report.id);
		}
	}
	send(request) {
		if (!this.node) this.early.push(request);
		else this.node.port.postMessage(request, request.type === "play" ? [request.pcm] : []);
	}
};
// src/voice/server-voice.ts
/** A text said by the server's own voice, outside of any conversation. */
var PATH = "/api/vox/speech";
/** What stands before the samples of a WAV file. */
var HEAD_BYTES = 44;
/** Each text is a turn of its own. */
var turn = 0;
var heardOut = null;
var player = new Player((progress) => {
	if (progress.done && progress.turn === turn) heardOut?.();
}, () => {});
/** Ends when it was heard to its end, or was stopped. Throws why it cannot be said. */
async function serverVoice(text, stopped) {
	const mine = ++turn;
	const over = new Promise((resolve) => {
		heardOut = resolve;
		stopped.addEventListener("abort", () => {
			player.flush(mine);
			resolve();
		});
	});
	try {
		const [answer] = await Promise.all([send("POST", PATH, { text }, { signal: stopped }), openVoice()]);
		if (!answer.ok) throw new Error(await why(answer));
		const some = await play(answer.body, mine);
		player.complete(mine);
		if (some) await over;
	} catch (error) {
		if (!stopped.aborted) throw error;
	} finally {
		if (mine === turn) player.rest();
	}
}
/** Call it where something was pressed. Throws where the browser has no way to play. */
function openVoice() {
	return player.open(prefs.value.speaker).catch(() => {
		throw new Error(t("This browser cannot play sound."));
	});
}
async function why(answer) {
	const body = await answer.json().catch(() => null);
	return words(answer.status, body);
}
/** Hands on what comes as it comes, whole samples at a time. False: there was no sound in it. */
async function play(body, mine) {
	const reader = body.getReader();
	let waiting = /* @__PURE__ */ new Uint8Array(0);
	let skip = HEAD_BYTES;
	let some = false;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return some;
		const all = new Uint8Array(waiting.length + value.length);
		all.set(waiting);
		all.set(value, waiting.length);
		const from = Math.min(skip, all.length);
		skip -= from;
		const to = all.length - (all.length - from) % 2;
		if (to > from) {
			player.play(mine, all.slice(from, to).buffer);
			some = true;
		}
		waiting = all.slice(to);
	}
}
export { serverVoice as n, Player as r, openVoice as t };
