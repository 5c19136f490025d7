import { expect, test } from "vitest";

import { argsInWords, inOneLine, type CallFacts } from "../src/voice/view/summary";

const call = (name: string, args: unknown, result: unknown, durationMs = 120): CallFacts => ({
  name,
  args,
  at: 1,
  consent: null,
  outcome: { ok: true, error: null, errorType: null, result, durationMs } as unknown as CallFacts["outcome"],
});

test("searches are counted together, and looking around is left out", () => {
  const found = { results: [{}, {}] };
  const line = inOneLine([
    call("kb_search", { query: "a", namespace: "studio" }, found),
    call("kb_search", { query: "a", namespace: "public" }, found),
    call("list_macros", {}, { macros: [] }, 0),
  ]);
  expect(line).toBe("Searched 2 databases · 4 results · 120 ms");
});

test("a tool of the catalogue goes by its own name, without what is hidden", () => {
  const args = { tool_id: "unit_converter", params: { value: 20, from: "C", to: "[redacted]" } };
  const answer = { tool_id: "unit_converter", category: "math", result: { text: "20 C = 68 F" } };
  expect(inOneLine([call("run_tool", args, answer)])).toBe("Unit converter · C · 20 C = 68 F · 120 ms");
  const hidden = { tool_id: "calculator", params: "[redacted]" };
  expect(inOneLine([call("run_tool", hidden, { result: { value: 204 } })])).toBe("Calculator · value 204 · 120 ms");
});

test("values that must not be shown are not", () => {
  expect(argsInWords({ text: "[redacted]", name: "Ada" })).toBe("Ada");
  expect(argsInWords("[redacted]")).toBe("");
});
