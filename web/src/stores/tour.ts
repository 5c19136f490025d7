/** A guided tour: one step after the other, each at something on the page, in words and aloud. */
import { effect, signal } from "@preact/signals";

import { get, said } from "../api/http";
import { t, translated } from "../i18n";
import { at, go, PAGES, route, type PageId } from "../router";
import { on } from "../voice/bus";
import { prefs } from "./prefs";
import { toast } from "./toasts";
import { tourVoice, type Voice } from "./tour-voice";

export interface Step {
  /** A CSS selector. */
  target: string;
  speech: string;
  position: "top" | "bottom" | "left" | "right" | "center";
  highlight: boolean;
}

export interface Tour {
  name: string;
  description: string;
  steps: Step[];
}

export interface Guided {
  page: PageId;
  tour: Tour;
  index: number;
  /** `looking` while its target is awaited; null: it is not there, the words stand alone. */
  target: Element | "looking" | null;
}

export const guided = signal<Guided | null>(null);

/** How long a target may take to appear: pages load their parts when they are opened. */
export const PATIENCE_MS = 3000;
const LOOK_EVERY_MS = 50;

let voice: Voice = tourVoice();
/** Another voice than the usual one. Captions are shown either way. */
export function speakWith(other: Voice): void {
  voice = other;
}

/** The step that is looked for; an answer for an earlier one comes too late. */
let round = 0;

function inLanguage(tour: Tour): Tour {
  return { ...tour, name: translated(tour.name), steps: tour.steps.map((step) => ({ ...step, speech: translated(step.speech) })) };
}

/** Goes to the page and begins. Without `tour` the server is asked for it. */
export async function startTour(page: string, tour?: Tour): Promise<void> {
  const known = PAGES.find((each) => each.id === page);
  try {
    if (!known) throw new Error(t("There is no page “{page}” to show.", { page }));
    const wanted = inLanguage(tour ?? (await get<Tour>(`/api/vox/tours/${known.id}`)));
    if (!wanted.steps.length) throw new Error(t("This tour has no steps."));
    if (route.value.page !== known.id) go(at(known.id));
    guided.value = { page: known.id, tour: wanted, index: 0, target: "looking" };
    await show(0);
  } catch (error) {
    toast(said(error), { kind: "bad" });
  }
}

export function next(): void {
  const now = guided.value;
  if (!now) return;
  if (now.index + 1 < now.tour.steps.length) void show(now.index + 1);
  else endTour();
}

export function back(): void {
  if (guided.value && guided.value.index > 0) void show(guided.value.index - 1);
}

export function endTour(): void {
  round++;
  voice.stop();
  guided.value = null;
}

/** Says the step again, or stops saying it. */
export function sayStep(aloud: boolean): void {
  const now = guided.value;
  if (aloud && now) voice.say(now.tour.steps[now.index]!.speech);
  else voice.stop();
}

async function show(index: number): Promise<void> {
  const mine = ++round;
  const now = guided.value!;
  const step = now.tour.steps[index]!;
  guided.value = { ...now, index, target: "looking" };
  if (prefs.value.tourSpeech) voice.say(step.speech);
  const target = await appears(step.target, () => mine !== round);
  if (mine === round && guided.value) guided.value = { ...guided.value, target };
}

/** The element when it can be seen; null when it does not come in time. */
async function appears(selector: string, overtaken: () => boolean): Promise<Element | null> {
  const until = Date.now() + PATIENCE_MS;
  while (!overtaken()) {
    const found = find(selector);
    if (found) return found;
    if (Date.now() >= until) break;
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
  }
  return null;
}

function find(selector: string): Element | null {
  try {
    const found = [...document.querySelectorAll(selector)];
    return found.find((element) => element.getClientRects().length > 0) ?? null;
  } catch {
    return null; // no selector: the words still help
  }
}

// Whoever leaves the page has left the tour.
effect(() => {
  const { page } = route.value;
  const now = guided.peek();
  if (now && now.page !== page) endTour();
});

on("start_tour", ({ page, tour }) => void startTour(page, tour as unknown as Tour));
