import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { n as Icon } from "./icons.js";
import { a as Empty, d as Shown, g as save, i as CopyButton, n as Button, t as Badge } from "./kit.js";
import { t as useTyped } from "./typed.js";
import { r as get } from "./http.js";
import { t as LeftOutFiles } from "./left-out.js";
import { d, l as T, m as $, t as a } from "./vendor-preact.js";
import { t as Markdown } from "./markdown.js";
/* empty css          */
// src/pages/playbooks/api.ts
var listPlaybooks = (query, signal) => get("/api/playbooks", {
	query: { query },
	signal
});
var readPlaybook = (id, signal) => get(`/api/playbooks/${encodeURIComponent(id)}`, { signal });
/** The headings of a Markdown text, without those inside of code. */
function headings(text) {
	const found = [];
	let fence = "";
	for (const line of text.split("\n")) {
		const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1] ?? "";
		if (fence) {
			if (mark.startsWith(fence)) fence = "";
			continue;
		}
		if (mark) {
			fence = mark;
			continue;
		}
		const heading = /^(#{1,4})\s+(.+?)\s*#*$/.exec(line);
		if (heading) found.push({
			depth: heading[1].length,
			title: plain(heading[2])
		});
	}
	return found;
}
/** Without the marks of Markdown. */
function plain(text) {
	return text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[*_`]{1,2}([^*_`]+)[*_`]{1,2}/g, "$1");
}
// src/pages/playbooks/reader.tsx
/** A playbook to read and to follow: its outline, steps to tick off, and the text. */
function Reader({ id, back, tagged }) {
	const found = useLoad((signal) => readPlaybook(id, signal), [id]);
	return /* @__PURE__ */ a("article", {
		class: "card",
		"aria-label": t("Playbook"),
		children: [/* @__PURE__ */ a("p", {
			class: "playbooks-back",
			children: /* @__PURE__ */ a("a", {
				href: back,
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "left",
						size: 16
					}),
					" ",
					t("All playbooks")
				]
			})
		}), /* @__PURE__ */ a(Shown, {
			of: found,
			children: (playbook) => /* @__PURE__ */ a(Read, {
				playbook,
				tagged
			})
		})]
	});
}
function Read({ playbook, tagged }) {
	const body = T(null);
	const show = (at) => {
		const heading = body.current?.querySelectorAll("h1, h2, h3, h4")[at];
		if (!heading) return;
		heading.tabIndex = -1;
		heading.focus({ preventScroll: true });
		heading.scrollIntoView({ block: "start" });
	};
	const sections = headings(playbook.text);
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("header", {
		class: "stack playbooks-head",
		children: [
			/* @__PURE__ */ a("h2", { children: playbook.title }),
			playbook.summary ? /* @__PURE__ */ a("p", {
				class: "muted",
				children: playbook.summary
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					playbook.tags.map((tag) => /* @__PURE__ */ a("a", {
						class: "playbooks-tag",
						href: tagged(tag),
						children: tag
					}, tag)),
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(CopyButton, {
						text: () => location.href,
						label: t("Copy link")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "download",
						onClick: () => save(`${playbook.id}.md`, `# ${playbook.title}\n\n${playbook.text}\n`, "text/markdown"),
						children: t("Download")
					})
				]
			})
		]
	}), /* @__PURE__ */ a("div", {
		class: "playbooks-body",
		children: [/* @__PURE__ */ a("aside", {
			class: "stack playbooks-outline",
			"aria-label": t("Outline"),
			children: [sections.length > 1 ? /* @__PURE__ */ a("nav", {
				"aria-label": t("Sections"),
				children: [/* @__PURE__ */ a("h3", { children: t("Outline") }), /* @__PURE__ */ a("ul", { children: sections.map(({ title, depth }, at) => /* @__PURE__ */ a("li", {
					class: `depth-${depth}`,
					children: /* @__PURE__ */ a("button", {
						type: "button",
						class: "playbooks-link",
						onClick: () => show(at),
						children: title
					})
				}, at)) })]
			}) : null, playbook.outline.length ? /* @__PURE__ */ a(Steps, { playbook }) : null]
		}), /* @__PURE__ */ a("div", {
			ref: body,
			class: "playbooks-text",
			children: /* @__PURE__ */ a(Markdown, { text: playbook.text })
		})]
	})] });
}
/** Ticked off as one goes; kept while this window is open. */
function Steps({ playbook: { id, outline } }) {
	const key = `antiphon.playbook.${id}`;
	const [done, mark] = d(() => stored(key));
	const set = (next) => {
		mark(next);
		try {
			sessionStorage.setItem(key, JSON.stringify(next));
		} catch {}
	};
	return /* @__PURE__ */ a("section", {
		"aria-label": t("Steps"),
		children: [/* @__PURE__ */ a("header", {
			class: "row",
			children: [
				/* @__PURE__ */ a("h3", { children: t("Steps") }),
				/* @__PURE__ */ a(Badge, {
					kind: done.length === outline.length ? "good" : "plain",
					children: t("{done} of {count} done", {
						done: done.length,
						count: outline.length
					})
				}),
				done.length ? /* @__PURE__ */ a(Button, {
					kind: "quiet",
					onClick: () => set([]),
					children: t("Start over")
				}) : null
			]
		}), /* @__PURE__ */ a("ol", {
			class: "playbooks-steps",
			children: outline.map((step, at) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("label", { children: [/* @__PURE__ */ a("input", {
				type: "checkbox",
				checked: done.includes(at),
				onChange: (event) => set(event.currentTarget.checked ? [...done, at] : done.filter((each) => each !== at))
			}), /* @__PURE__ */ a("span", {
				title: plain(step),
				children: plain(step)
			})] }) }, at))
		})]
	});
}
function stored(key) {
	try {
		const found = JSON.parse(sessionStorage.getItem(key) ?? "[]");
		return Array.isArray(found) ? found.filter((each) => typeof each === "number") : [];
	} catch {
		return [];
	}
}
// src/pages/playbooks.tsx
/** Playbooks: proven ways to do something, found by what one wants to get done, read step by step. */
function Playbooks() {
	const { rest: [id = ""], query } = route.value;
	const q = query.get("q") ?? "";
	const tag = query.get("tag") ?? "";
	const there = (change) => at("playbooks", [change.id ?? id].filter(Boolean), {
		q: change.q ?? q,
		tag: change.tag ?? tag
	});
	const [typed, type] = useTyped(q, (text) => go(there({ q: text }), true));
	const found = useLoad((signal) => listPlaybooks(q, signal), [q]);
	return /* @__PURE__ */ a("div", {
		class: `split playbooks ${id ? "reading" : ""}`,
		children: [/* @__PURE__ */ a("div", {
			class: "stack playbooks-side",
			children: [/* @__PURE__ */ a("form", {
				role: "search",
				"data-tour": "playbooks-search",
				onSubmit: (event) => {
					event.preventDefault();
					go(there({ q: typed.trim() }));
				},
				children: /* @__PURE__ */ a("div", {
					class: "playbooks-search",
					children: [/* @__PURE__ */ a(Icon, { name: "search" }), /* @__PURE__ */ a("input", {
						type: "search",
						"aria-label": t("Search playbooks"),
						placeholder: t("What do you want to get done?"),
						value: typed,
						maxLength: 500,
						onInput: (event) => type(event.currentTarget.value)
					})]
				})
			}), /* @__PURE__ */ a("div", {
				class: "stack",
				"data-tour": "playbooks-list",
				"aria-busy": found.loading,
				children: /* @__PURE__ */ a(Shown, {
					of: found,
					children: ({ playbooks, folder, left_out }) => {
						const shown = playbooks.filter((each) => !tag || each.tags.includes(tag));
						return /* @__PURE__ */ a($, { children: [
							/* @__PURE__ */ a(Tags, {
								playbooks,
								tag,
								href: (to) => there({ tag: to })
							}),
							/* @__PURE__ */ a("p", {
								class: "hint",
								role: "status",
								children: q ? plural(shown.length, "{count} match", "{count} best matches") : plural(shown.length, "{count} playbook", "{count} playbooks")
							}),
							shown.length ? /* @__PURE__ */ a("ul", {
								class: "list",
								children: shown.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
									playbook: each,
									chosen: each.id === id,
									href: there({ id: each.id })
								}) }, each.id))
							}) : /* @__PURE__ */ a(Empty, {
								icon: "book",
								title: t("No matching playbooks"),
								children: /* @__PURE__ */ a("p", { children: q ? /* @__PURE__ */ a($, { children: [
									t("Try other words."),
									" ",
									/* @__PURE__ */ a("a", {
										href: at("playbooks"),
										children: t("Show all playbooks")
									})
								] }) : t("Write your own, as described below.") })
							}),
							/* @__PURE__ */ a(LeftOutFiles, {
								files: left_out,
								folder
							}),
							/* @__PURE__ */ a("p", {
								class: "hint",
								children: rich("Add your own: Markdown files with {members} at the top, in {folder}. They are available at once.", {
									members: /* @__PURE__ */ a($, { children: [
										/* @__PURE__ */ a("code", { children: "title" }),
										", ",
										/* @__PURE__ */ a("code", { children: "summary" }),
										", ",
										/* @__PURE__ */ a("code", { children: "tags" })
									] }),
									folder: /* @__PURE__ */ a("code", { children: folder })
								})
							})
						] });
					}
				})
			})]
		}), /* @__PURE__ */ a("div", {
			"data-tour": "playbooks-reader",
			class: "playbooks-reader",
			children: id ? /* @__PURE__ */ a(Reader, {
				id,
				back: at("playbooks", [], {
					q,
					tag
				}),
				tagged: (each) => at("playbooks", [], { tag: each })
			}, id) : /* @__PURE__ */ a("div", {
				class: "card",
				children: /* @__PURE__ */ a(Empty, {
					icon: "book",
					title: t("Choose a playbook"),
					children: /* @__PURE__ */ a("p", { children: t("Or search for what you want to do, or for what went wrong.") })
				})
			})
		})]
	});
}
function Row({ playbook, chosen, href }) {
	return /* @__PURE__ */ a("a", {
		class: "list-item",
		href,
		"aria-current": chosen ? "page" : void 0,
		children: [/* @__PURE__ */ a("span", {
			class: "row",
			children: [
				/* @__PURE__ */ a("strong", { children: playbook.title }),
				/* @__PURE__ */ a("span", { class: "spring" }),
				playbook.score === void 0 ? null : /* @__PURE__ */ a(Badge, {
					kind: playbook.score >= .5 ? "good" : "accent",
					children: [/* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: [t("Score"), " "]
					}), playbook.score.toFixed(2)]
				})
			]
		}), /* @__PURE__ */ a("small", { children: playbook.snippet ?? playbook.summary })]
	});
}
function Tags({ playbooks, tag, href }) {
	const counts = /* @__PURE__ */ new Map();
	for (const each of playbooks) for (const name of each.tags) counts.set(name, (counts.get(name) ?? 0) + 1);
	const tags = [...counts].filter(([name, count]) => count > 1 || name === tag).sort((a, b) => b[1] - a[1]);
	if (!tags.length) return null;
	return /* @__PURE__ */ a("nav", {
		class: "row",
		"aria-label": t("Tags"),
		children: tags.map(([name, count]) => /* @__PURE__ */ a("a", {
			class: "playbooks-tag",
			href: href(name === tag ? "" : name),
			"aria-current": name === tag ? "true" : void 0,
			children: [
				name,
				" ",
				/* @__PURE__ */ a("span", {
					class: "number",
					children: count
				})
			]
		}, name))
	});
}
export { Playbooks as default };
