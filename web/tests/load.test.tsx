import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiError, get } from "../src/api/http";
import { AWAY_MS, useLoad } from "../src/api/load";
import { useRun } from "../src/pages/automations/watch";
import { Shown } from "../src/ui/kit";

let root: HTMLElement;
const pass = (ms: number) => act(async () => {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((wake) => setImmediate(wake)); // a body is read in the meantime
});
const show = (element: preact.ComponentChild) => act(() => render(element, root));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  root = document.createElement("div");
});

afterEach(() => {
  render(null, root);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a server that is away is asked until it is back, and what was wrong goes with it", async () => {
  let up = false;
  vi.stubGlobal("fetch", async () => {
    if (!up) throw new TypeError("Failed to fetch");
    return new Response('{"count": 3}');
  });
  function Page() {
    const found = useLoad((signal) => get<{ count: number }>("/api/things", { signal }), []);
    return <Shown of={found}>{({ count }) => <p>{count} things</p>}</Shown>;
  }
  await show(<Page />);
  await pass(0);
  expect(root.textContent).toContain("The server cannot be reached");
  await pass(AWAY_MS + 10);
  expect(root.textContent).toContain("The server cannot be reached");
  up = true;
  for (let n = 0; n < 3; n++) await pass(AWAY_MS + 10); // each is drawn before the next
  expect(root.textContent).toBe("3 things");
});

test("what the server refuses is not asked for again by itself", async () => {
  const ask = vi.fn(() => Promise.reject(new ApiError(404, "There is no such thing.")));
  function Page() {
    return <Shown of={useLoad(ask, [])}>{() => null}</Shown>;
  }
  await show(<Page />);
  await pass(AWAY_MS * 5);
  expect(ask).toHaveBeenCalledTimes(1);
});

test("whoever lists runs is told when one is over, also when it was stopped", async () => {
  let status = "running";
  const run = () => ({ task_id: "t", status, cancel_requested: false, message: null, fraction: null, steps: [] });
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(run())));
  const over = vi.fn();
  let look!: () => void;
  function Page() {
    ({ look } = useRun("t", over));
    return null;
  }
  await show(<Page />);
  await pass(0);
  expect(over).not.toHaveBeenCalled();
  status = "cancelled"; // it was stopped, and the page looks at once
  await act(() => look());
  await pass(10);
  expect(over).toHaveBeenCalledTimes(1);
});
