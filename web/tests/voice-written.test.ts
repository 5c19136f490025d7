import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Answer = { status?: number; body?: unknown; events?: object[]; breaks?: boolean };

let asked: { method: string; path: string; body: any }[];
let answers: ((path: string, body: any) => Answer | "away")[];
let talk: typeof import("../src/voice/conversation");
let thread: typeof import("../src/voice/thread");

/** A server whose answers the test writes. */
async function fetched(target: string, init: { method?: string; body?: string } = {}): Promise<Response> {
  const path = new URL(target, location.href).pathname;
  if (path === "/api/profiles" || path.startsWith("/api/vox/")) return new Response("{}");
  const body = init.body ? JSON.parse(init.body) : null;
  asked.push({ method: init.method ?? "GET", path, body });
  const answer = answers.shift()?.(path, body) ?? { status: 500 };
  if (answer === "away") throw new TypeError("no way");
  if (!answer.events) return new Response(answer.status === 204 ? null : JSON.stringify(answer.body ?? {}), { status: answer.status ?? 200 });
  const left = [...answer.events];
  const stream = new ReadableStream<Uint8Array>({
    pull(way) {
      const event = left.shift();
      if (event) way.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
      else if (answer.breaks) way.error(new TypeError("broken"));
      else way.close();
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

const session = { type: "session", session_id: "s1", conversation: "s1", turn: 1, backend: "local", model: "local", profile: "workspace" };
const done = { type: "done", message: "Ada.", session_id: "s1", turn: 1, finish: "complete" };
const turn = (text: string) => ({ events: [session, { type: "text", delta: text }, done] });
const said = () => talk.entries.value.flatMap((each) => ("text" in each && typeof each.text !== "string" ? [each.text.value] : []));
const settled = () => vi.waitFor(() => expect(talk.phase.value).toBe("off"));

async function loaded(): Promise<void> {
  vi.resetModules();
  talk = await import("../src/voice/conversation");
  thread = await import("../src/voice/thread");
}

beforeEach(async () => {
  asked = [];
  answers = [];
  sessionStorage.clear();
  localStorage.clear();
  location.hash = "#/chat";
  vi.stubGlobal("fetch", fetched);
  await loaded();
});

afterEach(() => vi.unstubAllGlobals());

describe("a conversation in writing", () => {
  it("goes to the text agent, and keeps one id and one address", async () => {
    answers = [() => turn("Ada."), () => turn("In London.")];
    talk.sendText("Who?");
    expect(talk.phase.value).toBe("thinking");
    await settled();
    expect([talk.conversationId.value, location.hash]).toEqual(["s1", "#/chat/s1"]);
    talk.sendText("Where?");
    await settled();
    expect(asked.map(({ body }) => [body.message, body.conversation, body.profile, body.client_functions])).toEqual([
      ["Who?", undefined, "workspace", true],
      ["Where?", "s1", undefined, true],
    ]);
    expect(said()).toEqual(["Who?", "Ada.", "Where?", "In London."]);
  });

  it("gives a message back that is refused, and one that cannot be sent", async () => {
    answers = [() => ({ status: 503, body: { detail: "No model is set." } })];
    talk.sendText("Who?");
    await settled();
    expect([said(), thread.draft.value, thread.problem.value?.message]).toEqual([[], "Who?", "No model is set."]);
  });

  it("asks again while the server is away, and goes on where the answer broke off", async () => {
    answers = [() => "away", () => ({ events: [session], breaks: true }), () => turn("Ada.")];
    talk.sendText("Who?");
    await vi.waitFor(() => expect(talk.phase.value).toBe("reconnecting"));
    await settled();
    expect(asked.map(({ body }) => body.message)).toEqual(["Who?", "Who?", undefined]);
    expect(said()).toEqual(["Who?", "Ada."]);
  });

  it("runs functions of the browser, and answers for them", async () => {
    const call = { type: "client_call", id: "c1", name: "navigate_page", args: { path: "nowhere-at-all" } };
    answers = [() => ({ events: [session, call, done] }), () => ({ status: 204 })];
    talk.sendText("Open it");
    await vi.waitFor(() => expect(asked.length).toBe(2));
    expect(asked[1]).toMatchObject({ path: "/api/chat/s1/results", body: { id: "c1", result: { success: false } } });
  });

  it("is there again after a reload, and what was asked last is answered", async () => {
    answers = [() => ({ events: [session], breaks: false })];
    talk.sendText("Who?");
    await settled();
    const { keepAlso } = await import("../src/voice/keeping");
    keepAlso({ asking: true }); // the page went before the answer came
    const entries = [{ kind: "said", at: 1, role: "user", channel: "text", text: "Who?", turn: "1" }];
    answers = [() => ({ body: { entries, next: null } }), () => turn("Ada.")];
    await loaded();
    await vi.waitFor(() => expect(said()).toEqual(["Who?", "Ada."]));
    expect(asked.at(-1)!.body).toMatchObject({ conversation: "s1" });
    expect(asked.at(-1)!.body.message).toBeUndefined();
  });

  it("keeps what was typed and not sent, for each conversation", async () => {
    thread.draft.value = "half a";
    dispatchEvent(new Event("pagehide"));
    await loaded();
    expect(thread.draft.value).toBe("half a");
    answers = [() => ({ body: { entries: [], next: null } })];
    await thread.show("s2");
    expect(thread.draft.value).toBe("");
    await thread.show(null);
    expect(thread.draft.value).toBe("half a");
  });
});
