import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { dismiss, holdToasts, toast, toasts } from "../src/stores/toasts";

const texts = () => toasts.value.map((each) => each.text);

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = []; // other files may have left some
});
afterEach(() => {
  holdToasts(false);
  toasts.value = [];
  vi.useRealTimers();
});

test("notices go away by themselves; those that matter stay until closed", () => {
  toast("passing");
  const bad = toast("wrong", { kind: "bad" });
  toast("working", { progress: 0.5 });
  toast("waiting", { stays: true });
  vi.advanceTimersByTime(6000);
  expect(texts()).toEqual(["wrong", "working", "waiting"]);
  dismiss(bad);
  expect(texts()).toEqual(["working", "waiting"]);
});

test("one that is replaced lives by what it has become", () => {
  const id = toast("first");
  vi.advanceTimersByTime(5000);
  toast("still working", { id, progress: null });
  vi.advanceTimersByTime(10_000);
  expect(texts()).toEqual(["still working"]);
  toast("done", { id, kind: "good" });
  vi.advanceTimersByTime(6000);
  expect(texts()).toEqual([]);
});

test("none goes away while the person is at them", () => {
  toast("read me");
  vi.advanceTimersByTime(3000);
  holdToasts(true);
  toast("me too");
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(["read me", "me too"]);
  holdToasts(false);
  vi.advanceTimersByTime(6000);
  expect(texts()).toEqual([]);
});
