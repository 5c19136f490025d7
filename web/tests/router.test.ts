import { beforeEach, expect, test } from "vitest";

import { near } from "../src/pages/nowhere/near";
import { at, go, parseRoute, route } from "../src/router";

beforeEach(() => go("#/vox"));

test("a place is a page, what follows it, and a query", () => {
  const found = parseRoute("#/kg-studio/studio/person%3Aada?q=who%20is&tab=graph");
  expect(found.page).toBe("kg-studio");
  expect(found.rest).toEqual(["studio", "person:ada"]);
  expect(Object.fromEntries(found.query)).toEqual({ q: "who is", tab: "graph" });
});

test.each(["", "#", "#/", "#//", "#tools"])("%o is the first page or the one named", (hash) => {
  expect(parseRoute(hash)).toMatchObject({ page: hash === "#tools" ? "tools" : "vox", rest: [] });
});

test.each(["#/lost", "#/lost/x?y=z", "#lost"])("%o is no page, and says which one was wanted", (hash) => {
  expect(parseRoute(hash)).toMatchObject({ page: null, wanted: "lost" });
});

test.each([
  ["setings", ["settings"]],
  ["Tool", ["tools", "mcp"]],
  ["knowledgge", ["kg-studio"]],
  ["automation", ["macros", "workflows", "agents"]],
  ["studio", ["kg-studio"]],
  ["calender", ["calendar"]],
  ["qqqq", []],
  ["", []],
])("%o means the pages %o", (wanted, pages) => {
  expect(near(wanted).map((page) => page.id)).toEqual(pages);
});

test("what was encoded badly stays as it is", () => {
  expect(parseRoute("#/tools/%E0%A4%A").rest).toEqual(["%E0%A4%A"]);
});

test("an address leads back to where it was made", () => {
  for (const rest of [["a/b"], ["?x=y"], ["#"], ["50%"], ["ü ö"]]) {
    const found = parseRoute(at("sessions", rest, { "odd key": "& = ?", empty: "" }));
    expect(found.rest).toEqual(rest);
    expect(Object.fromEntries(found.query)).toEqual({ "odd key": "& = ?" });
  }
});

test("going leaves a step behind, replacing does not", () => {
  const steps = history.length;
  go(at("audit", [], { rule: "mode" }));
  expect(history.length).toBe(steps + 1);
  go("audit?rule=rate", true);
  expect(history.length).toBe(steps + 1);
  expect(location.hash).toBe("#/audit?rule=rate");
  expect(route.value.query.get("rule")).toBe("rate");
});

test("an entry of the menu is the page of it that was open last", () => {
  localStorage.removeItem("antiphon.tabs");
  go("#/automations");
  expect(location.hash).toBe("#/macros");
  go("#/experts/ada");
  go("#/activity?x=y");
  expect(location.hash).toBe("#/sessions?x=y");
  go("#/automations");
  expect(route.value).toMatchObject({ page: "experts", wanted: "experts", rest: [] });
});

test("a link and the back button are followed", () => {
  history.replaceState(null, "", "#/metrics?minutes=5");
  dispatchEvent(new Event("hashchange"));
  expect(route.value.page).toBe("metrics");
  history.replaceState(null, "", "#/tools/kb_search");
  dispatchEvent(new PopStateEvent("popstate"));
  expect(route.value).toMatchObject({ page: "tools", rest: ["kb_search"] });
});
