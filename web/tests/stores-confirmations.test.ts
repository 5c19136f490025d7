import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiError } from "../src/api/http";
import { ask, CHECK_MS, current, GRACE_MS, named, questions, respond, settled, type Answer, type Outcome, type Question } from "../src/stores/confirmations";
import { toasts } from "../src/stores/toasts";
import { speakThrough } from "../src/voice/bus";
import { heard } from "./messages";

const START = 1_800_000_000;
let count = 0;

function question(seconds = 300, more: Partial<Question> = {}): Question {
  count++;
  return {
    ...{ id: `q${count}`, tool: "delete_macro", title: "Delete a macro?", preview: "Delete it." },
    ...{ risk: "high", expires_at: START + seconds, token: `t${count}` },
    ...more,
  };
}

const shown = () => questions.value.map((each) => each.question.id);
const texts = () => toasts.value.map((each) => each.text);

beforeEach(() => {
  vi.useFakeTimers({ now: START * 1000 });
  toasts.value = [];
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  speakThrough(null);
  expect(questions.value).toEqual([]);
});

test("questions queue up, and one is shown at a time", async () => {
  const first = question();
  const second = question();
  const done: string[] = [];
  void ask(first, () => ({ outcome: "approved" })).then(() => done.push(first.id));
  void ask(second, () => ({ outcome: "denied" })).then(() => done.push(second.id));
  expect(shown()).toEqual([first.id, second.id]);
  await respond(first.id, { approve: true });
  expect(current.value?.question.id).toBe(second.id);
  await respond(second.id, { approve: false });
  expect(done).toEqual([first.id, second.id]);
  expect(texts()).toEqual(["Approved and done: Delete a macro.", "Denied: Delete a macro. Nothing was done."]);
});

test("time that runs out is a no, and is said to the server when it does not say so itself", async () => {
  const answers: Answer[] = [];
  const outcome = ask(question(60), (answer) => {
    answers.push(answer);
    return { outcome: "denied" };
  });
  vi.advanceTimersByTime(59_999);
  expect(current.value).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(current.value).toBeNull();
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(GRACE_MS);
  expect(answers).toEqual([{ approve: false }]);
  expect((await outcome).outcome).toBe("denied");
});

test("a server that denies by its own clock is not told again", async () => {
  const answers: Answer[] = [];
  const asked = question(10);
  const outcome = ask(asked, (answer) => void answers.push(answer));
  vi.advanceTimersByTime(10_000);
  settled({ id: asked.id, outcome: "expired" });
  await vi.advanceTimersByTimeAsync(GRACE_MS * 2);
  expect(answers).toEqual([]);
  expect((await outcome).outcome).toBe("expired");
  expect(texts()).toEqual(["Denied because nobody answered in time: Delete a macro."]);
});

test("time that runs out while nobody can be told is a no all the same", async () => {
  const outcome = ask(question(5), () => Promise.reject(new ApiError(0, "The server cannot be reached.")));
  await vi.advanceTimersByTimeAsync(5000 + GRACE_MS);
  expect((await outcome).outcome).toBe("expired");
});

test("an answer that is not taken brings the question back with the reason, and the clock goes on", async () => {
  const asked = question(100);
  let tries = 0;
  const outcome = ask(asked, () => {
    if (++tries === 1) throw new ApiError(503, "The answer could not be written down. Try again.");
    return { outcome: "approved" };
  });
  await respond(asked.id, { approve: true });
  expect(current.value?.problem).toContain("could not be written down");
  await respond(asked.id, { approve: true });
  expect((await outcome).outcome).toBe("approved");
});

test("a question that was settled elsewhere ends as it was settled", async () => {
  const asked = question();
  const outcome = ask(asked, () => Promise.reject(new ApiError(409, "Answered already.", { outcome: "denied" })));
  await respond(asked.id, { approve: true });
  expect((await outcome).outcome).toBe("denied");
});

test("an answer counts once", async () => {
  const answers: Answer[] = [];
  const asked = question();
  void ask(asked, (answer) => void answers.push(answer));
  void respond(asked.id, { approve: true });
  void respond(asked.id, { approve: false });
  expect(answers).toEqual([{ approve: true }]);
  settled({ id: asked.id, outcome: "approved" });
});

test("what was approved and did not work says why", async () => {
  const asked = question();
  void ask(asked, () => ({ outcome: "approved", result: { ok: false, error: { message: "There is no such macro." } } }) as Outcome);
  await respond(asked.id, { approve: true });
  expect(texts()).toEqual(["Approved, but it failed: There is no such macro."]);
  expect(toasts.value[0]?.kind).toBe("bad");
});

test("what is remembered is sent along, and the notice leads to where it is taken back", async () => {
  const sent: object[] = [];
  speakThrough((message) => Boolean(sent.push(message)));
  const asked = question(300, { risk: "low", remember: ["session", "always"] });
  heard({ type: "confirmation_required", ...asked });
  expect(current.value?.spoken).toBe(true);
  await respond(asked.id, { approve: true, remember: "always" });
  expect(sent).toEqual([{ type: "confirmation_response", id: asked.id, token: asked.token, approve: true, remember: "always" }]);
  heard({ type: "confirmation_resolved", id: asked.id, tool: asked.tool, outcome: "approved", result: { ok: true } });
  expect(toasts.value[0]).toMatchObject({ href: "#/settings/approvals" });
  expect(texts()[0]).toContain("not be asked again");
});

test("a spoken yes is offered for low risks of the conversation only", () => {
  const high = question();
  heard({ type: "confirmation_required", ...high });
  expect(current.value?.spoken).toBe(false);
  settled({ id: high.id, outcome: "denied" });
  const elsewhere = question(300, { risk: "low" });
  void ask(elsewhere, () => {});
  expect(current.value?.spoken).toBe(false);
  settled({ id: elsewhere.id, outcome: "denied" });
});

test("the server may refuse an answer that came over the socket", async () => {
  speakThrough(() => true);
  const asked = question();
  heard({ type: "confirmation_required", ...asked });
  await respond(asked.id, { approve: true });
  expect(current.value).toBeNull();
  heard({ type: "error", about: "confirmation_response", id: asked.id, message: "The answer was refused." });
  expect(current.value?.problem).toBe("The answer was refused.");
  heard({ type: "confirmation_resolved", id: asked.id, tool: asked.tool, outcome: "denied" });
});

test("a question that is asked again after a lost line is the same one, with its new token", () => {
  const sent: { token?: string }[] = [];
  speakThrough((message) => Boolean(sent.push(message)));
  const asked = question();
  heard({ type: "confirmation_required", ...asked });
  heard({ type: "confirmation_required", ...asked, token: "newer" });
  expect(shown()).toEqual([asked.id]);
  void respond(asked.id, { approve: false });
  expect(sent[0]?.token).toBe("newer");
  settled({ id: asked.id, outcome: "denied" });
});

test("the end of the conversation takes its questions along, and no others", () => {
  const spoken = question();
  const written = question();
  heard({ type: "confirmation_required", ...spoken });
  void ask(written, () => {});
  heard({ type: "voice_session_end", reason: "user_requested" });
  expect(shown()).toEqual([written.id]);
  settled({ id: written.id, outcome: "denied" });
});

test("a question without a title is called by its tool", () => {
  expect(named(question(1, { title: "" }))).toBe("delete_macro");
});

test("a changed value that is not taken comes back with what was written and where it is wrong", async () => {
  const asked = question(300, { args: { to: "ada" } });
  const errors = [{ pointer: "/to", message: "must be an address" }];
  const answers: Answer[] = [];
  void ask(asked, (answer) => {
    answers.push(answer);
    return answers.length > 1 ? { outcome: "approved" } : Promise.reject(new ApiError(422, "Invalid parameters: /to", { errors }));
  });
  await respond(asked.id, { approve: true, args: { to: "bob" } });
  expect(current.value).toMatchObject({ problem: "Invalid parameters: /to", wrong: errors, draft: { to: "bob" } });
  await respond(asked.id, { approve: true, args: { to: "bob@x.org" } });
  expect(answers.map((each) => each.args)).toEqual([{ to: "bob" }, { to: "bob@x.org" }]);
});

test("where two people have to approve, one yes closes the dialog and keeps the question", async () => {
  const asked = question(300, { approvals: 2, approved_by: [] });
  const done: Outcome[] = [];
  void ask(asked, () => ({ outcome: "pending" })).then((outcome) => done.push(outcome));
  await respond(asked.id, { approve: true });
  expect([shown(), done]).toEqual([[], []]);
  expect(texts()[0]).toContain("A second person must approve it too");
  settled({ id: asked.id, outcome: "approved" }, "elsewhere");
  await vi.advanceTimersByTimeAsync(0);
  expect(done.map((each) => each.outcome)).toEqual(["approved"]);
});

test("a question that another tab answers closes here, with what was answered", () => {
  const asked = question();
  void ask(asked, () => {});
  settled({ id: asked.id, outcome: "denied" }, "elsewhere");
  expect(shown()).toEqual([]);
  expect(texts()).toEqual(["Denied in another window: Delete a macro. Nothing was done."]);
});

test("an answer that was lost with the line is sent over HTTP, or told", async () => {
  speakThrough(() => true);
  const asked = question();
  const requests: string[] = [];
  const answers = [new TypeError("away"), { status: "pending" }, { outcome: "approved", result: { ok: true } }];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    requests.push(`${method} ${String(path).split("/api/")[1]}`);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return new Response(JSON.stringify(answer));
  });
  heard({ type: "confirmation_required", ...asked });
  await respond(asked.id, { approve: true });
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  expect(current.value?.problem).toContain("Your answer did not get through");
  await respond(asked.id, { approve: true });
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  expect(shown()).toEqual([]);
  expect(requests).toEqual([`GET confirmations/${asked.id}`, `GET confirmations/${asked.id}`, `POST confirmations/${asked.id}`]);
  vi.unstubAllGlobals();
});
