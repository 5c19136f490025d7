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
export { Player as t };
