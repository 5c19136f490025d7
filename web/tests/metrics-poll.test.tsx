import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { usePoll } from "../src/ui/poll";

let hidden = false;
let asked = 0;
let root: HTMLElement;

function Poller({ on = true, ask }: { on?: boolean; ask?: () => Promise<void> }) {
  usePoll(ask ?? (() => void asked++), 5000, on);
  return null;
}

const see = (seen: boolean) => act(() => {
  hidden = !seen;
  document.dispatchEvent(new Event("visibilitychange"));
});
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const show = (element: preact.ComponentChild) => act(() => render(element, root));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  hidden = false;
  asked = 0;
  root = document.createElement("div");
});

afterEach(() => {
  render(null, root);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("it asks again and again, and stops with its page", async () => {
  await show(<Poller />);
  await pass(16_000);
  expect(asked).toBe(3);
  await show(null);
  await pass(60_000);
  expect(asked).toBe(3);
});

test("nobody is asked while the tab is hidden, and at once when it is seen again", async () => {
  await show(<Poller />);
  await see(false);
  await pass(600_000);
  expect(asked).toBe(0);
  await see(true);
  expect(asked).toBe(1);
  await pass(5000);
  expect(asked).toBe(2);
});

test("it can be paused", async () => {
  await show(<Poller on={false} />);
  await pass(60_000);
  expect(asked).toBe(0);
  await show(<Poller />);
  await pass(5000);
  expect(asked).toBe(1);
});

test("a slow answer, or one that fails, is waited for", async () => {
  const waiting: ((fail: boolean) => void)[] = [];
  const ask = () => new Promise<void>((done, fail) => waiting.push((failed) => (failed ? fail(new Error("gone")) : done())));
  await show(<Poller ask={ask} />);
  await pass(60_000);
  expect(waiting).toHaveLength(1);
  waiting[0]!(true);
  await pass(5000);
  expect(waiting).toHaveLength(2);
});
