import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { merge, tasks, type TaskRow } from "../src/stores/tasks";
import { toasts } from "../src/stores/toasts";
import { heard } from "./messages";

let count = 0;
const fresh = () => `task-${++count}`;
const row = (id: string, more: Partial<TaskRow> = {}): TaskRow => ({
  ...{ id, tool: "ingest_to_kg", status: "running", progress: null, cancel_requested: false },
  ...more,
});
const message = (type: "async_task_started" | "async_task_progress" | "async_task_complete", id: string, more = {}) => heard({ type, task_id: id, function: "run_workflow", ...more });

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = [];
});
afterEach(() => vi.useRealTimers());

test("a task is one notice from its start to its end, with a link and a way to stop it", () => {
  const id = fresh();
  message("async_task_started", id);
  message("async_task_progress", id, { message: "Step 2 of 4", fraction: 0.5 });
  expect(toasts.value).toHaveLength(1);
  expect(toasts.value[0]).toMatchObject({ text: "Run workflow: Step 2 of 4", progress: 0.5, href: `#/workflows?task=${id}` });
  expect(toasts.value[0]?.action?.label).toBe("Stop");
  message("async_task_complete", id, { status: "succeeded", result: { success: true, summary: "All done." } });
  expect(toasts.value).toHaveLength(1);
  expect(toasts.value[0]).toMatchObject({ kind: "good", text: "Run workflow finished: All done." });
  expect(tasks.value).toEqual([]);
});

test("an end is told once, whoever tells it", () => {
  const id = fresh();
  message("async_task_started", id);
  message("async_task_complete", id, { status: "failed", result: { success: false, error: "No such database." } });
  expect(toasts.value[0]).toMatchObject({ kind: "bad", text: "Run workflow failed: No such database." });
  toasts.value = [];
  expect(merge([row(id, { status: "failed" })])).toEqual([]);
  message("async_task_progress", id, { message: "late" });
  expect(toasts.value).toEqual([]);
});

test("what ended before the page was loaded is not told; what runs is", () => {
  const [old, now] = [fresh(), fresh()];
  merge([row(old, { status: "succeeded" }), row(now, { progress: { message: "Reading", fraction: 0.2 } })], true);
  expect(toasts.value.map((each) => each.text)).toEqual(["Ingest to knowledge: Reading"]);
  // Its end is looked up, since the list does not say what came of it.
  expect(merge([row(old, { status: "succeeded" }), row(now, { status: "succeeded" })])).toEqual([now]);
  merge([row(now, { status: "succeeded", result: { ok: true, data: {} } })]);
  expect(toasts.value.at(-1)?.text).toBe("Ingest to knowledge finished.");
});

test("a notice that was closed comes back only with the end", () => {
  const id = fresh();
  message("async_task_started", id);
  toasts.value[0]!.onDismiss!();
  toasts.value = [];
  message("async_task_progress", id, { message: "still", fraction: 0.9 });
  expect(toasts.value).toEqual([]);
  message("async_task_complete", id, { status: "cancelled", result: { success: false, error: "" } });
  expect(toasts.value[0]).toMatchObject({ kind: "info", text: "Run workflow was stopped." });
});

test("one that is being stopped says so", () => {
  const id = fresh();
  merge([row(id, { cancel_requested: true })]);
  expect(toasts.value[0]?.text).toBe("Ingest to knowledge: stopping…");
  expect(toasts.value[0]?.action).toBeUndefined();
});
