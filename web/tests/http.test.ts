import { afterEach, expect, test, vi } from "vitest";

import { ApiError, del, get, post, said, send, words } from "../src/api/http";

function answers(body: BodyInit | null, init: ResponseInit = {}) {
  const fetched = vi.fn((_address: string, _request: RequestInit) => Promise.resolve(new Response(body, init)));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

test("what was asked for comes back, and empty parts of a query stay out", async () => {
  const fetched = answers('{"n": 1}');
  expect(await get("/api/audit", { query: { rule: "mode", tool: "", limit: 3, ok: false, none: undefined } })).toEqual({ n: 1 });
  expect(fetched.mock.calls[0]![0]).toBe("/api/audit?rule=mode&limit=3&ok=false");
});

test("JSON is sent as JSON, text and files as they are", async () => {
  const fetched = answers("{}");
  await post("/a", { x: 1 });
  await send("POST", "/b", "plain");
  const [json, text] = fetched.mock.calls.map(([, request]) => request);
  expect(json).toMatchObject({ method: "POST", body: '{"x":1}', headers: { "Content-Type": "application/json" } });
  expect(text!.body).toBe("plain");
  expect(text!.headers).not.toHaveProperty("Content-Type");
});

test("an answer without a body is none", async () => {
  answers(null, { status: 204 });
  expect(await del("/x")).toBeNull();
});

test("a problem document is told in its own words, with every place that is wrong", async () => {
  const body = { title: "Unprocessable", detail: "Two fields are wrong.", errors: [{ pointer: "/a", message: "is missing" }, { path: "/b", detail: "is no number" }] };
  answers(JSON.stringify(body), { status: 422 });
  const error = await get("/x").catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 422, body, message: "Two fields are wrong. /a: is missing; /b: is no number" });
});

test("an envelope's error, a text and nothing at all have words too", () => {
  expect(words(409, { ok: false, error: { message: "Not in this mode." } })).toBe("Not in this mode.");
  expect(words(400, { error: "broken" })).toBe("broken");
  expect(words(404, { title: "Not Found" })).toBe("Not Found");
  for (const odd of [null, "oops", 5, { detail: 7 }]) expect(words(500, odd)).toBe("The server responded with status 500.");
});

test("an answer that is no JSON is a failure that says so", async () => {
  answers("<html>");
  await expect(get("/x")).rejects.toThrow("could not be read");
  answers("Bad Gateway", { status: 502 });
  await expect(get("/x")).rejects.toMatchObject({ status: 502, body: "Bad Gateway" });
});

test("a server that cannot be reached is told apart from a question that was withdrawn", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(get("/x")).rejects.toMatchObject({ status: 0, message: expect.stringContaining("Is it still running?") });
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("over", "AbortError")));
  await expect(get("/x")).rejects.toMatchObject({ name: "AbortError" });
});

test("anything that is thrown has words", () => {
  expect(said(new ApiError(404, "There is none."))).toBe("There is none.");
  expect(said("plain")).toBe("plain");
});
