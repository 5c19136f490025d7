import { beforeEach, describe, expect, it } from "vitest";

import { PlaybackQueue } from "../src/voice/playback-queue";

const RATE = 24_000;
const BLOCK = 128;

let queue: PlaybackQueue;
beforeEach(() => {
  queue = new PlaybackQueue({ rate: RATE, prebufferMs: 60, patienceMs: 200, fadeMs: 6 });
});

function ms(count: number, value = 0.5): Float32Array {
  return new Float32Array((count * RATE) / 1000).fill(value);
}

/** What is heard in so many milliseconds, block by block as a worklet does it. */
function hear(milliseconds: number): Float32Array {
  const blocks = Math.round((milliseconds * RATE) / 1000 / BLOCK);
  const heard = new Float32Array(blocks * BLOCK);
  for (let n = 0; n < blocks; n++) queue.pull(heard.subarray(n * BLOCK, (n + 1) * BLOCK));
  return heard;
}

/** The largest step from one sample to the next; `before` is what was heard last. */
function steepest(sound: Float32Array, before = 0): number {
  let most = Math.abs(sound[0]! - before);
  for (let n = 1; n < sound.length; n++) most = Math.max(most, Math.abs(sound[n]! - sound[n - 1]!));
  return most;
}

const loud = (sound: Float32Array) => sound.filter((sample) => Math.abs(sample) > 0.001).length;

describe("the queue of speech", () => {
  it("waits until there is enough to play on", () => {
    queue.push(1, ms(40));
    expect(loud(hear(20))).toBe(0);
    queue.push(1, ms(40));
    expect(loud(hear(20))).toBeGreaterThan(400);
  });

  it("plays what is short when the turn is complete", () => {
    queue.push(1, ms(40));
    queue.complete(1);
    expect(loud(hear(60))).toBeCloseTo(960, -2);
    expect(queue.progress()).toBeNull();
  });

  it("does not wait for ever for the rest", () => {
    queue.push(1, ms(40));
    expect(loud(hear(150))).toBe(0);
    expect(loud(hear(120))).toBeGreaterThan(900);
  });

  it("never clicks: at the beginning, around a gap, at the end", () => {
    queue.push(1, ms(80));
    const first = hear(160); // runs dry
    queue.push(1, ms(100));
    queue.complete(1);
    const rest = hear(160);
    for (const heard of [first, rest]) {
      expect(Math.max(...heard)).toBeCloseTo(0.5);
      expect(steepest(heard)).toBeLessThan(0.01);
      expect(heard.at(-1)).toBe(0);
    }
  });

  it("plays turns one after the other and counts each from its beginning", () => {
    queue.push(1, ms(100, 0.2));
    queue.push(2, ms(200, 0.8));
    queue.complete(2);
    hear(50);
    expect(queue.progress()).toMatchObject({ turn: 1, playedMs: 48 });
    const rest = hear(100);
    expect(rest.at(-1)).toBeCloseTo(0.8);
    expect(queue.progress()!.turn).toBe(2);
    expect(queue.progress()!.playedMs).toBeCloseTo(48, -1);
    hear(200);
    expect(queue.progress()).toBeNull();
  });

  it("is silent within the fade after a flush, and says how much was heard", () => {
    queue.push(3, ms(1_000));
    hear(300);
    const before = queue.progress()!.playedMs;
    const stopped = queue.flush()!;
    expect(stopped.turn).toBe(3);
    expect(stopped.playedMs).toBe(before + 6);
    const after = hear(100);
    expect(steepest(after, 0.5)).toBeLessThan(0.01);
    expect(loud(after)).toBeLessThanOrEqual((6 * RATE) / 1000);
  });

  it("drops what comes of a turn that was cut off, and plays the next one", () => {
    queue.push(3, ms(500));
    hear(100);
    queue.flush();
    expect(queue.push(3, ms(500))).toBe(false);
    hear(20);
    expect(loud(hear(100))).toBe(0);
    expect(queue.push(4, ms(500))).toBe(true);
    expect(loud(hear(100))).toBeGreaterThan(2_000);
  });

  it("keeps an answer that has not begun when there is nothing to cut off", () => {
    expect(queue.flush()).toBeNull();
    expect(queue.push(3, ms(500))).toBe(true);
    queue.flush(3); // the server says which turn was cut off
    expect(queue.push(3, ms(10))).toBe(false);
  });

  it("counts turns anew in another conversation", () => {
    queue.push(9, ms(500));
    queue.reset();
    hear(20);
    expect(queue.push(1, ms(100))).toBe(true);
    expect(loud(hear(50))).toBeGreaterThan(900);
  });
});
