import { expect, test } from "vitest";

import { marksOf, noteInWords, readFilters, standing, tally, titleOf, verdictOf, type CallMade, type Session, type Turn } from "../src/pages/sessions/shapes";

const session = (change: Partial<Session> = {}): Session => ({
  id: "s1", user: "ada", mode: "text", provider: "local", profile: "assistant", registry_version: "1.0.x",
  created_at: 1, updated_at: 2, ended_at: null, active: true, live: false, turn: 2, about: "Who runs the payroll?", ...change,
});

const call = (change: Partial<CallMade> = {}): CallMade => ({
  kind: "call", seq: 1, at: 1, event: "tool_execution", tool: "find", tool_version: "1.0.0", call_id: null, args: {},
  decision: "run", rule: "run", gates: [], ok: true, error_type: null, duration: 3, source: "agent", replayed: false,
  detached: false, answer: null, answer_chars: null, ...change,
});

const turn = (...entries: Turn["entries"]): Turn =>
  ({ number: 1, started_at: 1, ended_at: null, finish: null, marks: {}, tokens: null, entries });

test("a session is called by its first words, or by what it is for", () => {
  expect(titleOf(session())).toBe("Who runs the payroll?");
  expect(titleOf(session({ id: "rest-text", about: null }))).toMatch(/HTTP/);
  expect(titleOf(session({ about: null, mode: "voice" }))).toBe("Voice session");
});

test("active, idle and ended are told apart", () => {
  expect(standing(session({ live: true })).word).toBe("Active");
  expect(standing(session()).word).toBe("Idle");
  expect(standing(session({ active: false, ended_at: 5 })).word).toBe("Ended");
});

test("waits are told in the order in which they are noticed, unknown ones are not", () => {
  const marks = marksOf({ marks: { duration: 3400, odd: 1, turn_gap: 80, time_to_first_audio: 412.4 } });
  expect(marks.map((mark) => mark.name)).toEqual(["time_to_first_audio", "turn_gap", "duration"]);
  expect(marks[0]!.value).toBe("412 ms");
});

test("calls are counted by what came of them and by the gate that stopped them", () => {
  const stopped = (id: string, outcome: "stopped" | "asked") => [{ id, outcome, rule: id }];
  const found = tally([
    turn(call(), call({ ok: false }), call({ replayed: true, decision: "replay" })),
    turn(
      call({ decision: "refuse", gates: stopped("budget", "stopped") }),
      call({ decision: "refuse", gates: stopped("budget", "stopped") }),
      call({ decision: "confirm", gates: stopped("confirmation", "asked") }),
      { kind: "said", at: 1, role: "user", channel: "text", text: "hello" },
    ),
  ]);
  expect(found).toEqual({ calls: 6, ran: 2, failed: 1, refused: 2, asked: 1, replayed: 1, stops: { budget: 2, confirmation: 1 } });
});

test("each end of a call has a word of its own", () => {
  const word = (change: Partial<CallMade>) => verdictOf(call(change)).word;
  expect([
    word({}), word({ ok: false }), word({ decision: "refuse", ok: false }), word({ decision: "confirm", ok: false }),
    word({ decision: "replay", replayed: true }), word({ decision: "wait", ok: false }), word({ detached: true, ok: false }),
  ]).toEqual(["done", "failed", "refused", "asked first", "replayed", "waited", "still running"]);
});

test("lines that are no calls are sentences, whatever they bring", () => {
  const words = (event: string, details = {}, tool: string | null = null) => noteInWords({ event, tool, details });
  expect(words("session_started", { backend: "gemini", model: "flash" })).toBe("Session started with Gemini (flash).");
  expect(words("session_ended", { reason: "user_requested" })).toBe("Session ended: user requested.");
  expect(words("confirmation_resolved", { outcome: "denied", via: "voice" }, "send")).toBe("Approval of send: denied, voice.");
  expect(words("something_new", { reason: 5 })).toBe("something new");
  expect(words("session_ended", { reason: 5 })).toBe("Session ended.");
});

test("filters come from the address", () => {
  expect(readFilters(new URLSearchParams("mode=voice&live=true&other=1"))).toEqual({ mode: "voice", live: "true", user: "" });
});
