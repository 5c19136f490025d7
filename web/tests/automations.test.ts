import { describe, expect, it } from "vitest";

import type { Evidence, Run } from "../src/pages/automations/api";
import { cited, recordAddress } from "../src/pages/automations/run";
import { inWords } from "../src/pages/automations/log";
import { cronOf, wishOf } from "../src/pages/automations/schedule-api";
import { condition } from "../src/pages/automations/steps";
import { mark, nextWait } from "../src/pages/automations/watch";

const evidence: Evidence[] = [
  { id: "project:atlas", title: "Atlas", tool: "kb_search", database_id: "studio" },
  { id: "hot-device", title: "When it runs hot", tool: "search_playbooks", database_id: null },
  { id: "line:7", title: "eval", tool: "security_scanner", database_id: null },
];

describe("a result", () => {
  it("leads from its citations to what they name", () => {
    expect(cited("Atlas [project:atlas] is [hot-device] and [line:7].", evidence)).toBe(
      "Atlas [\\[project:atlas\\]](<#/kg-studio/studio/record/project%3Aatlas>) is [\\[hot-device\\]](<#/playbooks/hot-device>) and [line:7].",
    );
  });
  it("leaves links and unknown brackets as they are", () => {
    for (const text of ["[project:atlas](https://example.org)", "[unknown]", "[a\nb]", "- [ ] open"]) expect(cited(text, evidence)).toBe(text);
  });
  it("knows what has no page of its own", () => {
    expect(recordAddress(evidence[2]!)).toBeNull();
    expect(recordAddress({ ...evidence[0]!, database_id: null })).toBe("#/kg-studio?q=Atlas");
  });
});

describe("watching", () => {
  it("waits longer and longer while nothing moves, and looks soon after something did", () => {
    const waits = [250];
    for (let round = 0; round < 10; round++) waits.push(nextWait(waits.at(-1)!, false));
    expect(waits).toEqual([...waits].sort((one, two) => one - two));
    expect(waits.at(-1)).toBe(2000);
    expect(nextWait(2000, true)).toBe(250);
  });
  it("sees a step that moved on", () => {
    const run = { status: "running", stop_requested: false, steps: [{ status: "running" }, { status: "pending" }] } as Run;
    const next = { ...run, steps: [{ status: "done" }, { status: "running" }] } as Run;
    expect(mark(next)).not.toBe(mark(run));
    expect(mark({ ...run })).toBe(mark(run));
  });
});

describe("a rhythm", () => {
  it("is the same after a way through cron", () => {
    for (const rhythm of ["hour", "day", "weekdays", "week", "month"] as const) {
      const wish = { rhythm, time: rhythm === "hour" ? "00:05" : "07:30", weekday: rhythm === "week" ? 3 : 1, day: rhythm === "month" ? 15 : 1 };
      expect(wishOf(cronOf(wish))).toEqual(wish);
    }
  });
  it("that is none of the usual ones stays an expression", () => {
    for (const text of ["*/5 * * * *", "0 8 * 1 *", "0 8 13 * 5", "0 8 * * MON", "nonsense", "0 8-18 * * *"]) expect(wishOf(text).rhythm).toBe("custom");
  });
});

describe("the event log", () => {
  const steps = [{ step: "1", title: "fetch" }, { step: "2", title: "store" }] as Run["steps"];
  it("says each event in words, inner steps by their place", () => {
    expect(inWords({ at: 0, event: "step_started", step: "2", details: {} }, { steps })).toBe("Step 2 (store) started");
    expect(inWords({ at: 0, event: "step_finished", step: "2/1", details: { status: "done" } }, { steps })).toBe("Step 2.1 finished: succeeded");
    expect(inWords({ at: 0, event: "step_retried", step: "1", details: { attempt: 2 } }, { steps })).toBe("Step 1 (fetch) failed on attempt 2 and is retried");
  });
});

it("says conditions in words", () => {
  expect(condition("found/results")).toBe("Only if “found” returned results.");
  expect(condition("not page/title")).toBe("Only if “page” returned no title.");
  expect(condition("input/query")).toBe("Only with query in the input.");
});
