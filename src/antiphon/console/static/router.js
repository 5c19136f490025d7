import { o as y, r as O } from "./vendor-preact.js";
// src/router.ts
/** Where the person is: `#/<page>/<rest>?<query>`. Deep links work without the server's help. */
var PAGES = [
	{
		id: "vox",
		title: "Talk",
		group: "Talk",
		icon: "mic"
	},
	{
		id: "chat",
		title: "Chat",
		group: "Talk",
		icon: "chat"
	},
	{
		id: "tools",
		title: "Tools",
		group: "Registry",
		icon: "tool"
	},
	{
		id: "kg-studio",
		title: "KG Studio",
		group: "Knowledge",
		icon: "graph"
	},
	{
		id: "experts",
		title: "Experts",
		group: "Knowledge",
		icon: "expert"
	},
	{
		id: "playbooks",
		title: "Playbooks",
		group: "Knowledge",
		icon: "book"
	},
	{
		id: "projects",
		title: "Projects",
		group: "Workspace",
		icon: "folder"
	},
	{
		id: "workflows",
		title: "Workflows",
		group: "Workspace",
		icon: "flow"
	},
	{
		id: "agents",
		title: "Agents",
		group: "Workspace",
		icon: "agent"
	},
	{
		id: "macros",
		title: "Macros",
		group: "Workspace",
		icon: "macro"
	},
	{
		id: "calendar",
		title: "Calendar",
		group: "Workspace",
		icon: "calendar"
	},
	{
		id: "sessions",
		title: "Sessions",
		group: "Oversight",
		icon: "sessions"
	},
	{
		id: "audit",
		title: "Audit",
		group: "Oversight",
		icon: "audit"
	},
	{
		id: "metrics",
		title: "Metrics",
		group: "Oversight",
		icon: "metrics"
	},
	{
		id: "settings",
		title: "Settings",
		group: "Oversight",
		icon: "settings"
	}
];
/** In place of the id of a page, where there is none. */
var NOWHERE = "nowhere";
/** What is shown where the address names no page. */
var HOME = "vox";
function parseRoute(hash) {
	const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
	const [wanted = HOME, ...rest] = path.split("/").filter(Boolean).map(decoded);
	return {
		page: PAGES.find((page) => page.id === wanted)?.id ?? null,
		wanted,
		rest,
		query: new URLSearchParams(search)
	};
}
function decoded(part) {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
var route = y(parseRoute(location.hash));
var pageTitle = O(() => PAGES.find((page) => page.id === route.value.page)?.title ?? "No such page");
/** The address of a place, for `href`. */
function at(page, rest = [], query = {}) {
	const path = [page, ...rest.map(encodeURIComponent)].join("/");
	const kept = Object.entries(query).filter(([, value]) => value !== "");
	const search = new URLSearchParams(kept).toString();
	return `#/${path}${search ? `?${search}` : ""}`;
}
/** Goes there; `replace` leaves no step behind in the history (for filters as they are typed). */
function go(address, replace = false) {
	const hash = address.startsWith("#") ? address : `#/${address.replace(/^\/+/, "")}`;
	if (replace) history.replaceState(null, "", hash);
	else history.pushState(null, "", hash);
	route.value = parseRoute(hash);
}
addEventListener("popstate", () => {
	route.value = parseRoute(location.hash);
});
addEventListener("hashchange", () => {
	route.value = parseRoute(location.hash);
});
export { pageTitle as a, go as i, PAGES as n, parseRoute as o, at as r, route as s, NOWHERE as t };
