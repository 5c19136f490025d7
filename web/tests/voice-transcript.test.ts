import { effect } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";

import { entriesOf } from "../src/voice/stored";
import { Transcript, type Entry } from "../src/voice/transcript";
import { message } from "./messages";

let now: number;
let transcript: Transcript;
beforeEach(() => {
  now = 1_000;
  transcript = new Transcript(() => now);
});

function shown(entry: Entry): string {
  if (entry.kind === "user" || entry.kind === "assistant") return `${entry.kind}: ${entry.text.value}`;
  if (entry.kind === "image") return `image: ${entry.picture.url} ${entry.picture.caption}`;
  return entry.kind === "tool" ? `tool: ${entry.name}` : `note: ${entry.text}`;
}

const take = (fields: Parameters<typeof message>[0]) => transcript.take(message(fields));
const all = () => transcript.entries.value.map(shown);
const said = (role: string, text: string, more: object = {}) =>
  take({ type: "transcript", role, text, final: false, turn_id: 1, ...more });

describe("a transcript", () => {
  it("shows words as they are understood, and then those that were said", () => {
    take({ type: "partial_transcript", role: "user", text: "Who leads" });
    take({ type: "partial_transcript", role: "user", text: "Who leads Harbaugh" });
    const [entry] = transcript.entries.value;
    expect(all()).toEqual(["user: Who leads Harbaugh"]);
    expect(entry!.kind === "user" && entry!.open.value).toBe(true);
    said("user", "Who leads Harbor Light?", { final: true, started_at: 998 });
    expect(all()).toEqual(["user: Who leads Harbor Light?"]);
    expect(transcript.entries.value[0]).toBe(entry);
    expect(entry!.kind === "user" && entry!.open.value).toBe(false);
  });

  it("takes back what was heard and answered of a sentence that goes on", () => {
    said("user", "Hello.", { final: true, started_at: 990 });
    said("user", "Show me the notes.", { final: true, started_at: 998 });
    take({ type: "function_call", name: "kb_search", fn_call_id: "a", started_at: 999 });
    said("assistant", "Which ones?", { started_at: 999 });
    take({ type: "interrupted", turn_id: 1, cut_in: true });
    take({ type: "partial_transcript", role: "user", text: "Show me the notes of" });
    said("user", "Show me the notes of Monday.", { final: true, started_at: 998, replaces: "Show me the notes." });
    said("assistant", "Here.", { turn_id: 2 });
    expect(all()).toEqual(["user: Hello.", "user: Show me the notes of Monday.", "assistant: Here."]);
  });

  it("places what the person said where they began, before an answer that began later", () => {
    take({ type: "function_call", name: "kb_search", fn_call_id: "a", started_at: 1_000 });
    now = 1_003;
    said("assistant", "It is Kenji.", { started_at: 1_003 });
    now = 1_005;
    said("user", "Who leads ", { started_at: 999.5 });
    said("user", "it?", { started_at: 999.5, final: true });
    expect(all()).toEqual(["user: Who leads it?", "tool: kb_search", "assistant: It is Kenji."]);
  });

  it("adds to the answer of a turn, and begins a new one behind a call", () => {
    said("assistant", "Let me ");
    said("assistant", "look.");
    take({ type: "function_call", name: "kb_search", fn_call_id: "a", started_at: now });
    said("assistant", "Found it.");
    take({ type: "turn_complete", turn_id: 1, reason: "complete" });
    said("assistant", "Anything else?", { turn_id: 2 });
    expect(all()).toEqual(["assistant: Let me look.", "tool: kb_search", "assistant: Found it.", "assistant: Anything else?"]);
  });

  it("takes the final words of an answer in place of the pieces that they replace", () => {
    said("assistant", "It is ready. ");
    said("assistant", "At for");
    said("assistant", "At four.", { replaces: "At for" });
    expect(all()).toEqual(["assistant: It is ready. At four."]);
  });

  it("says that a model is waited for", () => {
    take({ type: "waiting", about: "answer", seconds: 5, message: "Still waiting for the model." });
    expect(all()).toEqual(["note: Still waiting for the model."]);
  });

  it("marks the answer that was cut off, and not the next one", () => {
    said("assistant", "A long story");
    take({ type: "turn_complete", turn_id: 1, reason: "complete" });
    take({ type: "interrupted", turn_id: 1 });
    said("assistant", "Yes?", { turn_id: 2 });
    const states = transcript.entries.value.map((each) => each.kind === "assistant" && each.state.value);
    expect(states).toEqual(["interrupted", "open"]);
  });

  it("forgets noise that was taken for speech", () => {
    take({ type: "partial_transcript", role: "user", text: "Hm" });
    now += 6;
    take({ type: "turn_complete", turn_id: 1, reason: "complete" });
    expect(all()).toEqual([]);
  });

  it("keeps what was typed behind what came before, whatever the clocks say", () => {
    take({ type: "function_call", name: "kb_search", fn_call_id: "a", started_at: 5_000 });
    now = 900; // our clock was set back
    transcript.add("And now?");
    said("assistant", "Now this.", { turn_id: 2 });
    expect(all()).toEqual(["tool: kb_search", "user: And now?", "assistant: Now this."]);
  });

  it("tells what came of each call, also when an id comes twice", () => {
    for (const name of ["first", "second"]) {
      take({ type: "function_call", name: "kb_search", args: { query: name }, fn_call_id: "temp_0", decision: { outcome: "run", rule: "run" }, started_at: now });
      take({
        type: "function_result", name: "kb_search", fn_call_id: "temp_0",
        result: name === "first" ? { success: true, results: [] } : { success: false, error: "No.", error_type: "BUDGET_EXCEEDED" },
        meta: { duration: 12, replayed: true },
      });
    }
    const outcomes = transcript.entries.value.map((each) => each.kind === "tool" && each.outcome.value);
    expect(outcomes).toMatchObject([
      { ok: true, durationMs: 12, replayed: true, error: null },
      { ok: false, error: "No.", errorType: "BUDGET_EXCEEDED" },
    ]);
  });

  it("knows what was found for an answer", () => {
    const results = [{ id: "project:harbor_light", title: "Harbor Light", snippet: "Lead Kenji." }];
    take({ type: "function_call", name: "search_kg", args: { database_id: "studio" }, fn_call_id: "a", started_at: now });
    take({ type: "function_result", name: "search_kg", fn_call_id: "a", result: { success: true, results }, meta: {} });
    said("assistant", "Kenji.");
    const answer = transcript.entries.value.at(-1)!;
    expect(answer.kind === "assistant" && answer.evidence).toEqual(["project:harbor_light"]);
    expect(transcript.sources.value.get("project:harbor_light")).toEqual({ title: "Harbor Light", snippet: "Lead Kenji.", database: "studio" });
    transcript.add("Thanks.");
    said("assistant", "You are welcome.", { turn_id: 2 });
    const next = transcript.entries.value.at(-1)!;
    expect(next.kind === "assistant" && next.evidence).toEqual([]);
  });

  it("changes nothing but the entry that a word belongs to", () => {
    for (let n = 0; n < 2_000; n++) transcript.add(`Line ${n}`);
    said("assistant", "And");
    let lists = 0;
    let texts = 0;
    const undo = [
      effect(() => void (transcript.entries.value, lists++)),
      ...transcript.entries.value.map((each) => effect(() => void ((each.kind === "user" || each.kind === "assistant") && each.text.value, texts++))),
    ];
    for (let n = 0; n < 50; n++) said("assistant", " so on");
    expect([lists, texts]).toEqual([1, 2_001 + 50]);
    for (const each of undo) each();
  });

  it("takes up what the server has kept", () => {
    const call = { kind: "call", at: 2, call_id: "a", tool: "kb_search", args: {}, ok: false, error_type: "BUDGET_EXCEEDED", duration: 1, replayed: false, answer: null } as const;
    transcript.restore(entriesOf([
      { kind: "said", turn: "1", at: 1, role: "user", channel: "voice", text: "Hello" },
      call,
      { kind: "said", turn: "3", at: 3, role: "assistant", channel: "voice", text: "Hello.", feedback: { value: "up" }, sources: [{ id: "doc:a", title: "A", snippet: "", database: "studio" }] },
    ]));
    transcript.add("Go on");
    expect(all()).toEqual(["user: Hello", "tool: kb_search", "assistant: Hello.", "user: Go on"]);
    expect(new Set(transcript.entries.value.map((each) => each.id)).size).toBe(4);
    const answer = transcript.entries.value[2]!;
    expect(answer.kind === "assistant" && [answer.stored, answer.opinion.value, answer.evidence]).toEqual(["3", "up", ["doc:a"]]);
    expect(transcript.sources.value.get("doc:a")?.title).toBe("A");
  });
});
