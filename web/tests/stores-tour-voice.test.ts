import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { conversation, type Conversation } from "../src/stores/talk";
import { tourVoice, voiceTrouble } from "../src/stores/tour-voice";

let spoken: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  spoken = [];
  vi.stubGlobal("SpeechSynthesisUtterance", class { constructor(readonly text: string) {} });
  vi.stubGlobal("speechSynthesis", {
    speak: ({ text }: { text: string }) => spoken.push(text),
    cancel: () => spoken.push("(silence)"),
    getVoices: () => [{}],
  });
});

afterEach(() => {
  conversation.value = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("without a conversation it speaks at once, and a step that is overtaken is not said", async () => {
  const voice = tourVoice();
  voice.say("one");
  voice.say("two");
  await vi.advanceTimersByTimeAsync(0);
  expect(spoken).toEqual(["two"]);
  voice.say("three");
  await vi.advanceTimersByTimeAsync(0);
  expect(spoken).toEqual(["two", "(silence)", "three"]);
});

test("it waits until the agent is quiet, and says nothing that was stopped meanwhile", async () => {
  const phase = signal("speaking");
  conversation.value = { phase, live: signal(false) } as unknown as Conversation;
  const voice = tourVoice();
  voice.say("one");
  await vi.advanceTimersByTimeAsync(5000);
  expect(spoken).toEqual([]);
  phase.value = "off";
  await vi.advanceTimersByTimeAsync(0);
  expect(spoken.at(-1)).toBe("one");
  phase.value = "thinking";
  voice.say("two");
  await vi.advanceTimersByTimeAsync(7000);
  voice.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(spoken).not.toContain("two");
});

test.each([undefined, { getVoices: () => [], addEventListener: () => {} }])(
  "where the browser has no voice the server is asked, and what it cannot do is told",
  async (synthesis) => {
    vi.stubGlobal("speechSynthesis", synthesis);
    vi.stubGlobal("AudioContext", class {
      audioWorklet = { addModule: () => Promise.resolve() };
      resume() {}
      suspend() {}
    });
    vi.stubGlobal("AudioWorkletNode", class { port = {}; connect = () => this; });
    vi.stubGlobal("AnalyserNode", class { connect() {} });
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string, { body }: { body: string }) => {
      asked.push(`${path} ${body}`);
      return Promise.resolve(Response.json({ detail: "hibari is not installed." }, { status: 503 }));
    });
    const voice = tourVoice();
    voice.say("one");
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['/api/vox/speech {"text":"one"}']);
    expect(voiceTrouble.value).toBe("hibari is not installed.");
    expect(spoken).toEqual([]);
  },
);
