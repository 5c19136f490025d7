import { describe, expect, it } from "vitest";

import type { Evidence, Run } from "../src/pages/workflows/api";
import { cited, recordAddress } from "../src/pages/workflows/run";
import { condition } from "../src/pages/workflows/steps";
import { mark, nextWait } from "../src/pages/workflows/watch";

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
    const run = { status: "running", cancel_requested: false, message: "x", fraction: 0.2, steps: [{ status: "running" }, { status: "pending" }] } as Run;
    const next = { ...run, steps: [{ status: "done" }, { status: "running" }] } as Run;
    expect(mark(next)).not.toBe(mark(run));
    expect(mark({ ...run })).toBe(mark(run));
  });
});

it("says conditions in words", () => {
  expect(condition("found/results")).toBe("Only if “found” gave results.");
  expect(condition("not page/title")).toBe("Only if “page” gave no title.");
  expect(condition("input/query")).toBe("Only if you gave query.");
});
