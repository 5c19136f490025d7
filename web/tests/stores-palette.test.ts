import { expect, test } from "vitest";

import { type Entry, match, search } from "../src/stores/palette";

const entry = (label: string, hint = "", kind = "Tool"): Entry => ({ id: label, kind, label, hint, run: () => {} });
const labels = (entries: Entry[], query: string) => search(entries, query).map((each) => each.entry.label);

const all = ["kb_search", "kb_get", "search_kg", "Keyboard shortcuts", "KG Studio", "Settings", "Sessions", "Dark"].map((label) => entry(label));

test("letters are found in order, and starts of words count most", () => {
  expect(labels(all, "kbs")).toEqual(["kb_search", "Keyboard shortcuts"]);
  expect(labels(all, "kgs")[0]).toBe("KG Studio");
  expect(labels(all, "sett")).toEqual(["Settings"]);
  expect(labels(all, "se")[0]).toMatch(/^(Settings|Sessions|search_kg)$/);
});

test("letters that are merely somewhere are not taken for a find", () => {
  expect(match("zz", "kb_search")).toBeNull();
  expect(labels(all, "arc")).toEqual(["search_kg", "kb_search"]);
  expect(labels(all, "ysc")).toEqual([]);
});

test("every word has to be found, in any order", () => {
  expect(labels(all, "search kb")).toEqual(["kb_search"]);
  expect(labels(all, "kb nothing")).toEqual([]);
});

test("words beside the label count whole, after the label", () => {
  const these = [entry("format_datetime", "Format a date for a reader"), entry("reader", "")];
  expect(labels(these, "reader")).toEqual(["reader", "format_datetime"]);
  expect(labels(these, "fdr")).toEqual([]);
  const themes = [entry("switch_theme", "light, dark or high contrast"), entry("High contrast", "", "Theme")];
  expect(labels(themes, "theme high")).toEqual(["High contrast", "switch_theme"]);
});

test("the letters that were meant are marked", () => {
  expect(match("kbs", "kb_search")?.marks).toEqual([0, 1, 3]);
  expect(search([entry("kb_search")], "search")[0]?.marks).toEqual([3, 4, 5, 6, 7, 8]);
  expect(match("ss", "Sessions")?.marks.length).toBe(2);
});

test("an empty question offers everything in its order", () => {
  expect(labels(all, " ")).toEqual(all.map((each) => each.label));
  expect(search(all, "", 3).length).toBe(3);
});

test("a long question over many entries is answered", () => {
  const many = Array.from({ length: 500 }, (_, index) => entry(`tool_number_${index}_with_a_long_name`, "x ".repeat(100)));
  // Trying every way to place its letters would never come to an end.
  expect(search(many, "number with long name 499")[0]?.entry.label).toBe("tool_number_499_with_a_long_name");
});
