import { afterEach, beforeEach, expect, test } from "vitest";

import { addShortcuts, hearShortcuts, matches, shortcuts } from "../src/stores/shortcuts";

const key = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });

let stop: () => void;
beforeEach(() => {
  document.body.innerHTML = "<input><button></button>";
  stop = hearShortcuts();
});
afterEach(() => stop());

test("keys are told apart", () => {
  expect(matches("Ctrl+K", key("k", { ctrlKey: true }))).toBe(true);
  expect(matches("Ctrl+K", key("K", { metaKey: true }))).toBe(true);
  expect(matches("Ctrl+K", key("k"))).toBe(false);
  expect(matches("Ctrl+K", key("k", { ctrlKey: true, shiftKey: true }))).toBe(false);
  expect(matches("Ctrl+/", key("/", { ctrlKey: true, shiftKey: true }))).toBe(true);
  expect(matches("Space", key(" "))).toBe(true);
  expect(matches("N", key("n", { altKey: true }))).toBe(false);
});

test("plain keys are left to whoever types; others work there too", () => {
  const ran: string[] = [];
  const away = addShortcuts([
    { keys: "N", label: "New", group: "Page", run: () => ran.push("N") },
    { keys: "Ctrl+K", label: "Go", group: "Everywhere", run: () => ran.push("K") },
  ]);
  const input = document.querySelector("input")!;
  input.dispatchEvent(key("n"));
  input.dispatchEvent(key("k", { ctrlKey: true }));
  document.querySelector("button")!.dispatchEvent(key("n"));
  expect(ran).toEqual(["K", "N"]);
  away();
  expect(shortcuts.value).toEqual([]);
});

test("the nearest of two counts, and what is only listed runs nothing", () => {
  const ran: string[] = [];
  const all = addShortcuts([{ keys: "N", label: "Everywhere", group: "A", run: () => ran.push("all") }]);
  const page = addShortcuts([
    { keys: "N", label: "Here", group: "B", run: () => ran.push("page") },
    { keys: "N", label: "Listed", group: "B" },
  ]);
  document.body.dispatchEvent(key("n"));
  page();
  document.body.dispatchEvent(key("n"));
  expect(ran).toEqual(["page", "all"]);
  all();
});
