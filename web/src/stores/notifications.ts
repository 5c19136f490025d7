/** Notices of the system when a question opens while nobody looks at the page. Only with leave. */
import { signal } from "@preact/signals";

import { go } from "../router";
import { prefer, prefs } from "./prefs";

const there = () => typeof Notification !== "undefined";

/** What the browser allows: `unsupported` where it has none. */
export const permission = signal<NotificationPermission | "unsupported">(there() ? Notification.permission : "unsupported");

/** Asks the person for leave. Only ever after a press of a button. */
export async function allowNotifications(): Promise<void> {
  if (!there()) return;
  permission.value = await Notification.requestPermission();
  prefer({ notifications: permission.value === "granted" });
}

/** Tells of a question that has opened, if the page is hidden and the person wants that. */
export function notify(id: string, text: string): void {
  if (!there() || !document.hidden || !prefs.value.notifications || Notification.permission !== "granted") return;
  let shown: Notification;
  try {
    shown = new Notification("Antiphon", { body: `${text}?`, tag: id, requireInteraction: true });
  } catch {
    return; // phones have them of service workers only
  }
  shown.onclick = () => {
    window.focus();
    shown.close();
    // A question that this page asks is open over whatever it shows.
    if (!document.querySelector(".confirm[open]")) go(`#/inbox/${encodeURIComponent(id)}`);
  };
}
