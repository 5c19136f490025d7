import { beforeEach, expect, test } from "vitest";

import { forgetRequest, savedRequests, saveRequest } from "../src/stores/saved-requests";
import { asAntiphon, asCurl, asHttpx, asMcp, python, withoutSecrets } from "../src/ui/copy-call";

const call = { tool: "notify", args: { text: "It's \"on\"", times: 2, loud: true, to: null }, mode: "text" as const };

beforeEach(() => {
  for (const each of savedRequests.value) forgetRequest(each.id);
});

test("a call is written as a shell, Python and MCP take it", () => {
  expect(asCurl(call)).toContain(`-d '{"args":{"text":"It'\\''s \\"on\\"","times":2,"loud":true,"to":null},"mode":"text"}'`);
  expect(asHttpx(call)).toContain('json={"args": {"text": "It\'s \\"on\\"", "times": 2, "loud": True, "to": None}, "mode": "text"}');
  expect(asAntiphon(call)).toContain('app.call("notify", {"text": "It\'s \\"on\\"", "times": 2, "loud": True, "to": None}).data');
  expect(asAntiphon({ ...call, mode: "voice" })).toContain(', mode="voice").data');
  expect(JSON.parse(asMcp(call))).toEqual({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "notify", arguments: call.args } });
  expect(python([1.5, "ä\u2028", {}])).toBe('[1.5, "ä\\u2028", {}]');
});

test("what is redacted is never copied, by the contract or by the audit", () => {
  const args = { key: "k", user: { password: "p", name: "ada" }, list: [{ token: "t", id: 1 }], kept: "[redacted]" };
  expect(withoutSecrets(args, ["/key", "/user/password", "/list/*/token", "/missing/deep"])).toEqual({ user: { name: "ada" }, list: [{ id: 1 }] });
  expect(args.key).toBe("k");
});

test("requests are kept by name, newest first, and what is no request is not read", () => {
  saveRequest("Morning", call);
  saveRequest("", { ...call, tool: "other" });
  saveRequest("Morning", { ...call, args: { text: "new" } });
  expect(savedRequests.value.map((each) => [each.name, each.tool])).toEqual([["Morning", "notify"], ["other", "other"]]);
  expect(savedRequests.value[0]!.args).toEqual({ text: "new" });
  localStorage.setItem("antiphon.requests", JSON.stringify([{ id: 1 }, null, savedRequests.value[1]]));
  dispatchEvent(new StorageEvent("storage", { key: "antiphon.requests" }));
  expect(savedRequests.value.map((each) => each.name)).toEqual(["other"]);
});
