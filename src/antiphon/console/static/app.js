const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["vox.js","vendor-preact.js","chat.js","tools.js","kg-studio.js","projects.js","playbooks.js","workflows.js","agents.js","experts.js","macros.js","calendar.js","sessions.js","audit.js","metrics.js","settings.js"])))=>i.map(i=>d[i]);
import { a as A, i as y, n as O, o as d, r as x, s as Q, t as a } from "./vendor-preact.js";
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
function parseRoute(hash) {
	const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
	const [first = "", ...rest] = path.split("/").filter(Boolean).map(decoded);
	const page = PAGES.find((page) => page.id === first)?.id ?? "vox";
	return {
		page,
		rest: page === first ? rest : [],
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
var pageTitle = O(() => PAGES.find((page) => page.id === route.value.page)?.title ?? "Talk");
/** The address of a place, for `href`. */
function at(page, rest = [], query = {}) {
	const path = [page, ...rest.map(encodeURIComponent)].join("/");
	const kept = Object.entries(query).filter(([, value]) => value !== "");
	const search = new URLSearchParams(kept).toString();
	return `#/${path}${search ? `?${search}` : ""}`;
}
addEventListener("popstate", () => {
	route.value = parseRoute(location.hash);
});
addEventListener("hashchange", () => {
	route.value = parseRoute(location.hash);
});
// src/stores/prefs.ts
/** What the person chose, kept in this browser. */
var KEY = "antiphon.prefs";
var DEFAULTS = {
	theme: "system",
	backend: "",
	model: "",
	voice: "",
	handsFree: true,
	captions: true,
	microphone: "",
	speaker: "",
	navOpen: true
};
function stored() {
	try {
		const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		return {
			...DEFAULTS,
			...found
		};
	} catch {
		return DEFAULTS;
	}
}
var prefs = y(stored());
function prefer(change) {
	prefs.value = {
		...prefs.value,
		...change
	};
}
x(() => {
	document.documentElement.dataset["theme"] = prefs.value.theme;
	try {
		localStorage.setItem(KEY, JSON.stringify(prefs.value));
	} catch {}
});
// src/ui/icons.tsx
/** Strokes on a 24 by 24 grid. */
var PATHS = {
	mic: "M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11v1a7 7 0 0 0 14 0v-1M12 19v3",
	"mic-off": "M3 3l18 18M9 9v3a3 3 0 0 0 5 2.2M15 11V6a3 3 0 0 0-5.8-1M5 11v1a7 7 0 0 0 11.3 5.5M19 11v1a7 7 0 0 1-.6 2.8M12 19v3",
	chat: "M4 5h16v11H9l-5 4z",
	tool: "M14.5 6.5a4 4 0 0 1 5-3.9l-2.6 2.6 1.9 1.9 2.6-2.6a4 4 0 0 1-5.3 4.7L7 18.3a2 2 0 1 1-2.8-2.8l9.1-9.1",
	graph: "M6 6.5a2 2 0 1 0 0-.01M18 8.5a2 2 0 1 0 0-.01M9 18.5a2 2 0 1 0 0-.01M8 7l8 1M6.8 8.5l1.7 8M16.5 10l-6 7",
	expert: "M12 4 2 9l10 5 10-5zM6 11.5V16c3 3 9 3 12 0v-4.5M22 9v6",
	book: "M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM5 16a4 4 0 0 1 4-4h9",
	folder: "M3 6h6l2 2h10v11H3z",
	flow: "M4 4h6v5H4zM14 15h6v5h-6zM7 9v4a4 4 0 0 0 4 4h3",
	agent: "M5 9h14v10H5zM12 9V5M12 5a1.2 1.2 0 1 0 0-.01M9 13v2M15 13v2M2 13v3M22 13v3",
	macro: "M5 4v16l7-8zM13 4v16l7-8z",
	calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
	sessions: "M4 6h10M4 12h16M4 18h7M18 6h2M15 18h5",
	audit: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
	metrics: "M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-3M20 16V6",
	settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 2v4M12 18v4M2 12h4M18 12h4M4.9 4.9l2.8 2.8M16.3 16.3l2.8 2.8M4.9 19.1l2.8-2.8M16.3 7.7l2.8-2.8",
	search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
	close: "M5 5l14 14M19 5 5 19",
	check: "M4 12l5 6L20 6",
	warn: "M12 3 2 20h20zM12 10v5M12 17.5v.5",
	info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v6M12 7.5v.5",
	play: "M7 4v16l13-8z",
	stop: "M6 6h12v12H6z",
	pause: "M7 5v14M17 5v14",
	plus: "M12 4v16M4 12h16",
	trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
	edit: "M4 20h4L20 8l-4-4L4 16z",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	download: "M12 4v11M7 11l5 5 5-5M4 20h16",
	upload: "M12 20V9M7 13l5-5 5 5M4 4h16",
	send: "M4 12 20 4l-5 16-3-7z",
	menu: "M4 6h16M4 12h16M4 18h16",
	chevron: "M9 5l7 7-7 7",
	refresh: "M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 0 0-13-3M5 14a7.5 7.5 0 0 0 13 3",
	volume: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
	clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3",
	compass: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M15.5 8.5l-2 5-5 2 2-5z",
	sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5",
	shield: "M12 3 4 6v6c0 5 3.5 8 8 9 4.5-1 8-4 8-9V6z",
	key: "M8 11a4 4 0 1 0 0 .01M12 11h9M18 11v4M21 11v3"
};
/** Decoration only: whatever it stands for is said in words beside it or in `aria-label`. */
function Icon({ name, size = 18 }) {
	return /* @__PURE__ */ a("svg", {
		class: "icon",
		width: size,
		height: size,
		viewBox: "0 0 24 24",
		"aria-hidden": "true",
		fill: "none",
		stroke: "currentColor",
		"stroke-width": "1.8",
		"stroke-linecap": "round",
		"stroke-linejoin": "round",
		children: /* @__PURE__ */ a("path", { d: PATHS[name] ?? PATHS["info"] })
	});
}
// src/stores/toasts.ts
/** Short messages in the corner. They are read out, and those that matter stay until closed. */
var toasts = y([]);
function dismiss(id) {
	toasts.value = toasts.value.filter((each) => each.id !== id);
}
// src/ui/kit.tsx
function Button({ kind = "plain", icon, busy, class: more, children, ...rest }) {
	return /* @__PURE__ */ a("button", {
		type: "button",
		...rest,
		class: `button ${kind} ${more ?? ""}`,
		disabled: rest.disabled || busy,
		"aria-busy": busy || void 0,
		children: [busy ? /* @__PURE__ */ a(Spinner, {}) : icon ? /* @__PURE__ */ a(Icon, {
			name: icon,
			size: 16
		}) : null, children]
	});
}
/** A button with a picture only; `label` is what it is called. */
function IconButton({ label, icon, class: more, ...rest }) {
	return /* @__PURE__ */ a("button", {
		type: "button",
		...rest,
		class: `icon-button ${more ?? ""}`,
		"aria-label": label,
		title: label,
		children: /* @__PURE__ */ a(Icon, { name: icon })
	});
}
/** Nothing is here yet: says why, and what to do. */
function Empty({ icon = "info", title, children }) {
	return /* @__PURE__ */ a("div", {
		class: "empty",
		children: [
			/* @__PURE__ */ a(Icon, {
				name: icon,
				size: 28
			}),
			/* @__PURE__ */ a("p", {
				class: "empty-title",
				children: title
			}),
			children ? /* @__PURE__ */ a("div", {
				class: "hint",
				children
			}) : null
		]
	});
}
/** Something went wrong: what, and a way on. */
function Problem({ error, retry }) {
	const text = error instanceof Error ? error.message : String(error);
	return /* @__PURE__ */ a("div", {
		class: "problem",
		role: "alert",
		children: [
			/* @__PURE__ */ a(Icon, { name: "warn" }),
			/* @__PURE__ */ a("p", { children: text }),
			retry ? /* @__PURE__ */ a(Button, {
				onClick: retry,
				icon: "refresh",
				children: "Try again"
			}) : null
		]
	});
}
function Spinner({ label }) {
	return /* @__PURE__ */ a("span", {
		class: "spinner",
		role: label ? "status" : void 0,
		"aria-label": label
	});
}
// src/overlays.tsx
/** What lies over every page: dialogs that ask, toasts, the palette, shortcuts and tours. */
function openPalette() {}
function Overlays() {
	return /* @__PURE__ */ a(Toasts, {});
}
function Toasts() {
	return /* @__PURE__ */ a("div", {
		class: "toasts",
		role: "region",
		"aria-label": "Notices",
		"aria-live": "polite",
		children: toasts.value.map((each) => /* @__PURE__ */ a("div", {
			class: `toast ${each.kind}`,
			role: each.kind === "bad" ? "alert" : void 0,
			children: [
				/* @__PURE__ */ a(Icon, { name: {
					info: "info",
					good: "check",
					bad: "warn"
				}[each.kind] }),
				/* @__PURE__ */ a("div", {
					class: "toast-text",
					children: [each.href ? /* @__PURE__ */ a("a", {
						href: each.href,
						children: each.text
					}) : each.text, each.progress !== void 0 ? /* @__PURE__ */ a("progress", {
						value: each.progress,
						max: 1,
						"aria-label": "Progress"
					}) : null]
				}),
				/* @__PURE__ */ a(IconButton, {
					label: "Dismiss",
					icon: "close",
					onClick: () => dismiss(each.id)
				})
			]
		}, each.id))
	});
}
// src/status.tsx
/** In the corner of every page: who answers, and whether a conversation is open. */
function Status() {
	return null;
}
// \0vite/preload-helper.js
var scriptRel = /* @__PURE__ */ (function detectScriptRel() {
	const relList = typeof document !== "undefined" && document.createElement("link").relList;
	return relList && relList.supports && relList.supports("modulepreload") ? "modulepreload" : "preload";
})();
var assetsURL = function(dep) {
	return "/console/" + dep;
};
var seen = {};
var isCssPreloadUrl = function isCssPreloadUrl(url) {
	return url.pathname.endsWith(".css");
};
var preloadOnce = function preloadOnce(seen, href, preload) {
	if (href in seen) return seen[href];
	const promise = preload();
	if (!promise) {
		seen[href] = void 0;
		return;
	}
	const preloadPromise = promise.then(() => {
		seen[href] = void 0;
	}, (err) => {
		seen[href] = void 0;
		throw err;
	});
	seen[href] = preloadPromise;
	return preloadPromise;
};
var __vitePreload = function preload(baseModule, deps, importerUrl) {
	let promise = Promise.resolve();
	if (deps && deps.length > 0) {
		let preloadedHrefs;
		const cspNonceMeta = document.querySelector("meta[property=csp-nonce]");
		const cspNonce = cspNonceMeta?.nonce || cspNonceMeta?.getAttribute("nonce");
		function allSettled(promises) {
			return Promise.all(promises.map((p) => Promise.resolve(p).then((value) => ({
				status: "fulfilled",
				value
			}), (reason) => ({
				status: "rejected",
				reason
			}))));
		}
		function importMetaResolve(specifier) {
			if (import.meta.resolve) return new URL(import.meta.resolve(specifier));
			return new URL(
				specifier,
				/** #__KEEP__ */
				import.meta.url
			);
		}
		promise = allSettled(deps.map((depString) => {
			depString = assetsURL(depString, importerUrl);
			const dep = importMetaResolve(depString);
			const isCss = isCssPreloadUrl(dep);
			return preloadOnce(seen, dep.href, () => {
				if (preloadedHrefs === void 0) {
					preloadedHrefs = {
						all: /* @__PURE__ */ new Set(),
						styles: /* @__PURE__ */ new Set()
					};
					const links = document.getElementsByTagName("link");
					for (let i = links.length - 1; i >= 0; i--) {
						const link = links[i];
						preloadedHrefs.all.add(link.href);
						if (link.rel === "stylesheet") preloadedHrefs.styles.add(link.href);
					}
				}
				if ((isCss ? preloadedHrefs.styles : preloadedHrefs.all).has(dep.href)) return;
				const link = document.createElement("link");
				link.rel = isCss ? "stylesheet" : scriptRel;
				if (!isCss) link.as = "script";
				link.crossOrigin = "";
				link.href = dep.href;
				if (cspNonce) link.setAttribute("nonce", cspNonce);
				document.head.appendChild(link);
				if (isCss) return new Promise((res, rej) => {
					const handleSettle = (e) => {
						link.removeEventListener("load", handleSettle);
						link.removeEventListener("error", handleSettle);
						if (e.type === "error") rej(/* @__PURE__ */ new Error(`Unable to preload CSS for ${dep}`));
						else res(e);
					};
					link.addEventListener("load", handleSettle);
					link.addEventListener("error", handleSettle);
				});
			});
		}).filter((p) => p !== void 0));
	}
	function handlePreloadError(err) {
		const e = new Event("vite:preloadError", { cancelable: true });
		e.payload = err;
		window.dispatchEvent(e);
		if (!e.defaultPrevented) throw err;
	}
	return promise.then((res) => {
		for (const item of res || []) {
			if (item.status !== "rejected") continue;
			handlePreloadError(item.reason);
		}
		return baseModule().catch(handlePreloadError);
	});
};
// src/app.tsx
/** Each page comes when it is first opened. */
var LOADERS = {
	vox: () => __vitePreload(() => import("./vox.js"), __vite__mapDeps([0,1])),
	chat: () => __vitePreload(() => import("./chat.js"), __vite__mapDeps([2,1])),
	tools: () => __vitePreload(() => import("./tools.js"), __vite__mapDeps([3,1])),
	"kg-studio": () => __vitePreload(() => import("./kg-studio.js"), __vite__mapDeps([4,1])),
	projects: () => __vitePreload(() => import("./projects.js"), __vite__mapDeps([5,1])),
	playbooks: () => __vitePreload(() => import("./playbooks.js"), __vite__mapDeps([6,1])),
	workflows: () => __vitePreload(() => import("./workflows.js"), __vite__mapDeps([7,1])),
	agents: () => __vitePreload(() => import("./agents.js"), __vite__mapDeps([8,1])),
	experts: () => __vitePreload(() => import("./experts.js"), __vite__mapDeps([9,1])),
	macros: () => __vitePreload(() => import("./macros.js"), __vite__mapDeps([10,1])),
	calendar: () => __vitePreload(() => import("./calendar.js"), __vite__mapDeps([11,1])),
	sessions: () => __vitePreload(() => import("./sessions.js"), __vite__mapDeps([12,1])),
	audit: () => __vitePreload(() => import("./audit.js"), __vite__mapDeps([13,1])),
	metrics: () => __vitePreload(() => import("./metrics.js"), __vite__mapDeps([14,1])),
	settings: () => __vitePreload(() => import("./settings.js"), __vite__mapDeps([15,1]))
};
function App() {
	return /* @__PURE__ */ a("div", {
		class: `shell ${prefs.value.navOpen ? "" : "nav-closed"}`,
		children: [
			/* @__PURE__ */ a("a", {
				class: "skip",
				href: "#main",
				onClick: (event) => {
					event.preventDefault();
					document.getElementById("main")?.focus();
				},
				children: "Skip to the page"
			}),
			/* @__PURE__ */ a(Navigation, {}),
			/* @__PURE__ */ a("header", {
				class: "top",
				children: [
					/* @__PURE__ */ a(IconButton, {
						class: "nav-toggle",
						label: prefs.value.navOpen ? "Hide the menu" : "Show the menu",
						icon: "menu",
						"aria-expanded": prefs.value.navOpen,
						onClick: () => prefer({ navOpen: !prefs.value.navOpen })
					}),
					/* @__PURE__ */ a("h1", { children: pageTitle }),
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Status, {}),
					/* @__PURE__ */ a("button", {
						type: "button",
						class: "palette-button",
						onClick: openPalette,
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "search",
								size: 16
							}),
							/* @__PURE__ */ a("span", { children: "Go to…" }),
							/* @__PURE__ */ a("kbd", { children: "Ctrl K" })
						]
					})
				]
			}),
			/* @__PURE__ */ a("main", {
				id: "main",
				tabIndex: -1,
				children: /* @__PURE__ */ a(Page, { id: route.value.page })
			}),
			/* @__PURE__ */ a(Overlays, {})
		]
	});
}
function Navigation() {
	const here = route.value.page;
	const groups = [...new Set(PAGES.map((page) => page.group))];
	return /* @__PURE__ */ a("nav", {
		class: "nav",
		"aria-label": "Pages",
		children: [/* @__PURE__ */ a("a", {
			class: "brand",
			href: at("vox"),
			children: [/* @__PURE__ */ a("img", {
				src: "/console/icon.svg",
				alt: "",
				width: "28",
				height: "28"
			}), /* @__PURE__ */ a("span", { children: "Antiphon" })]
		}), groups.map((group) => /* @__PURE__ */ a("div", {
			class: "nav-group",
			role: "group",
			"aria-label": group,
			children: [/* @__PURE__ */ a("p", {
				class: "nav-title",
				"aria-hidden": "true",
				children: group
			}), PAGES.filter((page) => page.group === group).map((page) => /* @__PURE__ */ a("a", {
				href: at(page.id),
				"aria-current": page.id === here ? "page" : void 0,
				children: [/* @__PURE__ */ a(Icon, { name: page.icon }), /* @__PURE__ */ a("span", { children: page.title })]
			}, page.id))]
		}, group))]
	});
}
var loaded = /* @__PURE__ */ new Map();
function Page({ id }) {
	const [, shown] = d(null);
	const [problem, fail] = d(null);
	const load = () => {
		fail(null);
		LOADERS[id]().then((module) => {
			loaded.set(id, module.default);
			shown(id);
		}, () => fail(/* @__PURE__ */ new Error("This part of the console could not be loaded. Is the server still running?")));
	};
	A(() => {
		document.title = `${PAGES.find((page) => page.id === id).title} · Antiphon`;
		if (!loaded.has(id)) load();
	}, [id]);
	const Content = loaded.get(id);
	if (Content) return /* @__PURE__ */ a("div", {
		class: `page page-${id}`,
		children: /* @__PURE__ */ a(Content, {})
	}, id);
	if (problem) return /* @__PURE__ */ a(Problem, {
		error: problem,
		retry: load
	});
	return /* @__PURE__ */ a("div", {
		class: "loading",
		children: /* @__PURE__ */ a(Spinner, { label: "Loading the page" })
	});
}
// src/main.tsx
Q(/* @__PURE__ */ a(App, {}), document.getElementById("app"));
export { Empty as t };
