/** Drafts of macros, what goes to the server, tests of single steps, and where the phrase works. */
import { afterEach, describe, expect, test } from "vitest";

import {
  bodyOf, differs, draftOf, drafts, duplicate, emptyDraft, imported, inside, keep, moved, pipeErrors, removed, repeated,
  unreadIn, type Macro,
} from "../src/pages/macros/draft";
import type { Step as PipelineStep } from "../src/pages/automations/api";
import { asMacro } from "../src/pages/macros/copies";
import { argsFor } from "../src/pages/macros/outputs";
import { lookUp, putAt } from "../src/pages/macros/paths";
import { pathsIn, pathsOf, targetsOf } from "../src/pages/macros/suggest";
import { hindrance, runnerFor, waysIn } from "../src/pages/macros/ways";
import type { ToolSummary } from "../src/pages/tools/api";
import { Unread } from "../src/ui/schema-form/form";

const saved: Macro = {
  id: "5d0c2a9e", name: "Good morning", trigger_phrase: "good morning", error_policy: "skip", created_at: 1, updated_at: 2, step_count: 4,
  steps: [
    { function: "list_kgs", args: {}, pipe_from: null },
    { function: "search_kg", args: { query: "news" }, pipe_from: 1 },
    { function: "query_kg", args: { database_id: "studio" }, pipe_from: { step: 2, path: "results/0/title", to: "query" } },
    { function: "kb_get", args: {}, pipe_from: [{ step: 2, path: "results/0/id", to: "id" }, { step: 1, to: "extra" }] },
  ],
};
const pipesOf = (draft: ReturnType<typeof draftOf>) => bodyOf(draft).steps.map((step) => step.pipe_from ?? null);

afterEach(() => {
  for (const place of Object.keys(drafts.value)) keep(place, null);
});

describe("drafts", () => {
  test("a saved macro comes back as it was", () => {
    const draft = draftOf(saved);
    expect(pipesOf(draft)).toEqual(saved.steps.map((step) => step.pipe_from));
    expect(bodyOf(draft)).toMatchObject({ id: "5d0c2a9e", trigger_phrase: "good morning", error_policy: "skip" });
    expect(differs(draft, saved)).toBe(false);
    expect(differs({ ...draft, name: "x" }, saved)).toBe(true);
    expect(differs(emptyDraft(), null)).toBe(false);
  });

  test("values follow their step when steps are moved", () => {
    expect(pipesOf(moved(draftOf(saved), 0, 1))).toEqual([
      2, null, { step: 1, path: "results/0/title", to: "query" },
      [{ step: 1, path: "results/0/id", to: "id" }, { step: 2, to: "extra" }],
    ]);
  });

  test("a value whose step is gone has to be chosen anew, and the server says so", () => {
    const draft = removed(draftOf(saved), 1);
    expect(draft.steps.map((step) => step.function)).toEqual(["list_kgs", "query_kg", "kb_get"]);
    expect(pipesOf(draft)[1]).toEqual({ step: 0, path: "results/0/title", to: "query" });
    expect(removed(emptyDraft(), 0).steps).toHaveLength(1);
  });

  test("a repeated step is a step of its own", () => {
    const draft = repeated(draftOf(saved), 2);
    expect(new Set(draft.steps.map((step) => step.key)).size).toBe(5);
    expect(pipesOf(draft)[3]).toEqual(pipesOf(draft)[2]);
  });

  test("a copy has a name and a phrase that are free", () => {
    const copy = { ...saved, id: "1", name: "Good morning copy", trigger_phrase: "good morning copy" };
    expect(duplicate(saved, [saved, copy])).toMatchObject({ id: null, name: "Good morning copy 2", phrase: "good morning copy 2" });
  });

  test("a draft is kept in the tab, with what is no value yet", () => {
    const draft = { ...draftOf(saved), name: "Changed" };
    draft.steps[1] = { ...draft.steps[1]!, args: { top_k: new Unread("tw", "is no number") } };
    keep(saved.id, draft);
    const kept = JSON.parse(sessionStorage.getItem("antiphon.macros.drafts")!);
    expect(kept[saved.id].steps[1].args.top_k).toEqual({ $unread: ["tw", "is no number"] });
    expect(unreadIn(drafts.value[saved.id]!)).toEqual([{ pointer: "/steps/1/args/top_k", message: "is no number" }]);
    keep(saved.id, null);
    expect(drafts.value).toEqual({});
  });
});

describe("what is wrong", () => {
  const errors = [
    { pointer: "/steps/1/args/query", message: "is missing" },
    { pointer: "/steps/1/pipe_from/step", message: "is no earlier step" },
    { pointer: "/steps/10/args", message: "is no object" },
    { pointer: "/name", message: "is empty" },
  ];

  test("is found at its step", () =>
    expect(inside(errors, "/steps/1").map((each) => each.pointer)).toEqual(["/args/query", "/pipe_from/step"]));

  test("is found at its pipe, one or many", () => {
    expect(pipeErrors([{ pointer: "/pipe_from/to", message: "x" }], 0, 1)).toEqual([{ pointer: "/to", message: "x" }]);
    const many = [{ pointer: "/pipe_from/1/path", message: "y" }];
    expect(pipeErrors(many, 1, 2)).toEqual([{ pointer: "/path", message: "y" }]);
    expect(pipeErrors(many, 0, 2)).toEqual([]);
  });
});

describe("files", () => {
  test("one, a list and an export of all are read, without their ids", () => {
    expect(imported(JSON.stringify(saved))[0]).not.toHaveProperty("id");
    expect(imported(JSON.stringify([saved, saved]))).toHaveLength(2);
    expect(imported(JSON.stringify({ macros: [saved] }))).toHaveLength(1);
  });

  test.each([
    ["{", "not valid JSON"], ["[]", "no macro"], ['{"name": "x"}', "no list of steps"],
    ['[{"steps": [{"function": "a"}]}, {"steps": [{}]}]', "Macro 2 is not a macro: step 1 names no function"], ["null", "no list of steps"],
  ])("%s is refused in words", (text, words) => expect(() => imported(text)).toThrow(words));
});

describe("suggestions", () => {
  test("come from what a function promises, from what it gave, and from what takes a value", () => {
    const output = { type: "object", properties: { results: { type: "array", items: { type: "object", properties: { id: { type: "string", description: "Cite this." } } } } } };
    expect(pathsOf(output).map((each) => each.path)).toEqual(["results", "results/0", "results/0/id"]);
    expect(pathsIn({ "a/b": [{ id: "x" }], n: 1 })).toContainEqual({ path: "a~1b/0/id", about: '"x"' });
    expect(targetsOf({ type: "object", properties: { params: { type: "object", properties: { code: {} } } } }).map((each) => each.path)).toEqual(["params", "params/code"]);
    expect(pathsOf(undefined)).toEqual([]);
  });
});

describe("the test of a step", () => {
  const draft = draftOf(saved);
  const known = { k1: { state: "done" as const, value: { databases: [{ id: "studio" }] } }, k2: { state: "done" as const, value: { results: [{ id: "r", title: "T" }] } } };
  test("takes values of earlier steps as a run does", () => {
    expect(argsFor(draft, draft.steps[1]!, known)).toEqual({ query: "news", database_id: "studio" });
    expect(argsFor(draft, draft.steps[2]!, known)).toEqual({ database_id: "studio", query: "T" });
    expect(argsFor(draft, draft.steps[3]!, known)).toEqual({ id: "r", extra: { databases: [{ id: "studio" }] } });
  });
  test("says which step has to be tested first, and what is not there", () => {
    expect(() => argsFor(draft, draft.steps[1]!, {})).toThrow("Test step 1 first");
    expect(() => argsFor(draft, draft.steps[2]!, { k2: { state: "done", value: { results: [] } } })).toThrow("nothing at “results/0/title”");
  });
  test("paths lead into objects and odd names", () => {
    expect(lookUp({ "a/b": [{ id: 1 }] }, "a~1b/0/id")).toBe(1);
    expect(putAt({ params: { deep: true } }, "params/code", "x")).toEqual({ params: { deep: true, code: "x" } });
  });
});

test("a workflow becomes a macro of the calls it makes", () => {
  const step = (id: string, tool: string | null, sources: Record<string, string> = {}, args = {}) => ({ id, title: id, tool, args, sources, optional: false }) as PipelineStep;
  const draft = asMacro({
    title: "Weekly Report",
    steps: [step("found", "cross_kg_search", { query: "input/query" }, { limit: 5 }), step("linked", "query_kg", { database_id: "found/results/0/database_id", query: "input/query" }), step("said", null)],
  });
  expect(bodyOf(draft)).toEqual({
    name: "Weekly Report", trigger_phrase: "weekly report", error_policy: "abort",
    steps: [
      { function: "cross_kg_search", args: { limit: 5 } },
      { function: "query_kg", args: {}, pipe_from: { step: 1, path: "results/0/database_id", to: "database_id" } },
    ],
  });
});

describe("the phrase", () => {
  const tool = (toolId: string, modes: string[], more = {}) => ({ toolId, allowedModes: modes, ...more }) as ToolSummary;
  const tools = [tool("a", ["text", "voice"]), tool("b", ["text"]), tool("c", ["text", "voice"]), tool("run_tool", ["text", "voice"]), tool("calculator", ["text"], { catalogue: "math" })];
  const ways = waysIn({ tools: ["a", "b", "run_tool"], modes: {} }, tools);
  const steps = (...names: string[]) => names.map((name) => ({ function: name, args: {} }));
  test("says truly where it runs the macro", () => {
    expect(hindrance(steps("a"), ways, tools)).toBe("");
    expect(hindrance(steps("a", "b"), ways, tools)).toContain("saying it does not run it");
    expect(hindrance(steps("c"), ways, tools)).toContain("may not call c");
    expect(hindrance([{ function: "run_tool", args: { tool_id: "calculator" } }], ways, tools)).toContain("calculator");
    expect(hindrance(steps("c"), null, tools)).toBe("");
  });
  test("calls what the catalogue has through the function that runs it", () => {
    expect(runnerFor(tools[4]!, ways)).toBe(true);
    expect(runnerFor(tools[0]!, ways)).toBe(false);
  });
});
