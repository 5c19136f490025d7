import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { route } from "../src/router";
import { allowNotifications, notify, permission } from "../src/stores/notifications";
import { prefer, prefs } from "../src/stores/prefs";

class Shown {
  static permission: NotificationPermission = "default";
  static answer: NotificationPermission = "granted";
  static all: Shown[] = [];
  static asked = 0;
  static requestPermission = async () => {
    Shown.asked++;
    return (Shown.permission = Shown.answer);
  };
  onclick: (() => void) | null = null;
  closed = false;
  constructor(readonly title: string, readonly options: NotificationOptions) {
    Shown.all.push(this);
  }
  close() {
    this.closed = true;
  }
}

let hidden = true;

beforeEach(() => {
  Object.assign(Shown, { permission: "default", answer: "granted", all: [], asked: 0 });
  vi.stubGlobal("Notification", Shown);
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  hidden = true;
  prefer({ notifications: false });
});

afterEach(() => vi.unstubAllGlobals());

test("nobody is asked for leave, or told anything, before they press the button", async () => {
  notify("q1", "Add a review");
  expect([Shown.asked, Shown.all]).toEqual([0, []]);
  await allowNotifications();
  expect([Shown.asked, permission.value, prefs.value.notifications]).toEqual([1, "granted", true]);
  notify("q1", "Add a review");
  expect(Shown.all[0]!.options).toMatchObject({ body: "Add a review?", tag: "q1" });
  Shown.all[0]!.onclick!();
  expect([route.value.page, route.value.rest, Shown.all[0]!.closed]).toEqual(["inbox", ["q1"], true]);
});

test("a page that is seen needs no notice, and a no stays a no", async () => {
  await allowNotifications();
  hidden = false;
  notify("q2", "Add a review");
  Shown.answer = "denied";
  await allowNotifications();
  hidden = true;
  notify("q3", "Add a review");
  expect([Shown.all, prefs.value.notifications]).toEqual([[], false]);
});
