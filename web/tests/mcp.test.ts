import { describe, expect, it } from "vitest";

import { commandOf, exchanges, type McpMessage, pairsOf } from "../src/pages/mcp/api";

const message = (sender: McpMessage["sender"], method: string, id: string | null): McpMessage => ({ at: 0, sender, method, id, text: "" });

describe("a transcript", () => {
  it("has each request beside the answer of the other side, whatever comes between", () => {
    const [ask, ping, pong, note, answer, lost] = [
      message("here", "tools/list", "1"), message("server", "ping", "1"), message("here", "", "1"),
      message("server", "notifications/message", null), message("server", "", "1"), message("server", "", "7"),
    ];
    expect(exchanges([ask!, ping!, pong!, note!, answer!, lost!])).toEqual([
      { request: ask, answer }, { request: ping, answer: pong }, { request: note, answer: null }, { request: lost, answer: null },
    ]);
  });
});

describe("what is typed", () => {
  it("is a command with its arguments", () => {
    expect(commandOf(` npx -y "a \\"b\\" c"  'd e' ""`)).toEqual(["npx", "-y", 'a "b" c', "d e", ""]);
  });

  it("is names with values, or nothing", () => {
    expect(pairsOf("A=1\n\nB = x=y", "=")).toEqual({ A: "1", B: "x=y" });
    expect(pairsOf("A", "=")).toBeNull();
    expect(pairsOf("=1", "=")).toBeNull();
  });
});
