/** Where the person is: `#/<page>/<rest>?<query>`. Deep links work without the server's help. */
import { computed, signal } from "@preact/signals";

import { t } from "./i18n";
import { hasSession, may, mayForServer, type Permission } from "./stores/account";

/**
 * Every page. `menu` is the entry that it stands under; null: it is reached by a link only. One of the permissions
 * `needs` opens it; `server`: in the first organisation alone. `plain`: the server has no tour of it.
 */
export const PAGES = [
  { id: "vox", title: t("Conversation"), icon: "mic", menu: "conversation", needs: ["tools.call"] },
  { id: "chat", title: t("Conversation"), icon: "chat", menu: "conversation", needs: ["tools.call"] },
  { id: "kg-studio", title: t("Knowledge"), icon: "graph", menu: "knowledge", needs: ["knowledge.read"] },
  { id: "tools", title: t("Tools"), icon: "tool", menu: "tools", needs: ["tools.call"] },
  { id: "mcp", title: t("MCP servers"), icon: "globe", menu: "tools", needs: ["mcp.manage", "tools.call"], plain: true },
  { id: "macros", title: t("Macros"), icon: "macro", menu: "automations", needs: ["tools.call"] },
  { id: "workflows", title: t("Workflows"), icon: "flow", menu: "automations", needs: ["tools.call"] },
  { id: "agents", title: t("Agents"), icon: "agent", menu: "automations", needs: ["tools.call"] },
  { id: "experts", title: t("Experts"), icon: "expert", menu: "automations", needs: ["knowledge.read"] },
  { id: "playbooks", title: t("Playbooks"), icon: "book", menu: "automations", needs: ["knowledge.read"] },
  { id: "projects", title: t("Projects"), icon: "folder", menu: "projects", needs: ["tools.call"] },
  { id: "calendar", title: t("Calendar"), icon: "calendar", menu: "calendar", needs: ["tools.call"] },
  { id: "sessions", title: t("Sessions"), icon: "sessions", menu: "activity", needs: ["tools.call", "others.read"] },
  { id: "inbox", title: t("Approvals"), icon: "shield", menu: "activity", needs: ["tools.call", "approvals.answer"] },
  { id: "audit", title: t("Audit"), icon: "audit", menu: "activity", needs: ["audit.read"] },
  { id: "metrics", title: t("Metrics"), icon: "metrics", menu: "activity", needs: ["metrics.read"], server: true },
  { id: "traces", title: t("Traces"), icon: "clock", menu: "activity", needs: ["tools.call", "others.read"] },
  { id: "usage", title: t("Usage"), icon: "metrics", menu: "activity", plain: true },
  { id: "users", title: t("Users"), icon: "people", menu: "administration", needs: ["users.manage"], plain: true },
  { id: "groups", title: t("Groups"), icon: "people", menu: "administration", needs: ["users.manage"], plain: true },
  { id: "roles", title: t("Roles"), icon: "shield", menu: "administration", needs: ["users.manage", "roles.manage"], plain: true },
  { id: "tokens", title: t("Tokens"), icon: "key", menu: "administration", needs: ["users.manage"], plain: true },
  { id: "limits", title: t("Usage limits"), icon: "shield", menu: "administration", needs: ["limits.manage"], plain: true },
  { id: "organisations", title: t("Organisations"), icon: "folder", menu: "administration", needs: ["organisations.manage"], server: true, plain: true },
  { id: "settings", title: t("Settings"), icon: "settings", menu: "settings" },
  { id: "gallery", title: t("Gallery"), icon: "sun", menu: null },
  { id: "shared", title: t("Shared conversation"), icon: "chat", menu: null },
] as const satisfies readonly {
  id: string; title: string; icon: string; menu: string | null; needs?: readonly Permission[]; server?: true; plain?: true;
}[];

export type PageId = (typeof PAGES)[number]["id"];
export type MenuId = NonNullable<(typeof PAGES)[number]["menu"]>;

/** `thumb`: it has a tab of its own on a phone; the others are behind More. */
export const MENU: readonly { id: MenuId; title: string; icon: string; thumb?: true }[] = [
  { id: "conversation", title: t("Conversation"), icon: "chat", thumb: true },
  { id: "knowledge", title: t("Knowledge"), icon: "graph", thumb: true },
  { id: "tools", title: t("Tools"), icon: "tool" },
  { id: "automations", title: t("Automations"), icon: "flow", thumb: true },
  { id: "projects", title: t("Projects"), icon: "folder" },
  { id: "calendar", title: t("Calendar"), icon: "calendar" },
  { id: "activity", title: t("Activity"), icon: "metrics", thumb: true },
  { id: "administration", title: t("Administration"), icon: "people" },
  { id: "settings", title: t("Settings"), icon: "settings" },
];

export type Page = (typeof PAGES)[number];
export const pageOf = (id: PageId | null): Page | undefined => PAGES.find((page) => page.id === id);
export const labelOf = (page: Page): string => page.title;
/** The pages to choose from: two ids of one page are one choice. */
export const LISTED: readonly Page[] = PAGES.filter(
  (page) => page.menu !== null && PAGES.find((each) => labelOf(each) === labelOf(page)) === page,
);
/** What this person's permissions open. Where nobody signs in, nobody is administered. */
export function isOpen(page: Page): boolean {
  if (page.menu === "administration" && !hasSession.value) return false;
  if (!("needs" in page)) return true;
  return page.needs.some((permission: Permission) => ("server" in page ? mayForServer(permission) : may(permission)));
}

/** The pages that share an entry of the menu: each is a tab beside the others. */
export const tabsOf = (menu: MenuId): Page[] => LISTED.filter((page) => page.menu === menu && isOpen(page));
/** The entries under which there is a page for this person. */
export const menuOf = (): readonly (typeof MENU)[number][] => MENU.filter((entry) => tabsOf(entry.id).length > 0);

/** In place of the id of a page, where there is none. */
export const NOWHERE = "nowhere";
/** What is shown where the address names no page. */
const HOME: PageId = "vox";

export interface Route {
  /** Null: the address names a page that does not exist, `wanted`. */
  page: PageId | null;
  wanted: string;
  /** What follows the page, decoded: `#/tools/kb_search` has `["kb_search"]`. */
  rest: string[];
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [wanted = HOME, ...rest] = path.split("/").filter(Boolean).map(decoded);
  const entry = MENU.find((each) => each.id === wanted);
  const page = pageOf(wanted as PageId)?.id ?? (entry ? lastOf(entry.id) : null);
  return { page, wanted, rest, query: new URLSearchParams(search) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const LAST = "antiphon.tabs";

function lastTabs(): Partial<Record<MenuId, string>> {
  try {
    return (JSON.parse(localStorage.getItem(LAST) ?? "{}") ?? {}) as Partial<Record<MenuId, string>>;
  } catch {
    return {};
  }
}

/** The page of an entry of the menu that was open last; at first its first one. Null: none of them is open. */
export function lastOf(menu: MenuId): PageId | null {
  const tabs = tabsOf(menu);
  return (tabs.find((page) => page.id === lastTabs()[menu]) ?? tabs[0])?.id ?? null;
}

/** The place that an address names. `#/automations` names the tab of it that was open last, and is replaced by that. */
function arrive(hash: string): Route {
  const found = parseRoute(hash);
  const { page, wanted, rest, query } = found;
  const menu = pageOf(page)?.menu;
  if (!page || !menu) return found;
  if (page !== wanted) history.replaceState(null, "", at(page, rest, Object.fromEntries(query)));
  const last = lastTabs();
  if (tabsOf(menu).length > 1 && last[menu] !== page) {
    try {
      localStorage.setItem(LAST, JSON.stringify({ ...last, [menu]: page }));
    } catch {
      // A private window may refuse: its entry opens at its first tab.
    }
  }
  return { ...found, wanted: page };
}

export const route = signal<Route>(arrive(location.hash));
export const pageTitle = computed(() => pageOf(route.value.page)?.title ?? t("No such page"));

/** The address of a place, for `href`. */
export function at(page: PageId, rest: string[] = [], query: Record<string, string> = {}): string {
  const path = [page, ...rest.map(encodeURIComponent)].join("/");
  const kept = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(kept).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

/** Goes there; `replace` leaves no step behind in the history (for filters as they are typed). */
export function go(address: string, replace = false): void {
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
