/** What the microphone gives, as the server wants it: 16 kHz, 16 bits, 20 ms at a time. */
import { Resampler } from "./resample";

export const RATE = 16_000;
export const FRAME_SAMPLES = RATE / 50;

export class Framer {
  private readonly resampler: Resampler;
  private frame = new Int16Array(FRAME_SAMPLES);
  private filled = 0;

  constructor(rate: number) {
    this.resampler = new Resampler(rate, RATE);
  }

  /** The frames that are full now. Each has a buffer of its own, which can be given away. */
  feed(samples: Float32Array): Int16Array<ArrayBuffer>[] {
    const full: Int16Array<ArrayBuffer>[] = [];
    for (const sample of this.resampler.process(samples)) {
      this.frame[this.filled++] = pcm(sample);
      if (this.filled === FRAME_SAMPLES) {
        full.push(this.frame);
        this.frame = new Int16Array(FRAME_SAMPLES);
        this.filled = 0;
      }
    }
    return full;
  }
}

/** Louder than full scale is full scale: without this it would wrap around and crack. */
export function pcm(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
}

export function fromPcm(data: Int16Array): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(data.length);
  for (let n = 0; n < data.length; n++) samples[n] = data[n]! / 32_768;
  return samples;
}
