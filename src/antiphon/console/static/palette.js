import { c as P, d, l as T, m as $, o as A, p as w, s as F, t as a } from "./vendor-preact.js";
import { c as said, r as get } from "./http.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, o as go } from "./router.js";
import { n as blocked } from "./blocked.js";
import { $ as recent, Q as paletteOpen, X as gather, Z as grouped, et as remember, tt as search } from "./start.js";
import { n as ask } from "./talk.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
// src/stores/server-search.ts
/** What the server finds for the palette: records, conversations, automations and more, by their words. */
/** What the server calls each kind of thing; what it may find besides is shown under its own name. */
var KINDS = {
	record: {
		kind: t("Records"),
		icon: "graph"
	},
	conversation: {
		kind: t("Conversations"),
		icon: "chat"
	},
	tool: {
		kind: t("Tools"),
		icon: "tool"
	},
	automation: {
		kind: t("Automations"),
		icon: "flow"
	},
	project: {
		kind: t("Projects"),
		icon: "folder"
	},
	event: {
		kind: t("Events"),
		icon: "calendar"
	},
	setting: {
		kind: t("Settings"),
		icon: "settings"
	}
};
/** As much as the server takes. */
var MOST = 200;
async function searchServer(query, signal) {
	const { groups, problems } = await get("/api/search", {
		query: { q: query.slice(0, MOST) },
		signal
	});
	return {
		found: groups.flatMap((group) => {
			const { kind, icon } = KINDS[group.kind] ?? {
				kind: group.kind,
				icon: "chevron"
			};
			return group.items.map(({ id, title, detail, address }) => ({
				id: `${group.kind}:${id}`,
				kind,
				icon,
				label: title,
				address,
				...detail ? { hint: detail } : {},
				run: () => go(address)
			}));
		}),
		problems
	};
}
// src/overlays/palette.tsx
/** Go anywhere, find anything and do anything by a few letters: a combobox as the ARIA pattern says. */
function Palette() {
	return paletteOpen.value ? /* @__PURE__ */ a(Open, {}) : null;
}
/** So long after the last letter the server is asked. */
var PAUSE_MS = 120;
/** Fewer letters are in everything. */
var LEAST = 2;
var PER_GROUP = 6;
function Open() {
	const element = T(null);
	const list = T(null);
	const [query, type] = d("");
	const { entries, gathering } = useOffers();
	const server = useServer(query);
	const [at, move] = d(0);
	const id = P();
	const groups = w(() => listed(entries, server.found, query), [
		entries,
		server.found,
		query
	]);
	const found = groups.flatMap((group) => group.items);
	const close = () => paletteOpen.value = false;
	F(() => {
		const dialog = element.current;
		const before = document.activeElement;
		dialog.showModal();
		return () => {
			dialog.close();
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	A(() => {
		list.current?.querySelector("[aria-selected=\"true\"]")?.scrollIntoView({ block: "nearest" });
	}, [at, groups]);
	const choose = (one) => {
		if (!one) return;
		remember(one.entry);
		close();
		setTimeout(() => one.entry.run());
	};
	const searching = gathering || server.searching;
	const [waiting, wait] = d(false);
	A(() => {
		if (waiting && !searching) choose(found[at]);
	}, [waiting, searching]);
	const onKeyDown = (event) => {
		const last = found.length - 1;
		const to = {
			ArrowDown: at < last ? at + 1 : 0,
			ArrowUp: at > 0 ? at - 1 : last,
			PageDown: Math.min(last, at + 8),
			PageUp: Math.max(0, at - 8)
		}[event.key];
		if (to !== void 0) {
			event.preventDefault();
			move(Math.max(0, to));
		} else if (event.key === "Enter" && !event.isComposing) {
			event.preventDefault();
			if (searching && at === 0 && (!found[0] || found[0].entry.id === ASK)) wait(true);
			else choose(found[at]);
		}
		event.stopPropagation();
	};
	let index = -1;
	return /* @__PURE__ */ a("dialog", {
		ref: element,
		class: "dialog palette",
		"aria-label": t("Search and commands"),
		onKeyDown,
		onCancel: (event) => {
			event.preventDefault();
			close();
		},
		onClose: () => element.current && close(),
		onClick: (event) => {
			if (event.target === element.current) close();
		},
		children: [
			/* @__PURE__ */ a("div", {
				class: "palette-box",
				children: [/* @__PURE__ */ a(Icon, { name: "search" }), /* @__PURE__ */ a("input", {
					type: "text",
					role: "combobox",
					"aria-label": t("Search or ask"),
					"aria-expanded": "true",
					"aria-autocomplete": "list",
					"aria-controls": `${id}-list`,
					"aria-activedescendant": found[at] ? `${id}-${at}` : void 0,
					placeholder: t("Find a page, a record, a tool … or ask"),
					autocomplete: "off",
					spellcheck: false,
					maxLength: 500,
					value: query,
					onInput: (event) => {
						type(event.currentTarget.value);
						move(0);
						wait(false);
					}
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "palette-list",
				role: "listbox",
				id: `${id}-list`,
				"aria-label": t("Results"),
				ref: list,
				children: groups.map((group) => /* @__PURE__ */ a("div", {
					role: "group",
					"aria-label": group.kind,
					children: [/* @__PURE__ */ a("p", {
						class: "palette-group",
						"aria-hidden": "true",
						children: group.kind
					}), group.items.map((one) => {
						const here = ++index;
						return /* @__PURE__ */ a("div", {
							class: "palette-item",
							id: `${id}-${here}`,
							role: "option",
							"aria-selected": here === at,
							onMouseMove: () => here !== at && move(here),
							onClick: () => choose(one),
							children: [
								/* @__PURE__ */ a(Icon, {
									name: one.entry.icon ?? "chevron",
									size: 16
								}),
								/* @__PURE__ */ a("span", {
									class: "palette-label",
									children: /* @__PURE__ */ a(Marked, {
										text: one.entry.label,
										marks: one.marks
									})
								}),
								one.entry.hint ? /* @__PURE__ */ a("span", {
									class: "palette-hint",
									children: one.entry.hint
								}) : null
							]
						}, one.entry.id);
					})]
				}, group.kind))
			}),
			server.problem ? /* @__PURE__ */ a("p", {
				class: "palette-problem",
				role: "alert",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "warn",
						size: 16
					}),
					" ",
					server.problem
				]
			}) : null,
			/* @__PURE__ */ a("p", {
				class: "palette-foot hint",
				"aria-live": "polite",
				children: [
					searching ? t("Searching…") : plural(found.length, "{count} result", "{count} results"),
					" ",
					/* @__PURE__ */ a("span", {
						"aria-hidden": "true",
						children: rich("{key} {key2} to select, {key3} to open, {key4} to close", {
							key: /* @__PURE__ */ a("kbd", { children: "↑" }),
							key2: /* @__PURE__ */ a("kbd", { children: "↓" }),
							key3: /* @__PURE__ */ a("kbd", { children: "Enter" }),
							key4: /* @__PURE__ */ a("kbd", { children: "Esc" })
						})
					})
				]
			})
		]
	});
}
var ASK = "ask";
function listed(entries, server, query) {
	const question = query.trim();
	const plain = (all) => all.map((entry) => ({
		entry,
		score: 0,
		marks: []
	}));
	if (!question) return grouped([...plain(recent(entries)), ...plain(entries.filter((entry) => entry.first))], Infinity);
	const here = search(entries, question);
	const known = new Set(here.map(({ entry }) => entry.address));
	const groups = grouped([...here, ...plain(server.filter((entry) => !known.has(entry.address)))], PER_GROUP);
	if (!blocked.value) {
		const label = t("Ask: {question}", { question });
		const run = () => {
			go(at("chat"));
			ask(question).catch((error) => toast(said(error), { kind: "bad" }));
		};
		groups.push({
			kind: t("Ask"),
			items: plain([{
				id: ASK,
				kind: t("Ask"),
				label,
				icon: "chat",
				run
			}])
		});
	}
	return groups;
}
/** What the console itself offers, as the parts of it come. */
function useOffers() {
	const [entries, add] = d([]);
	const [gathering, gathered] = d(true);
	F(() => {
		let open = true;
		gather((more) => open && add((those) => [...those, ...more])).then(() => open && gathered(false));
		return () => {
			open = false;
		};
	}, []);
	return {
		entries,
		gathering
	};
}
/** What the server finds; an answer to what is not asked any more is dropped. */
function useServer(query) {
	const asked = query.trim();
	const [state, set] = d({
		found: [],
		problem: null,
		asked: ""
	});
	A(() => {
		if (asked.length < LEAST) return set({
			found: [],
			problem: null,
			asked
		});
		const leave = new AbortController();
		const timer = setTimeout(() => {
			searchServer(asked, leave.signal).then(({ found, problems }) => !leave.signal.aborted && set({
				found,
				problem: problems.join(" ") || null,
				asked
			}), (error) => !leave.signal.aborted && set({
				found: [],
				problem: t("Only pages, tools and actions were searched. {problem}", { problem: said(error) }),
				asked
			}));
		}, PAUSE_MS);
		return () => {
			clearTimeout(timer);
			leave.abort();
		};
	}, [asked]);
	return {
		...state,
		searching: asked.length >= LEAST && state.asked !== asked
	};
}
function Marked({ text, marks }) {
	if (!marks.length) return /* @__PURE__ */ a($, { children: text });
	return /* @__PURE__ */ a($, { children: [...text].map((letter, index) => marks.includes(index) ? /* @__PURE__ */ a("mark", { children: letter }, index) : letter) });
}
export { Palette };
