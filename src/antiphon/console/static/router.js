import { a as y, n as O } from "./vendor-preact.js";
import { l as t } from "./app.js";
// src/router.ts
/** Where the person is: `#/<page>/<rest>?<query>`. Deep links work without the server's help. */
/** Every page. `menu` is the entry that it stands under; null: it is reached by a link only. */
var PAGES = [
	{
		id: "vox",
		title: t("Conversation"),
		icon: "mic",
		menu: "conversation"
	},
	{
		id: "chat",
		title: t("Conversation"),
		icon: "chat",
		menu: "conversation"
	},
	{
		id: "kg-studio",
		title: t("Knowledge"),
		icon: "graph",
		menu: "knowledge"
	},
	{
		id: "tools",
		title: t("Tools"),
		icon: "tool",
		menu: "tools"
	},
	{
		id: "macros",
		title: t("Macros"),
		icon: "macro",
		menu: "automations"
	},
	{
		id: "workflows",
		title: t("Workflows"),
		icon: "flow",
		menu: "automations"
	},
	{
		id: "agents",
		title: t("Agents"),
		icon: "agent",
		menu: "automations"
	},
	{
		id: "experts",
		title: t("Experts"),
		icon: "expert",
		menu: "automations"
	},
	{
		id: "playbooks",
		title: t("Playbooks"),
		icon: "book",
		menu: "automations"
	},
	{
		id: "projects",
		title: t("Projects"),
		icon: "folder",
		menu: "projects"
	},
	{
		id: "calendar",
		title: t("Calendar"),
		icon: "calendar",
		menu: "calendar"
	},
	{
		id: "sessions",
		title: t("Sessions"),
		icon: "sessions",
		menu: "activity"
	},
	{
		id: "inbox",
		title: t("Approvals"),
		icon: "shield",
		menu: "activity"
	},
	{
		id: "audit",
		title: t("Audit"),
		icon: "audit",
		menu: "activity"
	},
	{
		id: "metrics",
		title: t("Metrics"),
		icon: "metrics",
		menu: "activity"
	},
	{
		id: "traces",
		title: t("Traces"),
		icon: "clock",
		menu: "activity"
	},
	{
		id: "settings",
		title: t("Settings"),
		icon: "settings",
		menu: "settings"
	},
	{
		id: "gallery",
		title: t("Gallery"),
		icon: "sun",
		menu: null
	},
	{
		id: "shared",
		title: t("Shared conversation"),
		icon: "chat",
		menu: null
	}
];
/** `thumb`: it has a tab of its own on a phone; the others are behind More. */
var MENU = [
	{
		id: "conversation",
		title: t("Conversation"),
		icon: "chat",
		thumb: true
	},
	{
		id: "knowledge",
		title: t("Knowledge"),
		icon: "graph",
		thumb: true
	},
	{
		id: "tools",
		title: t("Tools"),
		icon: "tool"
	},
	{
		id: "automations",
		title: t("Automations"),
		icon: "flow",
		thumb: true
	},
	{
		id: "projects",
		title: t("Projects"),
		icon: "folder"
	},
	{
		id: "calendar",
		title: t("Calendar"),
		icon: "calendar"
	},
	{
		id: "activity",
		title: t("Activity"),
		icon: "metrics",
		thumb: true
	},
	{
		id: "settings",
		title: t("Settings"),
		icon: "settings"
	}
];
var pageOf = (id) => PAGES.find((page) => page.id === id);
var labelOf = (page) => page.title;
/** The pages to choose from: two ids of one page are one choice. */
var LISTED = PAGES.filter((page) => page.menu !== null && PAGES.find((each) => labelOf(each) === labelOf(page)) === page);
/** The pages that share an entry of the menu: each is a tab beside the others. */
var tabsOf = (menu) => LISTED.filter((page) => page.menu === menu);
/** In place of the id of a page, where there is none. */
var NOWHERE = "nowhere";
/** What is shown where the address names no page. */
var HOME = "vox";
function parseRoute(hash) {
	const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
	const [wanted = HOME, ...rest] = path.split("/").filter(Boolean).map(decoded);
	const entry = MENU.find((each) => each.id === wanted);
	return {
		page: pageOf(wanted)?.id ?? (entry ? lastOf(entry.id) : null),
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
var LAST = "antiphon.tabs";
function lastTabs() {
	try {
		return JSON.parse(localStorage.getItem(LAST) ?? "{}") ?? {};
	} catch {
		return {};
	}
}
/** The page of an entry of the menu that was open last; at first its first one. */
function lastOf(menu) {
	const tabs = tabsOf(menu);
	return (tabs.find((page) => page.id === lastTabs()[menu]) ?? tabs[0]).id;
}
/** The place that an address names. `#/automations` names the tab of it that was open last, and is replaced by that. */
function arrive(hash) {
	const found = parseRoute(hash);
	const { page, wanted, rest, query } = found;
	const menu = pageOf(page)?.menu;
	if (!page || !menu) return found;
	if (page !== wanted) history.replaceState(null, "", at(page, rest, Object.fromEntries(query)));
	const last = lastTabs();
	if (tabsOf(menu).length > 1 && last[menu] !== page) try {
		localStorage.setItem(LAST, JSON.stringify({
			...last,
			[menu]: page
		}));
	} catch {}
	return {
		...found,
		wanted: page
	};
}
var route = y(arrive(location.hash));
var pageTitle = O(() => pageOf(route.value.page)?.title ?? t("No such page"));
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
	route.value = arrive(hash);
}
addEventListener("popstate", () => {
	route.value = arrive(location.hash);
});
addEventListener("hashchange", () => {
	route.value = arrive(location.hash);
});
export { at as a, pageOf as c, route as d, tabsOf as f, PAGES as i, pageTitle as l, MENU as n, go as o, NOWHERE as r, labelOf as s, LISTED as t, parseRoute as u };
