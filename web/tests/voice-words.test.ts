import { describe, expect, it } from "vitest";

import { EventReader } from "../src/voice/chat-events";
import { patience, ATTEMPTS } from "../src/voice/line";
import { explained } from "../src/voice/microphone";
import { isMarkdown, parts, plain, restsOn, sentences, titleOf } from "../src/voice/words";
import { argsInWords, resultInWords } from "../src/voice/view/summary";

describe("what a model says", () => {
  it("is told from what it cites", () => {
    expect(parts("Lead Kenji. (project:harbor_light) And more.")).toEqual([
      { text: "Lead Kenji." },
      { cites: ["project:harbor_light"] },
      { text: " And more." },
    ]);
    expect(parts("Both (doc:a_b, term:c) agree")[1]).toEqual({ cites: ["doc:a_b", "term:c"] });
    expect(parts("See (https://example.com) at (10:30)")).toEqual([{ text: "See (https://example.com) at (10:30)" }]);
  });

  it("names records by their titles", () => {
    expect(titleOf("project:harbor_light", { title: "Harbor Light", snippet: "", database: null })).toBe("Harbor Light");
    expect(titleOf("project:harbor_light", undefined)).toBe("Harbor light");
  });

  it("rests on what it names or repeats, once", () => {
    const sources = new Map([
      ["a:x", { title: "Harbor Light", snippet: "Budget 184,000 euro, lead Kenji Okuhara.", database: "studio" }],
      ["a:y", { title: "Deep Water", snippet: "Walk-in exhibit about diving, with a wheel.", database: "studio" }],
    ]);
    expect(restsOn("budget 184,000 euro, lead Kenji Okuhara", ["a:x", "a:y", "a:x"], sources)).toEqual(["a:x"]);
    expect(restsOn("Deep water it is", ["a:x", "a:y"], sources)).toEqual(["a:y"]);
    expect(restsOn("Harbor Light (a:x)", ["a:x"], sources)).toEqual([]);
  });

  it("is words only in captions", () => {
    expect(plain("**Kenji** leads `harbor_light` (project:harbor_light).\n- one\n- [two](https://example.com)")).toBe(
      "Kenji leads harbor_light. one two",
    );
    expect(isMarkdown("Plain words, and a number: 3.5.")).toBe(false);
    expect(isMarkdown("Databases:\n- Studio\n- Public")).toBe(true);
  });

  it("is cut into sentences as it comes", () => {
    expect(sentences("Yes. It is 3.5 euro! And")).toEqual({ whole: ["Yes.", "It is 3.5 euro!"], rest: "And" });
    expect(sentences("No end yet.")).toEqual({ whole: [], rest: "No end yet." });
  });
});

describe("a call in one line", () => {
  const outcome = { ok: true, error: null, errorType: null, durationMs: 1, replayed: false, meta: {} };

  it("says what it was given", () => {
    expect(argsInWords({ query: "Who leads it?", limit: 3, database_id: "studio" })).toBe("“Who leads it?”, studio");
    expect(argsInWords({ limit: 3 })).toBe("3");
    expect(argsInWords({})).toBe("");
    expect(argsInWords({ text: "x".repeat(200) }).length).toBe(70);
  });

  it("says what came of it", () => {
    expect(resultInWords({ ...outcome, result: { success: true, results: [1, 2] } })).toBe("2 results");
    expect(resultInWords({ ...outcome, result: { databases: [1] } })).toBe("1 database");
    expect(resultInWords({ ...outcome, result: { answer: "Kenji leads it.", cited: [] } })).toBe("Kenji leads it.");
    expect(resultInWords({ ...outcome, result: { navigated_to: "tools" } })).toBe("navigated to tools");
    expect(resultInWords({ ...outcome, result: null })).toBe("done");
    expect(resultInWords({ ...outcome, ok: false, error: "Too many.", result: {} })).toBe("Too many.");
    expect(resultInWords({ ...outcome, ok: false, errorType: "CONFIRMATION_REQUIRED", result: {} })).toBe("waiting for your approval");
  });
});

describe("a lost line", () => {
  it("is asked for again, ever less often, and not for ever", () => {
    const waits = Array.from({ length: ATTEMPTS }, (_, n) => patience(n, 0.5)!);
    expect(waits.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(Math.max(...waits)).toBe(3_000);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(60_000);
    expect(patience(ATTEMPTS)).toBeNull();
  });
});

describe("the microphone", () => {
  it("says what is wrong with it", () => {
    const named = (name: string, device = "") => explained(new DOMException("x", name), device).trouble;
    expect(named("NotAllowedError")).toBe("denied");
    expect(named("NotFoundError")).toBe("none");
    expect(named("NotReadableError")).toBe("busy");
    expect(named("OverconstrainedError", "abc")).toBe("none");
    const words = ["NotAllowedError", "NotFoundError", "NotReadableError"].map((name) => explained(new DOMException("x", name)).message);
    expect(new Set(words).size).toBe(3);
    for (const each of words) expect(each).toMatch(/type/i);
    expect(explained(new DOMException("x", "OverconstrainedError"), "abc").message).toContain("Settings");
  });
});

describe("server-sent events", () => {
  it("are the same however the stream is cut", () => {
    const stream = 'event: text\ndata: {"type":"text","delta":"a"}\n\n: idle\n\nevent: done\ndata: {"type":"done"}\n\n';
    for (const size of [1, 7, 1_000]) {
      const reader = new EventReader();
      const found = [];
      for (let at = 0; at < stream.length; at += size) found.push(...reader.feed(stream.slice(at, at + size)));
      expect(found).toEqual([{ type: "text", delta: "a" }, { type: "done" }]);
    }
  });
});
