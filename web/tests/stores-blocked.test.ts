import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { block, blocked } from "../src/stores/blocked";
import { heard } from "../src/voice/bus";

const NOW = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.advanceTimersByTime(3_600_000);
  vi.useRealTimers();
});

test.each([
  ["milliseconds of the epoch", { timeoutUntil: NOW + 90_000 }],
  ["a number of seconds", { durationSeconds: 90 }],
])("a person is kept out until the time is over: %s", (_, timeout) => {
  block({ ...timeout, message: "Paused." });
  expect(blocked.value).toEqual({ until: NOW + 90_000, message: "Paused." });
  vi.advanceTimersByTime(89_999);
  expect(blocked.value).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(blocked.value).toBeNull();
});

test("it is heard from the conversation, and a later one counts", () => {
  heard({ type: "timeout", timeoutUntil: NOW + 10_000, seconds: 10, message: "First." });
  heard({ type: "timeout", timeoutUntil: NOW + 60_000, durationSeconds: 60, farewellMessage: "Second." });
  vi.advanceTimersByTime(10_000);
  expect(blocked.value?.message).toBe("Second.");
});

test("a time that is over keeps nobody out", () => {
  block({ timeoutUntil: NOW - 1000 });
  expect(blocked.value).toBeNull();
});
