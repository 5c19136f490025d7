import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { block, blocked } from "../src/stores/blocked";
import { heard } from "./messages";

const NOW = 1_800_000_000_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.advanceTimersByTime(3_600_000);
  vi.useRealTimers();
});

test("a person is kept out until the time is over", () => {
  block({ timeoutUntil: NOW + 90_000, durationSeconds: 90, seconds: 90, message: "Paused." });
  expect(blocked.value).toEqual({ until: NOW + 90_000, message: "Paused." });
  vi.advanceTimersByTime(89_999);
  expect(blocked.value).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(blocked.value).toBeNull();
});

test("it is heard from the conversation, and a later one counts", () => {
  heard({ type: "timeout", timeoutUntil: NOW + 10_000, durationSeconds: 10, seconds: 10, message: "First." });
  heard({ type: "timeout", timeoutUntil: NOW + 60_000, durationSeconds: 60, seconds: 60, message: "Second.", farewellMessage: "Second." });
  vi.advanceTimersByTime(10_000);
  expect(blocked.value?.message).toBe("Second.");
});

test("a time that is over keeps nobody out", () => {
  block({ timeoutUntil: NOW - 1000, durationSeconds: 1, seconds: 1, message: "Over." });
  expect(blocked.value).toBeNull();
});
