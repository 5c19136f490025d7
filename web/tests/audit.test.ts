import { expect, test } from "vitest";

import { at, parseRoute } from "../src/router";
import { chainInWords, exportAddress, filtered, fromLocal, isFiltered, lineInWords, policyOf, readView, toLocal, writeView, type Line } from "../src/pages/audit/shapes";

const line = (change: Partial<Line>): Line => ({ seq: 1, at: 1, event: "tool_execution", prev: "0", hash: "1", toolId: "find", ...change });

test("what is looked at stands in the address and comes back from it", () => {
  const view = readView(new URLSearchParams("rule=budget.calls&ok=false&before=120&line=7"));
  expect(view).toMatchObject({ filters: { rule: "budget.calls", ok: "false", tool: "" }, before: 120, after: null, line: 7 });
  expect(readView(parseRoute(at("audit", [], writeView(view))).query)).toEqual(view);
  expect(isFiltered(view)).toBe(true);
  expect(isFiltered(readView(new URLSearchParams("line=7")))).toBe(false);
});

test("a number that is none is left out", () => {
  for (const odd of ["x", "-1", "1e5", "", "99999999999999999999"]) {
    expect(readView(new URLSearchParams({ before: odd, line: odd }))).toMatchObject({ before: null, line: null });
  }
});

test("another filter begins at the newest line, and what is open stays open", () => {
  const view = readView(new URLSearchParams("rule=mode&before=120&line=7"));
  expect(filtered(view, { tool: "find" })).toMatchObject({ filters: { rule: "mode", tool: "find" }, before: null, line: 7 });
});

test("what is exported is what is filtered", () => {
  const { filters } = readView(new URLSearchParams("rule=mode&since=2026-01-01T00:00:00Z"));
  expect(exportAddress(filters)).toBe("/api/audit?rule=mode&since=2026-01-01T00%3A00%3A00Z&format=jsonl");
});

test("times go into a field for local time and back", () => {
  const moment = fromLocal("2026-03-01T09:30");
  expect(new Date(moment).getTime()).toBe(new Date("2026-03-01T09:30").getTime());
  expect(toLocal(moment)).toBe("2026-03-01T09:30");
  expect([toLocal(""), toLocal("odd"), fromLocal(""), fromLocal("odd")]).toEqual(["", "", "", ""]);
});

test("a line is a sentence", () => {
  expect(lineInWords(line({ decision: "run", ok: true, duration: 12.4 }))).toBe("find ran in 12 ms.");
  expect(lineInWords(line({ decision: "run", ok: false, errorType: "TIMEOUT", duration: 0.2 }))).toBe("find ran and failed (TIMEOUT).");
  expect(lineInWords(line({ decision: "refuse", rule: "mode", errorType: "MODE_RESTRICTED" }))).toBe("find was refused by the rule mode (MODE_RESTRICTED).");
  expect(lineInWords(line({ event: "session_started", toolId: null }))).toBe("Session started");
  expect(lineInWords(line({ event: "brand_new" }))).toBe("brand new: find");
});

test("the check of the chain is told in words", () => {
  const chain = { ok: true, count: 2341, first_bad_seq: null, problem: null };
  expect(chainInWords(chain)).toMatch(/^All 2.341 lines are intact/);
  expect(chainInWords({ ...chain, count: 1 })).toMatch(/^The only line is intact/);
  expect(chainInWords({ ...chain, count: 0 })).toMatch(/empty/);
  expect(chainInWords({ ok: false, count: 11, first_bad_seq: 12, problem: "line 12 was changed: its hash does not fit" }))
    .toBe("The chain is broken: line 12 was changed: its hash does not fit. 11 lines before it are intact.");
});

test("numbers for a replay: empty is as it is, none is no limit, the rest has to be a number", () => {
  expect(policyOf({ "voice.total_calls": " 5 ", "text.rounds": "None", same_call_limit: "" }))
    .toEqual({ policy: { "voice.total_calls": 5, "text.rounds": null }, wrong: {} });
  expect(Object.keys(policyOf({ "voice.top_k": "-1", same_call_limit: "none", nested_depth: "many" }).wrong))
    .toEqual(["voice.top_k", "same_call_limit", "nested_depth"]);
});
