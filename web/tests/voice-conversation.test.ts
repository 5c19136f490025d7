import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** A socket whose other end is the test. */
class Socket {
  static OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: Record<string, any>[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(data: string) {
    this.sent.push(JSON.parse(data));
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  say(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  ready(more: object = {}) {
    this.open();
    this.say({ type: "setup_complete", sessionId: "s1", session_token: "t1", mode: "local", model: "local", voice: "built-in", conversation: "s1", ...more });
  }
  lose(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

/** A loudspeaker that is never ready. */
class Silent {
  audioWorklet = { addModule: () => new Promise(() => {}) };
  resume = () => Promise.resolve();
  suspend = () => Promise.resolve();
}

const line = () => Socket.all.at(-1)!;
const types = (socket = line()) => socket.sent.map((each) => each["type"]);

type Conversation = typeof import("../src/voice/conversation");
let talk: Conversation;

const notes = () => talk.entries.value.flatMap((each) => (each.kind === "note" ? [each.text] : []));
const person = () => talk.entries.value.flatMap((each) => (each.kind === "user" ? [each.text.value] : []));

beforeEach(async () => {
  Socket.all = [];
  sessionStorage.clear();
  localStorage.clear();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("AudioContext", Silent);
  vi.stubGlobal("SpeechRecognition", Ears);
  vi.stubGlobal("speechSynthesis", { speak: () => {}, cancel: () => {}, getVoices: () => [] });
  localStorage.setItem("antiphon.prefs", JSON.stringify({ backend: "claude" }));
  vi.useFakeTimers();
  vi.resetModules();
  talk = await import("../src/voice/conversation");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Listens for the page, as some browsers do. */
class Ears {
  start() {}
  abort() {}
}

/** The microphone is on, and something was typed. */
async function begun(): Promise<Socket> {
  void talk.start();
  await vi.advanceTimersByTimeAsync(0);
  line().ready();
  await vi.advanceTimersByTimeAsync(0);
  talk.sendText("Hello");
  await vi.advanceTimersByTimeAsync(0);
  return line();
}

describe("a conversation by voice", () => {
  it("holds what is typed until the line is open, and is answered in writing", async () => {
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    talk.sendText("Hello");
    expect([talk.phase.value, talk.live.value]).toEqual(["connecting", true]);
    expect(line().url).toMatch(/^ws:.*\/ws\/vox$/);
    line().ready();
    expect(line().sent).toMatchObject([
      { type: "start", audio: "binary", speak: true, profile: "workspace" },
      { type: "text", text: "Hello", speak: false },
    ]);
    expect([talk.phase.value, talk.conversationId.value, talk.setup.value?.mode]).toEqual(["thinking", "s1", "local"]);
    line().say({ type: "transcript", role: "assistant", text: "Good day.", turn_id: 1 });
    line().say({ type: "turn_complete", turn_id: 1, reason: "complete" });
    expect(talk.phase.value).toBe("listening");
  });

  it("speaks answers to what is typed where the person wants that", async () => {
    const { prefer } = await import("../src/stores/prefs");
    prefer({ speakAnswers: true });
    const socket = await begun();
    expect(socket.sent.at(-1)).toMatchObject({ type: "text", speak: true });
    prefer({ speakAnswers: false });
    talk.sendText("And now?");
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.sent.at(-1)).toMatchObject({ type: "text", text: "And now?", speak: false });
  });

  it("begins nothing without a microphone", async () => {
    vi.stubGlobal("SpeechRecognition", undefined);
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([talk.phase.value, Socket.all.length]).toEqual(["off", 0]);
  });

  it("marks only an answer that was cut off before it was complete", async () => {
    const socket = await begun();
    const states = () => talk.entries.value.flatMap((each) => (each.kind === "assistant" ? [each.state.value] : []));
    socket.say({ type: "transcript", role: "assistant", text: "Good day.", turn_id: 1 });
    socket.say({ type: "turn_complete", turn_id: 1, reason: "complete" });
    socket.say({ type: "interrupted", turn_id: 1, cut_in: false });
    socket.say({ type: "transcript", role: "assistant", text: "Shall I", turn_id: 2 });
    socket.say({ type: "interrupted", turn_id: 2, cut_in: false }); // it was approved meanwhile
    socket.say({ type: "transcript", role: "assistant", text: "It is", turn_id: 3 });
    socket.say({ type: "interrupted", turn_id: 3, cut_in: true });
    expect(states()).toEqual(["done", "done", "interrupted"]);
  });

  it("stops reading a question out when it was answered by a click", async () => {
    const { prefer } = await import("../src/stores/prefs");
    prefer({ speakAnswers: true });
    const socket = await begun();
    const { caption } = await import("../src/voice/captions");
    const { say } = await import("../src/voice/bus");
    socket.say({ type: "transcript", role: "assistant", text: "Shall I do it?", turn_id: 1 });
    expect(caption.value).toBe("Shall I do it?");
    say({ type: "confirmation_response", id: "c1", token: "t", approve: true });
    expect([types(socket).at(-1), caption.value]).toEqual(["confirmation_response", ""]);
  });

  it("is taken up with its token when the line is lost, and says what was typed meanwhile", async () => {
    const first = await begun();
    first.lose();
    expect(talk.phase.value).toBe("reconnecting");
    talk.sendText("Still there?");
    await vi.advanceTimersByTimeAsync(400);
    expect(line()).not.toBe(first);
    line().lose();
    await vi.advanceTimersByTimeAsync(800);
    line().ready({ resumed: true });
    expect(line().sent).toMatchObject([{ type: "start", session_token: "t1" }, { type: "text", text: "Still there?" }]);
    expect(person()).toEqual(["Hello", "Still there?"]);
  });

  it("gives up after a while; what was typed is back in the box, and it can be taken up later", async () => {
    await begun();
    line().lose();
    talk.sendText("Back again");
    for (let n = 0; n < 30; n++) {
      await vi.advanceTimersByTimeAsync(10_000);
      if (talk.phase.value === "reconnecting") line().lose();
    }
    expect(Socket.all.length).toBe(1 + 20);
    expect([talk.phase.value, talk.trouble.value?.message]).toEqual(["off", expect.stringContaining("The conversation is kept")]);
    const { draft } = await import("../src/voice/thread");
    expect([person(), draft.value]).toEqual([["Hello"], "Back again"]);
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    line().ready({ resumed: true });
    expect(line().sent[0]).toMatchObject({ session_token: "t1" });
  });

  it("tries again when the server is about to stop, and not when the token is strange to it", async () => {
    await begun();
    line().lose(1012);
    await vi.advanceTimersByTimeAsync(400);
    line().open();
    line().say({ type: "error", about: "start", message: "The server is about to stop. Come back in a moment." });
    expect(talk.phase.value).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(1_000);
    line().open();
    line().say({ type: "error", about: "start", message: "`session_token` is not one that this server has given out." });
    expect(talk.phase.value).toBe("off");
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    expect(line().sent[0]).toMatchObject({ conversation: "s1" });
  });

  it("says why it did not begin", async () => {
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    line().say({ type: "error", about: "start", kind: "not_configured", message: "Gemini has no key." });
    expect([talk.phase.value, talk.trouble.value]).toEqual(["off", { message: "Gemini has no key." }]);
  });

  it("goes on where it was after the model's end failed", async () => {
    await begun();
    line().say({ type: "error", fatal: true, kind: "overloaded", message: "The model is overloaded." });
    expect(talk.trouble.value).toEqual({ message: "The model is overloaded." });
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    expect(line().sent[0]).toMatchObject({ session_token: "t1" });
  });

  it("does not fight over a conversation that another window took", async () => {
    await begun();
    line().say({ type: "error", fatal: true, kind: "taken_over", message: "It goes on there." });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([Socket.all.length, talk.trouble.value?.message]).toEqual([1, "It goes on there."]);
  });

  it("stays when the person hangs up, and when the model does, with its last words in writing", async () => {
    const first = await begun();
    talk.hangUp();
    expect([types(first).at(-1), talk.phase.value, person()]).toEqual(["end", "off", ["Hello"]]);
    const second = await begun();
    expect(second.sent[0]).toMatchObject({ conversation: "s1", greeting: false });
    expect(second.sent[0]!["session_token"]).toBeUndefined();
    second.say({ type: "voice_session_end", reason: "user_requested", textResponse: "The link is **here**." });
    second.lose(1000);
    const last = talk.entries.value.findLast((each) => each.kind === "assistant");
    expect(last?.kind === "assistant" && last.text.value).toBe("The link is **here**.");
    expect([talk.phase.value, talk.trouble.value]).toEqual(["off", null]);
  });

  it("takes the conversation up with another model", async () => {
    const first = await begun();
    first.say({ type: "turn_complete", turn_id: 1, reason: "complete" });
    const moved = talk.restart({ backend: "gemini", model: "gemini-x" });
    await vi.advanceTimersByTimeAsync(0);
    expect(line()).not.toBe(first);
    line().ready({ resumed: true, mode: "gemini", model: "gemini-x" });
    await moved;
    expect(line().sent[0]).toMatchObject({ mode: "gemini", session_token: "t1" });
    expect([talk.setup.value?.mode, talk.phase.value]).toEqual(["gemini", "listening"]);
    expect(person()).toEqual(["Hello"]);
  });

  it("cuts in only where something is to be cut off", async () => {
    const socket = await begun();
    talk.interrupt();
    await vi.advanceTimersByTimeAsync(0);
    expect(types(socket)).toEqual(["start", "text", "interrupt"]);
    talk.interrupt();
    await vi.advanceTimersByTimeAsync(0);
    expect(types(socket).filter((type) => type === "interrupt").length).toBe(1);
  });

  it("hands every message on, and shows what others of the console answer", async () => {
    const socket = await begun();
    const { on, say } = await import("../src/voice/bus");
    const seen: string[] = [];
    on("function_call", (message) => seen.push(message["name"]));
    socket.say({ type: "function_call", name: "navigate_page", args: { path: "tools" }, fn_call_id: "f1", server_handled: false, started_at: 1 });
    expect(seen).toEqual(["navigate_page"]);
    expect(say({ type: "browser_function_result", fn_call_id: "f1", name: "navigate_page", result: { success: true, navigated_to: "tools" } })).toBe(true);
    const card = talk.entries.value.find((each) => each.kind === "tool");
    expect(card?.kind === "tool" && card.outcome.value).toMatchObject({ ok: true, result: { navigated_to: "tools" } });
    socket.lose();
    expect(say({ type: "interrupt" })).toBe(false);
  });

  it("lets a person who is blocked hear the farewell before it is over", async () => {
    const socket = await begun();
    const timeout = { type: "timeout", timeoutUntil: Date.now() + 600_000, message: "" };
    socket.say({ ...timeout, message: "Come back when you are calm." });
    socket.say({ type: "transcript", role: "assistant", text: "Come back when you are calm.", turn_id: 1 });
    socket.say(timeout);
    expect(talk.phase.value).not.toBe("off");
    socket.say({ type: "voice_session_end", reason: "user_blocked", textResponse: null });
    socket.lose(1000);
    expect(talk.phase.value).toBe("off");
    expect(notes()).toEqual(["Come back when you are calm."]);
    // One who comes while the block is in force is told at once; nothing follows.
    void talk.start();
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    line().say(timeout);
    expect(talk.phase.value).toBe("off");
  });

  it("ends by itself where the server says nothing more to somebody who is blocked", async () => {
    const socket = await begun();
    socket.say({ type: "timeout", timeoutUntil: Date.now() + 600_000, message: "Paused." });
    await vi.advanceTimersByTimeAsync(25_000);
    expect([talk.phase.value, Socket.all.length]).toEqual(["off", 1]);
  });
});
