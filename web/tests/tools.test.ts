/** Finding tools, and saying what decisions, losses and results mean. */
import { describe, expect, test } from "vitest";

import type { Metrics, ToolSummary } from "../src/pages/tools/api";
import { counts, found, readView, related, score, writeView, type View } from "../src/pages/tools/search";
import { ERRORS, examplesIn, lossInWords, placeOf } from "../src/pages/tools/words";
import { columnsOf } from "../src/ui/readable";

function tool(toolId: string, more: Partial<ToolSummary> = {}): ToolSummary {
  return {
    toolId, version: "1.0.0", description: "", summary: "", category: "utility", sideEffects: "none", idempotent: true,
    requiresConfirmation: false, risk: "high", allowedModes: ["text", "voice"], latencyBudgetMs: 1000, execution: "server",
    timeoutMs: 8000, isolation: "inline", interruption: "cancel", available: true, ...more,
  };
}

const tools = [
  tool("kb_search", { category: "retrieval", sideEffects: "read_only", description: "Search the knowledge base." }),
  tool("search_playbooks", { category: "retrieval", summary: "How something is done." }),
  tool("calendar_create_event", { category: "action", sideEffects: "writes", requiresConfirmation: true, allowedModes: ["text"], description: "Create an event." }),
  tool("svg_chart", { catalogue: "media", description: "Draw a chart." }),
  tool("hidden", { available: false, execution: "client" }),
];
const view = (more: Partial<View> = {}): View => ({ q: "", sort: "", chosen: {}, ...more });
const ids = (list: ToolSummary[]) => list.map((each) => each.toolId);

describe("search", () => {
  test.each([
    ["kb_search", ["kb_search"]],
    ["kb search", ["kb_search"]],
    ["KNOWLEDGE", ["kb_search"]],
    ["search", ["search_playbooks", "kb_search"]],
    ["draw chart", ["svg_chart"]],
    ["chart nothing", []],
    ["(", []],
    ["playb", ["search_playbooks"]],
  ])("%s", (q, expected) => expect(ids(found(tools, view({ q })))).toEqual(expected));

  test("small words do not count, and where nothing fits all of them what fits most is found", () => {
    expect(ids(found(tools, view({ q: "search in the knowledge" })))).toEqual(["kb_search"]);
    expect(ids(related(tools, "a chart of my city"))).toEqual(["svg_chart"]);
    expect(ids(related(tools, "nothing like it"))).toEqual([]);
  });

  test("the exact name comes before all others", () =>
    expect(score(tools[0]!, "kb_search")).toBeGreaterThan(score(tools[1]!, "search")));

  test("filters hold together, and the counts say what each of them would leave", () => {
    expect(ids(found(tools, view({ chosen: { category: "retrieval", effects: "read_only" } })))).toEqual(["kb_search"]);
    expect(ids(found(tools, view({ chosen: { confirm: "asks" } })))).toEqual(["calendar_create_event"]);
    expect(ids(found(tools, view({ chosen: { available: "no" } })))).toEqual(["hidden"]);
    expect(ids(found(tools, view({ chosen: { area: "media" } })))).toEqual(["svg_chart"]);
    expect(counts(tools, view({ chosen: { category: "retrieval" } }), "category")).toEqual(new Map([["action", 1], ["retrieval", 2], ["utility", 2]]));
    expect(counts(tools, view({ chosen: { category: "action" } }), "mode")).toEqual(new Map([["text", 1], ["voice", 0]]));
  });

  test("the order", () => {
    const metrics = {
      calls: { svg_chart: { ok: 3, VALIDATION: 1 }, kb_search: { ok: 2 } },
      latency: { kb_search: { p50: 1, p95: 40, p99: 50, overBudget: 0 }, svg_chart: { p50: 1, p95: 2, p99: 3, overBudget: 0 } },
    } as unknown as Metrics;
    expect(ids(found(tools, view(), metrics))[0]).toBe("calendar_create_event");
    expect(ids(found(tools, view({ sort: "used" }), metrics)).slice(0, 2)).toEqual(["svg_chart", "kb_search"]);
    expect(ids(found(tools, view({ sort: "slow" }), metrics)).slice(0, 2)).toEqual(["kb_search", "svg_chart"]);
  });

  test("what is chosen goes into the address and comes back; what is no order is none", () => {
    const shown = view({ q: "a b", sort: "used", chosen: { category: "action", mode: "voice" } });
    expect(readView(new URLSearchParams(writeView(shown)))).toEqual(shown);
    expect(readView(new URLSearchParams("sort=loud&other=1"))).toEqual(view());
  });
});

describe("words", () => {
  test("a place in a schema is a place in the arguments", () => {
    expect(placeOf("/properties/series/items/properties/name")).toBe("series[].name");
    expect(placeOf("")).toBe("the arguments as a whole");
    expect(placeOf("/properties/start/anyOf/1")).toBe("start (form 2)");
  });

  test("a loss is a sentence, also one of a keyword that is new", () => {
    expect(lossInWords({ keyword: "maxLength", pointer: "/properties/title", reason: "not in strict mode" }))
      .toEqual({ what: "The longest length", where: "title", reason: "not in strict mode" });
    expect(lossInWords({ keyword: "if", pointer: "", reason: "x" }).what).toBe("The keyword if");
  });

  test("every type of error has advice", () => {
    // As listed in docs/envelope.md.
    const types = "VALIDATION NOT_FOUND INTERNAL MODE_RESTRICTED BUDGET_EXCEEDED CONFIRMATION_REQUIRED LOOP_DETECTED UNAVAILABLE IN_PROGRESS OUTCOME_UNKNOWN CANCELLED SESSION_INACTIVE SESSION_ACTIVE TRANSIENT PERMANENT CONFLICT AUTH RATE_LIMIT";
    expect(Object.keys(ERRORS).sort()).toEqual(types.split(" ").sort());
  });

  test("examples of a guide that can be tried", () => {
    const guide = [
      "# t", "", "## Examples", "", "Find a person:", "", "```json", '{"query": "ada", "top_k": 1}', "```", "```json",
      '{"results": []}', "```", "", "Broken:", "", "```json", '{"query": …}', "```",
    ].join("\n");
    const schema = { properties: { query: {}, top_k: {} }, required: ["query"] };
    expect(examplesIn(guide, schema)).toEqual([{ title: "Find a person", args: { query: "ada", top_k: 1 } }]);
  });
});

test("a list of records is a table of what they have", () => {
  expect(columnsOf([{ a: 1, b: null }, { a: 2, c: "x", b: "" }])).toEqual(["a", "c"]);
  expect(columnsOf([1, 2])).toBeNull();
  expect(columnsOf([])).toBeNull();
});
