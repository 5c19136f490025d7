/**
 * Changes the rate of sound as it comes: a windowed sinc in polyphase form. What the new rate cannot
 * hold is filtered out before (80 dB), so that nothing folds back into speech.
 * It runs in an audio worklet, where there is no document: it imports nothing of the page.
 */

/** Attenuation of the stop band in dB, and the share of the band that the slope takes. */
const STOP_DB = 80;
const SLOPE = 0.125;

export class Resampler {
  private readonly up: number;
  private readonly down: number;
  /** Coefficients: one row of `taps` for each of the `up` phases. */
  private readonly rows: Float32Array;
  private readonly taps: number;
  private readonly same: boolean;
  private kept: Float32Array;
  /** Where the next sample lies, in steps of 1/up of a sample from the start of `kept`. */
  private at = 0;

  constructor(readonly from: number, readonly to = 16_000) {
    if (!(from > 0 && to > 0 && Number.isInteger(from) && Number.isInteger(to))) {
      throw new Error(`Audio cannot be converted from ${from} to ${to} samples per second.`);
    }
    const shared = divisor(from, to);
    this.up = to / shared;
    this.down = from / shared;
    this.same = from === to;
    const band = Math.min(from, to) / 2;
    const slope = (band * SLOPE) / from;
    this.taps = this.same ? 1 : 2 * Math.ceil((STOP_DB - 7.95) / (14.36 * slope) / 2);
    this.rows = this.same ? new Float32Array([1]) : design(this.up, this.taps, (band / from) * (2 - SLOPE));
    // Silence before the beginning: the first sample is in the middle of the filter.
    this.kept = new Float32Array(this.same ? 0 : this.taps / 2 - 1);
  }

  /** The same sound at the new rate; the last few milliseconds come with the next piece. */
  process(input: Float32Array): Float32Array {
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
      const row = (at % up) * taps;
      let sum = 0;
      for (let k = 0; k < taps; k++) sum += rows[row + k]! * sound[first + k]!;
      made[n] = sum;
    }
    const used = Math.min(Math.floor(at / up), sound.length);
    this.kept = sound.slice(used);
    this.at = at - used * up;
    return made;
  }
}

/** `cutoff`: twice the frequency in the middle of the slope, as a share of the rate it comes at. */
function design(up: number, taps: number, cutoff: number): Float32Array {
  const beta = 0.1102 * (STOP_DB - 8.7);
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
      sum += row[k]!;
    }
    for (let k = 0; k < taps; k++) rows[phase * taps + k] = row[k]! / sum;
  }
  return rows;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The modified Bessel function of order zero, of which a Kaiser window is made. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
