// src/voice/frames.ts
function fromPcm(data) {
	const samples = new Float32Array(data.length);
	for (let n = 0; n < data.length; n++) samples[n] = data[n] / 32768;
	return samples;
}
// src/voice/playback-queue.ts
var PlaybackQueue = class {
	rate;
	prebuffer;
	patience;
	step;
	fade;
	turns = [];
	gain = 0;
	/** What is left of a turn that was cut off, on its way to silence. */
	tail = /* @__PURE__ */ new Float32Array(0);
	/** This turn and all before it are not wanted any more. */
	dropped = -1;
	constructor({ rate = 24e3, prebufferMs = 60, patienceMs = 200, fadeMs = 6 } = {}) {
		this.rate = rate;
		this.prebuffer = samples(prebufferMs, rate);
		this.patience = samples(patienceMs, rate);
		this.fade = Math.max(1, samples(fadeMs, rate));
		this.step = 1 / this.fade;
	}
	/** More of a turn. False: it was cut off, and this is dropped. */
	push(id, sound) {
		if (id <= this.dropped) return false;
		if (!sound.length) return true;
		let turn = this.turns.find((each) => each.id === id);
		if (!turn) {
			turn = {
				id,
				pieces: [],
				waiting: 0,
				played: 0,
				complete: false,
				running: false,
				held: 0
			};
			this.turns.push(turn);
		}
		turn.pieces.push(sound);
		turn.waiting += sound.length;
		return true;
	}
	/** No more of this turn comes. */
	complete(id) {
		for (const turn of this.turns) if (turn.id <= id) turn.complete = true;
	}
	/** Fills `out` with what is to be heard now. True while anything is. */
	pull(out) {
		let filled = this.pullTail(out);
		while (filled < out.length && this.turns.length) {
			const turn = this.turns[0];
			if (!turn.waiting && (turn.complete || this.turns.length > 1)) {
				this.turns.shift();
				continue;
			}
			if (!this.ready(turn, out.length - filled)) break;
			filled = this.play(turn, out, filled);
		}
		out.fill(0, filled);
		if (filled < out.length) this.gain = 0;
		return filled > 0;
	}
	/**
	* Silence, after a fade: everything that waits is forgotten. The answer is how much of the turn
	* that was heard last has been played, the fade included; null when there was none.
	*/
	flush(upTo) {
		const heard = this.turns[0];
		for (const turn of this.turns) this.dropped = Math.max(this.dropped, turn.id);
		if (upTo !== void 0) this.dropped = Math.max(this.dropped, upTo);
		if (heard && this.gain > 0) {
			this.tail = this.cut(heard, Math.ceil(this.gain / this.step));
			heard.played += this.tail.length;
		}
		this.turns = [];
		return heard ? this.told(heard) : null;
	}
	/** Another conversation: its turns are counted anew. */
	reset() {
		this.flush();
		this.dropped = -1;
	}
	/** Of the turn that is played, or waits to be; null in silence. */
	progress() {
		const turn = this.turns[0];
		return turn ? this.told(turn) : null;
	}
	told(turn) {
		const ms = (count) => Math.round(count * 1e3 / this.rate);
		return {
			turn: turn.id,
			playedMs: ms(turn.played),
			waitingMs: ms(turn.waiting)
		};
	}
	ready(turn, wanted) {
		if (turn.waiting === 0) {
			turn.running = false;
			return false;
		}
		if (!turn.running) {
			if (!(turn.waiting >= this.prebuffer || turn.complete || turn.held >= this.patience)) {
				turn.held += wanted;
				return false;
			}
			turn.running = true;
			turn.held = 0;
		}
		return true;
	}
	play(turn, out, from) {
		let filled = from;
		while (filled < out.length && turn.waiting) {
			const piece = turn.pieces[0];
			const count = Math.min(piece.length, out.length - filled);
			for (let n = 0; n < count; n++) {
				const rising = turn.waiting - n > this.fade;
				this.gain = rising ? Math.min(1, this.gain + this.step) : Math.max(0, this.gain - this.step);
				out[filled + n] = piece[n] * this.gain;
			}
			if (count === piece.length) turn.pieces.shift();
			else turn.pieces[0] = piece.subarray(count);
			turn.waiting -= count;
			turn.played += count;
			filled += count;
		}
		return filled;
	}
	cut(turn, count) {
		const cut = new Float32Array(Math.min(count, turn.waiting));
		let filled = 0;
		for (const piece of turn.pieces) {
			const part = piece.subarray(0, cut.length - filled);
			cut.set(part, filled);
			filled += part.length;
		}
		return cut;
	}
	pullTail(out) {
		const count = Math.min(this.tail.length, out.length);
		for (let n = 0; n < count; n++) {
			this.gain = Math.max(0, this.gain - this.step);
			out[n] = this.tail[n] * this.gain;
		}
		if (count) this.tail = this.tail.subarray(count);
		return count;
	}
};
function samples(ms, rate) {
	return Math.round(ms * rate / 1e3);
}
// src/voice/playback-worklet.ts
/** Runs beside the loudspeaker: plays what the server says, and tells how far it has come. */
const REPORT_MS = 50;
var Playback = class extends AudioWorkletProcessor {
	queue = new PlaybackQueue({ rate: sampleRate });
	sounding = false;
	turn = -1;
	untold = 0;
	constructor() {
		super();
		this.port.onmessage = ({ data }) => this.take(data);
	}
	take(request) {
		if (request.type === "play") this.queue.push(request.turn, fromPcm(new Int16Array(request.pcm)));
		else if (request.type === "complete") this.queue.complete(request.turn);
		else if (request.type === "reset") this.queue.reset();
		else {
			const stopped = this.queue.flush(request.upTo);
			this.tell({
				type: "flushed",
				id: request.id,
				stopped
			});
			this.silent();
		}
	}
	process(_inputs, [speakers]) {
		const out = speakers?.[0];
		if (!out) return true;
		const before = this.queue.progress();
		const sounding = this.queue.pull(out);
		const now = this.queue.progress();
		this.untold += out.length;
		if (before && (!now || now.turn !== before.turn) && this.turn === before.turn) {
			const playedMs = before.playedMs + before.waitingMs;
			this.tell({
				type: "progress",
				turn: before.turn,
				playedMs,
				waitingMs: 0,
				done: true
			});
			this.turn = -1;
		}
		if (sounding && now && (this.turn !== now.turn || this.untold * 1e3 >= REPORT_MS * sampleRate)) {
			this.turn = now.turn;
			this.untold = 0;
			this.tell({
				type: "progress",
				...now,
				done: false
			});
		}
		if (sounding !== this.sounding && !sounding) this.silent();
		this.sounding = sounding;
		return true;
	}
	silent() {
		this.tell({ type: "silent" });
	}
	tell(report) {
		this.port.postMessage(report);
	}
};
registerProcessor("antiphon-playback", Playback);
