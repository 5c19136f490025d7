import { describe, expect, it } from "vitest";

import { Framer, FRAME_SAMPLES, fromPcm, pcm } from "../src/voice/frames";
import { Resampler } from "../src/voice/resample";

const RATES = [8_000, 16_000, 44_100, 48_000, 96_000];

function tone(frequency: number, rate: number, seconds = 1): Float32Array {
  return Float32Array.from({ length: rate * seconds }, (_, n) => Math.sin((2 * Math.PI * frequency * n) / rate));
}

/** Root mean square in dB against a full tone, without the edges, where the filter swings in. */
function level(sound: Float32Array): number {
  const middle = sound.subarray(sound.length / 4, (sound.length * 3) / 4);
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length;
  return 10 * Math.log10(power / 0.5 + 1e-20);
}

function inPieces(rate: number, sound: Float32Array, size: number): Float32Array {
  const resampler = new Resampler(rate);
  const pieces: number[] = [];
  for (let at = 0; at < sound.length; at += size) {
    pieces.push(...resampler.process(sound.subarray(at, at + size)));
  }
  return Float32Array.from(pieces);
}

describe("resampling", () => {
  it.each(RATES)("keeps speech that comes at %i Hz", (rate) => {
    for (const frequency of [100, 1_000, 3_400]) {
      expect(level(new Resampler(rate).process(tone(frequency, rate)))).toBeCloseTo(0, 1);
    }
  });

  it.each([44_100, 48_000, 96_000])("lets nothing above 8 kHz fold back from %i Hz", (rate) => {
    for (const frequency of [8_000, 9_000, 12_000, 15_500, 20_000]) {
      expect(level(new Resampler(rate).process(tone(frequency, rate)))).toBeLessThan(-60);
    }
    expect(level(new Resampler(rate).process(tone(6_800, rate)))).toBeCloseTo(0, 1);
  });

  it("makes no mirror image of a low rate", () => {
    const made = new Resampler(8_000).process(tone(1_000, 8_000));
    const pure = new Resampler(16_000).process(tone(1_000, 16_000));
    const rest = made.subarray(200, 15_000).map((sample, n) => sample - pure[200 + n]!);
    expect(Math.max(...rest.map(Math.abs))).toBeLessThan(0.001);
  });

  it.each(RATES)("does not depend on the size of the pieces at %i Hz", (rate) => {
    const sound = tone(440, rate, 0.25).map((sample, n) => sample * 0.7 + 0.3 * Math.sin(n * n));
    const whole = inPieces(rate, sound, sound.length);
    for (const size of [1, 128, 333, 4_096]) expect(inPieces(rate, sound, size)).toEqual(whole);
  });

  it.each(RATES)("gives 16,000 samples for a second at %i Hz, a few milliseconds late", (rate) => {
    const made = new Resampler(rate).process(tone(440, rate)).length;
    expect(made).toBeLessThanOrEqual(16_000);
    expect(made).toBeGreaterThan(16_000 - 160);
  });

  it("keeps the sound where it was in time", () => {
    const sound = new Float32Array(48_000);
    sound[24_000] = 1;
    const made = new Resampler(48_000).process(sound);
    expect(made.indexOf(Math.max(...made))).toBe(8_000);
  });

  it("refuses a rate that is none", () => {
    expect(() => new Resampler(0)).toThrow("cannot be converted from 0");
    expect(() => new Resampler(Number.NaN)).toThrow();
  });
});

describe("frames", () => {
  it("are 20 ms long, whatever the pieces are", () => {
    const framer = new Framer(48_000);
    const frames = [];
    const sound = tone(440, 48_000);
    for (let at = 0; at < sound.length; at += 128) frames.push(...framer.feed(sound.subarray(at, at + 128)));
    expect(frames.length).toBe(49); // the rest waits in the filter and in a frame that is not full
    expect(frames.every((frame) => frame.length === FRAME_SAMPLES && frame.byteLength === 640)).toBe(true);
    expect(new Set(frames.map((frame) => frame.buffer)).size).toBe(49);
    expect(level(fromPcm(Int16Array.from(frames.flatMap((frame) => [...frame]))))).toBeCloseTo(0, 1);
  });

  it("are clamped where the sound is too loud", () => {
    expect([pcm(1), pcm(1.5), pcm(-1), pcm(-7), pcm(0)]).toEqual([32_767, 32_767, -32_768, -32_768, 0]);
    const framer = new Framer(16_000);
    const [frame] = framer.feed(tone(100, 16_000, 0.02).map((sample) => sample * 3));
    expect([Math.max(...frame!), Math.min(...frame!)]).toEqual([32_767, -32_768]);
  });
});
