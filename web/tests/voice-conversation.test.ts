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
  vi.useFakeTimers();
  vi.resetModules();
  talk = await import("../src/voice/conversation");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function begun(): Promise<Socket> {
  talk.sendText("Hello");
  await vi.advanceTimersByTimeAsync(0);
  line().ready();
  await vi.advanceTimersByTimeAsync(0);
  return line();
}

describe("a conversation", () => {
  it("begins by typing, without a greeting, and holds the words until it is open", async () => {
    talk.sendText("Hello");
    await vi.advanceTimersByTimeAsync(0);
    expect(talk.phase.value).toBe("connecting");
    expect(line().url).toMatch(/^ws:.*\/ws\/vox$/);
    line().ready();
    expect(line().sent).toMatchObject([
      { type: "start", audio: "binary", greeting: false, speak: false },
      { type: "text", text: "Hello", speak: false },
    ]);
    expect([talk.phase.value, talk.sessionId.value, talk.setup.value?.mode]).toEqual(["thinking", "s1", "local"]);
    line().say({ type: "transcript", role: "assistant", text: "Good day.", turn_id: 1 });
    line().say({ type: "turn_complete", turn_id: 1, reason: "complete" });
    expect(talk.phase.value).toBe("typing"); // no microphone was opened
  });

  it("speaks answers to what is typed where the person wants that", async () => {
    const { prefer } = await import("../src/stores/prefs");
    prefer({ speakAnswers: true });
    const socket = await begun();
    expect(socket.sent).toMatchObject([{ speak: true }, { type: "text", speak: true }]);
    prefer({ speakAnswers: false });
    talk.sendText("And now?");
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.sent.at(-1)).toMatchObject({ type: "text", text: "And now?", speak: false });
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

  it("is shown when the page is loaded anew, and goes on as it was held: without a microphone", async () => {
    await begun();
    vi.resetModules();
    const said = (role: string, text: string, at: number) => ({ kind: "said", at, role, channel: "text", text, heard: null, interrupted: false });
    const picture = { kind: "image", at: 3, id: "m1", url: "/api/images/img_1", caption: "At dawn", alt: "A lighthouse", width: 4, height: 3 };
    const turns = [{ entries: [said("user", "Hello", 1), said("assistant", "Good day.", 2), picture] }];
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ continued_from: null, turns, next_before: null })));
    const asked = vi.fn(() => Promise.reject(new DOMException("no", "NotAllowedError")));
    vi.stubGlobal("navigator", { languages: navigator.languages, mediaDevices: { getUserMedia: asked } });
    const before = Socket.all.length;
    talk = await import("../src/voice/conversation");
    await vi.waitFor(() => expect(talk.entries.value.map((each) => each.kind)).toEqual(["user", "assistant", "image"]));
    expect([Socket.all.length, talk.phase.value, talk.trouble.value?.resumable]).toEqual([before, "off", true]);
    talk.goOn();
    await vi.advanceTimersByTimeAsync(0);
    line().ready({ resumed: true });
    expect(line().sent[0]).toMatchObject({ session_token: "t1", speak: false });
    expect([asked.mock.calls.length, talk.phase.value, talk.trouble.value]).toEqual([0, "typing", null]);
    line().say({ ...picture, type: "image" });
    expect(talk.entries.value.length).toBe(3); // one that comes twice is the same
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
    expect(notes()).toEqual(["The line was lost. Getting it back…", "The line is back."]);
  });

  it("gives up after a while, and can be taken up later", async () => {
    await begun();
    line().lose();
    for (let n = 0; n < 30; n++) {
      await vi.advanceTimersByTimeAsync(10_000);
      if (talk.phase.value === "reconnecting") line().lose();
    }
    expect(Socket.all.length).toBe(1 + 20);
    expect([talk.phase.value, talk.trouble.value?.resumable]).toEqual(["off", true]);
    talk.sendText("Back again");
    await vi.advanceTimersByTimeAsync(0);
    line().ready({ resumed: true });
    expect(line().sent[0]).toMatchObject({ session_token: "t1" });
    expect(person()).toEqual(["Hello", "Back again"]);
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
    expect([talk.phase.value, talk.trouble.value?.resumable]).toEqual(["off", false]);
  });

  it("says why it did not begin", async () => {
    talk.sendText("Hello");
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    line().say({ type: "error", about: "start", kind: "not_configured", message: "Gemini has no key." });
    expect([talk.phase.value, talk.trouble.value]).toEqual(["off", { message: "Gemini has no key.", resumable: false }]);
  });

  it("goes on where it was after the model's end failed", async () => {
    await begun();
    line().say({ type: "error", fatal: true, kind: "overloaded", message: "The model is overloaded." });
    expect(talk.trouble.value).toEqual({ message: "The model is overloaded.", resumable: true });
    void talk.start({ resume: true, microphone: false });
    await vi.advanceTimersByTimeAsync(0);
    line().open();
    expect(line().sent[0]).toMatchObject({ session_token: "t1" });
  });

  it("does not fight over a conversation that another window took", async () => {
    await begun();
    line().say({ type: "error", fatal: true, kind: "taken_over", message: "It goes on there." });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([Socket.all.length, talk.trouble.value?.resumable]).toEqual([1, false]);
  });

  it("ends when the person hangs up, and when the model does, with its last words in writing", async () => {
    const first = await begun();
    talk.hangUp();
    expect([types(first).at(-1), talk.phase.value]).toEqual(["end", "off"]);
    const second = await begun();
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
    expect([talk.setup.value?.mode, talk.phase.value]).toEqual(["gemini", "typing"]);
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
    expect(notes()).toEqual(["Come back when you are calm.", "The conversation is over."]);
    // One who comes while the block is in force is told at once; nothing follows.
    talk.sendText("Hello?");
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
