import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { go, route } from "../src/router";
import { prefer } from "../src/stores/prefs";
import { toasts } from "../src/stores/toasts";
import { back, endTour, guided, next, PATIENCE_MS, speakWith, startTour, type Tour } from "../src/stores/tour";
import { heard } from "./messages";

const step = (name: string) => ({ target: `[data-tour="${name}"]`, speech: `About ${name}.`, position: "bottom" as const, highlight: true });
const tour: Tour = { name: "A Tour", description: "", steps: [step("one"), step("two"), step("three")] };

let spoken: string[] = [];

function there(name: string): Element {
  const element = document.createElement("div");
  element.dataset["tour"] = name;
  // Nothing is laid out here; a browser would say that it can be seen.
  element.getClientRects = () => [{}] as unknown as DOMRectList;
  document.body.append(element);
  return element;
}

beforeEach(() => {
  vi.useFakeTimers();
  spoken = [];
  speakWith({ say: (text) => spoken.push(text), stop: () => spoken.push("(stop)") });
  document.body.replaceChildren();
  toasts.value = [];
  go("#/tools");
});

afterEach(() => {
  endTour();
  vi.useRealTimers();
});

test("it goes to the page and takes one step after the other, aloud", async () => {
  const [one, two] = [there("one"), there("two"), there("three")];
  await startTour("macros", tour);
  expect(route.value.page).toBe("macros");
  expect(guided.value).toMatchObject({ page: "macros", index: 0, target: one });
  next();
  await vi.advanceTimersByTimeAsync(0);
  expect(guided.value).toMatchObject({ index: 1, target: two });
  back();
  await vi.advanceTimersByTimeAsync(0);
  expect(guided.value).toMatchObject({ index: 0, target: one });
  expect(spoken).toEqual(["About one.", "About two.", "About one."]);
  next();
  next();
  next();
  expect(guided.value).toBeNull();
  expect(spoken.at(-1)).toBe("(stop)");
});

test("a target that comes late is waited for", async () => {
  void startTour("tools", tour);
  await vi.advanceTimersByTimeAsync(500);
  expect(guided.value?.target).toBe("looking");
  const late = there("one");
  await vi.advanceTimersByTimeAsync(100);
  expect(guided.value?.target).toBe(late);
});

test("a target that does not come leaves its words, and the way on", async () => {
  there("two");
  void startTour("tools", tour);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS + 100);
  expect(guided.value).toMatchObject({ index: 0, target: null });
  next();
  await vi.advanceTimersByTimeAsync(0);
  expect(guided.value?.target).toBeInstanceOf(Element);
});

test("whoever goes on is not overtaken by the step before", async () => {
  const two = there("two");
  void startTour("tools", tour);
  await vi.advanceTimersByTimeAsync(100);
  next();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS * 2);
  expect(guided.value).toMatchObject({ index: 1, target: two });
});

test("whoever leaves the page has left the tour", async () => {
  there("one");
  await startTour("tools", tour);
  go("#/audit");
  expect(guided.value).toBeNull();
  expect(spoken.at(-1)).toBe("(stop)");
});

test("without speech there are only captions", async () => {
  there("one");
  prefer({ tourSpeech: false });
  await startTour("tools", tour);
  prefer({ tourSpeech: true });
  expect(spoken).toEqual([]);
});

test("the server starts one, and one of a page that is not there is refused in words", async () => {
  there("one");
  heard({ type: "start_tour", page: "audit", tour });
  await vi.advanceTimersByTimeAsync(0);
  expect(guided.value?.page).toBe("audit");
  endTour();
  await startTour("nowhere", tour);
  expect(guided.value).toBeNull();
  expect(toasts.value.at(-1)?.text).toContain("no page “nowhere”");
});
