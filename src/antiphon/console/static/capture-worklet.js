// src/voice/resample.ts
const SLOPE = .125;
var Resampler = class {
	from;
	to;
	up;
	down;
	/** Coefficients: one row of `taps` for each of the `up` phases. */
	rows;
	taps;
	same;
	kept;
	/** Where the next sample lies, in steps of 1/up of a sample from the start of `kept`. */
	at = 0;
	constructor(from, to = 16e3) {
		this.from = from;
		this.to = to;
		if (!(from > 0 && to > 0 && Number.isInteger(from) && Number.isInteger(to))) throw new Error(`Audio cannot be converted from ${from} to ${to} samples per second.`);
		const shared = divisor(from, to);
		this.up = to / shared;
		this.down = from / shared;
		this.same = from === to;
		const band = Math.min(from, to) / 2;
		const slope = band * SLOPE / from;
		this.taps = this.same ? 1 : 2 * Math.ceil(72.05 / (14.36 * slope) / 2);
		this.rows = this.same ? new Float32Array([1]) : design(this.up, this.taps, band / from * 1.875);
		this.kept = new Float32Array(this.same ? 0 : this.taps / 2 - 1);
	}
	/** The same sound at the new rate; the last few milliseconds come with the next piece. */
	process(input) {
		if (this.same) return input.slice();
		const { up, down, taps, rows } = this;
		const sound = new Float32Array(this.kept.length + input.length);
		sound.set(this.kept);
		sound.set(input, this.kept.length);
		const end = (sound.length - taps + 1) * up;
		const made = new Float32Array(Math.max(0, Math.ceil((end - this.at) / down)));
		let at = this.at;
		for (let n = 0; n < made.length; n++, at += down) {
			const first = Math.floor(at / up);
			const row = at % up * taps;
			let sum = 0;
			for (let k = 0; k < taps; k++) sum += rows[row + k] * sound[first + k];
			made[n] = sum;
		}
		const used = Math.min(Math.floor(at / up), sound.length);
		this.kept = sound.slice(used);
		this.at = at - used * up;
		return made;
	}
};
/** `cutoff`: twice the frequency in the middle of the slope, as a share of the rate it comes at. */
function design(up, taps, cutoff) {
	const beta = 7.85726;
	const rows = new Float32Array(up * taps);
	const middle = taps / 2 - 1;
	for (let phase = 0; phase < up; phase++) {
		let sum = 0;
		const row = new Float64Array(taps);
		for (let k = 0; k < taps; k++) {
			const t = k - middle - phase / up;
			const edge = t / (taps / 2);
			const window = Math.abs(edge) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - edge * edge));
			row[k] = sinc(cutoff * t) * window;
			sum += row[k];
		}
		for (let k = 0; k < taps; k++) rows[phase * taps + k] = row[k] / sum;
	}
	return rows;
}
function sinc(x) {
	return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
/** The modified Bessel function of order zero, of which a Kaiser window is made. */
function bessel(x) {
	let sum = 1;
	let term = 1;
	for (let k = 1; term > 1e-12 * sum; k++) {
		term *= (x / (2 * k)) ** 2;
		sum += term;
	}
	return sum;
}
function divisor(a, b) {
	return b === 0 ? a : divisor(b, a % b);
}
// src/voice/frames.ts
/** What the microphone gives, as the server wants it: 16 kHz, 16 bits, 20 ms at a time. */
const RATE = 16e3;
var Framer = class {
	resampler;
	frame = /* @__PURE__ */ new Int16Array(320);
	filled = 0;
	constructor(rate) {
		this.resampler = new Resampler(rate, RATE);
	}
	/** The frames that are full now. Each has a buffer of its own, which can be given away. */
	feed(samples) {
		const full = [];
		for (const sample of this.resampler.process(samples)) {
			this.frame[this.filled++] = pcm(sample);
			if (this.filled === 320) {
				full.push(this.frame);
				this.frame = /* @__PURE__ */ new Int16Array(320);
				this.filled = 0;
			}
		}
		return full;
	}
};
/** Louder than full scale is full scale: without this it would wrap around and crack. */
function pcm(sample) {
	return Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
}
// src/voice/capture-worklet.ts
/** Runs beside the microphone: takes what it gives at its own rate, hands on frames for the server. */
var Capture = class extends AudioWorkletProcessor {
	framer = new Framer(sampleRate);
	process([channels]) {
		const sound = channels?.length ? mono(channels) : null;
		if (sound) for (const frame of this.framer.feed(sound)) this.port.postMessage(frame.buffer, [frame.buffer]);
		return true;
	}
};
function mono(channels) {
	if (channels.length === 1) return channels[0];
	const mixed = new Float32Array(channels[0].length);
	for (const channel of channels) for (let n = 0; n < mixed.length; n++) mixed[n] += channel[n] / channels.length;
	return mixed;
}
registerProcessor("antiphon-capture", Capture);
