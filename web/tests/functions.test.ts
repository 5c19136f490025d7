import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { run } from "../src/functions";
import { chosen } from "../src/functions/model";
import { MOST, visibleText } from "../src/functions/page";
import { go } from "../src/router";
import { prefs } from "../src/stores/prefs";
import type { VoxStatus } from "../src/voice/backends";
import { speakThrough } from "../src/voice/bus";
import { heard } from "./messages";

const status: VoxStatus = {
  backend: "local",
  active_sessions: 0,
  recorded_days: null,
  backends: [
    { name: "local", label: "Built in", configured: true, reachable: true, why: null, model: "local", voice_model: "local", models: [{ id: "local", label: "", modes: ["text", "voice"] }] },
    { name: "gemini", label: "Gemini", configured: true, reachable: null, why: null, model: "gemini-flash", voice_model: "gemini-live",
      models: [{ id: "gemini-flash", label: "", modes: ["text"] }, { id: "gemini-live", label: "", modes: ["voice"] }, { id: "gemini-live-2", label: "", modes: ["voice"] }] },
    { name: "openai", label: "OpenAI", configured: false, reachable: false, why: "OpenAI has no key.", model: "gpt", voice_model: "gpt-realtime", models: [] },
    { name: "claude", label: "Claude", configured: true, reachable: true, why: null, model: "claude-sonnet", voice_model: null, models: [{ id: "claude-sonnet", label: "", modes: ["text"] }] },
  ],
};

beforeEach(() => {
  document.body.innerHTML = '<main id="main"><div class="page page-tools">The tools   of\n\n\n\nthis place</div></main>';
  go("#/tools/kb_search?q=x");
});
afterEach(() => {
  vi.unstubAllGlobals();
  speakThrough(null);
});

test("the page is told with its place", async () => {
  expect(await run("get_current_page", {})).toEqual({ success: true, page: "tools", title: "Tools", path: "/tools/kb_search?q=x" });
});

test("going somewhere that is not there is a failure in words", async () => {
  const result = await run("navigate_page", { path: "moon" });
  expect(result.success).toBe(false);
  expect(result.error).toContain('no page "moon"');
});

test("a place on a page keeps its address", async () => {
  document.querySelector(".page")!.className = "page page-kg-studio";
  expect(await run("navigate_page", { path: "/kg-studio/studio/a%20b" })).toEqual({ success: true, navigated_to: "kg-studio/studio/a b", title: "Knowledge" });
  expect(location.hash).toBe("#/kg-studio/studio/a%20b");
});

test("the theme changes, and one that is not there does not", async () => {
  expect(await run("switch_theme", { theme_id: "dark" })).toEqual({ success: true, theme_id: "dark" });
  expect((await run("switch_theme", { theme_id: "pink" })).error).toContain("light, dark, high-contrast, system");
  expect((await run("switch_theme", {})).error).toContain("theme_id");
  expect(prefs.value.theme).toBe("dark");
});

test("what the browser does not have is refused in words, also what every object has", async () => {
  for (const name of ["format_disk", "toString", "__proto__"]) {
    const result = await run(name, {});
    expect(result).toMatchObject({ success: false });
    expect(result.error).toContain(`no function "${name}"`);
  }
});

test("text is cut to what a model can use, and says how much is left", async () => {
  const main = document.getElementById("main")!;
  expect((await run("read_page_content", {})).content).toBe("The tools of\n\nthis place");
  main.innerText = "word ".repeat(MOST);
  const text = visibleText(main);
  expect(text.length).toBeLessThan(MOST + 100);
  expect(text).toMatch(/more characters are on the page\)$/);
  expect(visibleText(null)).toBe("");
});

test("a model is chosen by provider and name, or refused in words", () => {
  expect(chosen(status, "Gemini", "GEMINI-LIVE-2")).toEqual({ backend: "gemini", model: "gemini-live-2" });
  expect(chosen(status, "claude", "claude-sonnet")).toEqual({ backend: "claude", model: "claude-sonnet" });
  const spoken = chosen(status, "gemini", "gemini-flash");
  expect(spoken.model).toBe("gemini-live");
  expect(spoken.note).toContain("gemini-flash only writes");
  expect(() => chosen(status, "mistral", "x")).toThrow("There are local, gemini, openai, claude");
  expect(() => chosen(status, "openai", "gpt")).toThrow("OpenAI has no key.");
  expect(() => chosen(status, "gemini", "gemini-9")).toThrow('no model "gemini-9"');
});

test("every call of the browser is answered, also when something goes wrong, and others are left alone", async () => {
  const sent: Record<string, unknown>[] = [];
  speakThrough((message) => Boolean(sent.push(message as Record<string, unknown>)));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  heard({ type: "function_call", name: "get_workspace_state", args: {}, fn_call_id: "a", server_handled: false });
  heard({ type: "function_call", name: "list_kgs", args: {}, fn_call_id: "b", server_handled: true });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ type: "browser_function_result", fn_call_id: "a", name: "get_workspace_state" });
  expect(sent[0]!["result"]).toMatchObject({ success: false, error: "The server cannot be reached. Is it still running?" });
});
