import { a as y } from "./vendor-preact.js";
import { o as go } from "./router.js";
import { f as prefer, p as prefs } from "./app.js";
// src/stores/notifications.ts
/** Notices of the system when a question opens while nobody looks at the page. Only with leave. */
var there = () => typeof Notification !== "undefined";
/** What the browser allows: `unsupported` where it has none. */
var permission = y(there() ? Notification.permission : "unsupported");
/** Asks the person for leave. Only ever after a press of a button. */
async function allowNotifications() {
	if (!there()) return;
	permission.value = await Notification.requestPermission();
	prefer({ notifications: permission.value === "granted" });
}
/** Tells of a question that has opened, if the page is hidden and the person wants that. */
function notify(id, text) {
	if (!there() || !document.hidden || !prefs.value.notifications || Notification.permission !== "granted") return;
	let shown;
	try {
		shown = new Notification("Antiphon", {
			body: `${text}?`,
			tag: id,
			requireInteraction: true
		});
	} catch {
		return;
	}
	shown.onclick = () => {
		window.focus();
		shown.close();
		if (!document.querySelector(".confirm[open]")) go(`#/inbox/${encodeURIComponent(id)}`);
	};
}
export { notify as n, permission as r, allowNotifications as t };
