import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { get } from "../src/api/http";
import { go } from "../src/router";
import { inHand, watchPerson, wentWrong } from "../src/stores/awareness";

let told: Record<string, unknown>[] = [];
let status = 200;
let stop: () => void;
let hour = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: ++hour * 3_600_000 });
  told = [];
  status = 200;
  vi.stubGlobal("fetch", (_: string, options: RequestInit) => {
    if (options.method === "POST") told.push(JSON.parse(String(options.body)));
    return Promise.resolve(new Response('{"detail": "It broke."}', { status }));
  });
  go("#/vox");
  stop = watchPerson();
});

afterEach(() => {
  stop();
  vi.advanceTimersByTime(120_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pages = () => told.filter((each) => each["event_type"] === "page_visit").map((each) => each["page"]);

test("pages are told once the person stays on them, and only once", () => {
  vi.advanceTimersByTime(1000);
  go("#/tools");
  vi.advanceTimersByTime(100);
  go("#/audit");
  vi.advanceTimersByTime(1000);
  go("#/audit?rule=run");
  vi.advanceTimersByTime(1000);
  expect(pages()).toEqual(["vox", "audit"]);
});

test("the graph that is looked at is in hand", () => {
  go("#/kg-studio/studio/graph");
  vi.advanceTimersByTime(1000);
  expect(told).toContainEqual({ event_type: "context", key: "active_graph", value: "studio" });
});

test("what is in hand is told when it changes", () => {
  inHand("active_project", "Loom");
  inHand("active_project", "Loom");
  inHand("active_project", "");
  expect(told.map((each) => each["value"])).toEqual(["Loom", ""]);
});

test("failures of the server are told, those of the person are not", async () => {
  status = 422;
  await get("/api/tools").catch(() => {});
  expect(told).toEqual([]);
  status = 503;
  await get("/api/tools").catch(() => {});
  expect(told).toEqual([{ event_type: "error", error_type: "HTTP 503", message: "It broke.", page: "vox" }]);
});

test("a page that fails without end does not keep the server busy", () => {
  for (let n = 0; n < 50; n++) wentWrong("script", `number ${n}`);
  expect(told).toHaveLength(10);
  vi.advanceTimersByTime(61_000);
  told = [];
  wentWrong("script", "later");
  expect(told.filter((each) => each["event_type"] === "error")).toHaveLength(1);
});
