import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { conversation, type Conversation } from "../src/stores/talk";
import { browserVoice } from "../src/stores/tour-voice";

let spoken: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  spoken = [];
  vi.stubGlobal("SpeechSynthesisUtterance", class { constructor(readonly text: string) {} });
  vi.stubGlobal("speechSynthesis", {
    speak: ({ text }: { text: string }) => spoken.push(text),
    cancel: () => spoken.push("(silence)"),
  });
});

afterEach(() => {
  conversation.value = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("without a conversation it speaks at once, and a step that is overtaken is not said", async () => {
  const voice = browserVoice();
  voice.say("one");
  voice.say("two");
  await vi.advanceTimersByTimeAsync(0);
  expect(spoken).toEqual(["(silence)", "(silence)", "two"]);
});

test("it waits until the agent is quiet, and says nothing that was stopped meanwhile", async () => {
  const phase = signal("speaking");
  conversation.value = { phase } as unknown as Conversation;
  const voice = browserVoice();
  voice.say("one");
  await vi.advanceTimersByTimeAsync(5000);
  expect(spoken).toEqual(["(silence)"]);
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

test("a browser without a voice is silent", async () => {
  vi.stubGlobal("speechSynthesis", undefined);
  browserVoice().say("one");
  await vi.advanceTimersByTimeAsync(0);
  expect(spoken).toEqual([]);
});
