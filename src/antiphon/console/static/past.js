import { c as P, d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { c as said } from "./http.js";
import { r as useLoad } from "./load.js";
import { l as t, s as plural } from "./app.js";
import { a as at } from "./router.js";
import { r as toast } from "./toasts.js";
import { N as renew, S as answering, T as conversationId, U as Dialog, d as live, o as Flyout } from "./start.js";
import { n as Icon } from "./icons.js";
import { n as Button, o as Field, u as Problem } from "./kit.js";
import { t as ago } from "./time.js";
import { a as listed, c as share, n as change, r as exported, s as remove, u as unshare } from "./api.js";
import { n as changes } from "./page.js";
// src/pages/conversation/past.tsx
/** The conversations: found, named, put into folders, shared, taken along, deleted. */
var STEP = 40;
var TYPES_MS = 200;
function Past({ onChosen }) {
	const [query, type] = d("");
	const [sought, seek] = d("");
	const [folder, enter] = d(null);
	const [limit, more] = d(STEP);
	const [asked, ask] = d(null);
	A(() => {
		const timer = setTimeout(() => seek(query.trim()), query ? TYPES_MS : 0);
		return () => clearTimeout(timer);
	}, [query]);
	const found = useLoad((signal) => listed({
		query: sought,
		folder: folder ?? void 0,
		limit
	}, signal), [
		sought,
		folder,
		limit,
		conversationId.value,
		answering.value,
		live.value,
		changes.value
	]);
	const id = P();
	const those = found.data?.conversations ?? [];
	const folders = found.data?.folders ?? [];
	return /* @__PURE__ */ a("nav", {
		class: "past",
		"aria-label": t("Conversations"),
		"data-tour": "chat-past",
		children: [
			/* @__PURE__ */ a("div", {
				class: "past-head",
				children: [
					/* @__PURE__ */ a(Button, {
						icon: "plus",
						onClick: () => {
							renew();
							onChosen?.();
						},
						children: t("New conversation")
					}),
					/* @__PURE__ */ a("label", {
						class: "hidden-visually",
						for: id,
						children: t("Search conversations")
					}),
					/* @__PURE__ */ a("input", {
						id,
						type: "search",
						placeholder: t("Search"),
						value: query,
						maxLength: 200,
						onInput: (event) => type(event.currentTarget.value)
					}),
					folders.length ? /* @__PURE__ */ a("select", {
						"aria-label": t("Folder"),
						value: folder ?? "",
						onChange: (event) => enter(event.currentTarget.value || null),
						children: [/* @__PURE__ */ a("option", {
							value: "",
							children: t("All folders")
						}), folders.map(({ name, count }) => /* @__PURE__ */ a("option", {
							value: name,
							children: [
								name,
								" (",
								count,
								")"
							]
						}, name))]
					}) : null
				]
			}),
			found.error && !found.data ? /* @__PURE__ */ a(Problem, {
				error: found.error,
				retry: found.reload
			}) : null,
			found.data && !those.length ? /* @__PURE__ */ a("p", {
				class: "hint past-none",
				children: sought ? t("No matching conversations.") : t("Your conversations will be listed here.")
			}) : null,
			/* @__PURE__ */ a("ul", {
				class: "past-list",
				children: those.map((one) => /* @__PURE__ */ a("li", {
					class: one.id === conversationId.value ? "here" : "",
					children: [/* @__PURE__ */ a("a", {
						href: at("chat", [one.id]),
						"aria-current": one.id === conversationId.value ? "page" : void 0,
						title: one.title,
						onClick: onChosen,
						children: [/* @__PURE__ */ a("span", {
							class: "past-title",
							children: one.title
						}), /* @__PURE__ */ a("small", { children: [one.spoken ? /* @__PURE__ */ a(Icon, {
							name: "mic",
							size: 11
						}) : null, sought && one.preview ? one.preview : [
							ago(one.updated_at),
							one.folder,
							one.shared ? t("shared") : ""
						].filter(Boolean).join(" · ")] })]
					}), /* @__PURE__ */ a(Flyout, {
						label: t("Actions for “{title}”", { title: one.title }),
						class: "menu down",
						side: "end",
						button: "⋯",
						children: (close) => /* @__PURE__ */ a(Menu, {
							one,
							onAsk: (what) => {
								close();
								ask({
									what,
									of: one
								});
							}
						})
					})]
				}, one.id))
			}),
			found.data?.next ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				onClick: () => more(limit + STEP),
				children: t("Show more")
			}) : null,
			asked ? /* @__PURE__ */ a(Question, {
				asked,
				folders: folders.map(({ name }) => name),
				onClose: () => ask(null),
				onDone: () => {
					ask(null);
					changes.value++;
				}
			}) : null
		]
	});
}
function Menu({ one, onAsk }) {
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "edit",
			onClick: () => onAsk("rename"),
			children: t("Rename")
		}),
		/* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "folder",
			onClick: () => onAsk("move"),
			children: t("Move to folder")
		}),
		/* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "share",
			onClick: () => onAsk("share"),
			children: t("Share")
		}),
		/* @__PURE__ */ a("a", {
			class: "button quiet",
			href: address(exported(one.id, "md")),
			download: true,
			children: [/* @__PURE__ */ a(Icon, {
				name: "download",
				size: 16
			}), t("Export as Markdown")]
		}),
		/* @__PURE__ */ a("a", {
			class: "button quiet",
			href: address(exported(one.id, "json")),
			download: true,
			children: [/* @__PURE__ */ a(Icon, {
				name: "download",
				size: 16
			}), t("Export as JSON")]
		}),
		/* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "trash",
			onClick: () => onAsk("delete"),
			children: t("Delete")
		})
	] });
}
function Question({ asked: { what, of }, folders, onClose, onDone }) {
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const tried = async (deed) => {
		work(true);
		fail(null);
		try {
			await deed();
			onDone();
		} catch (error) {
			fail(said(error));
			work(false);
		}
	};
	const props = {
		of,
		busy,
		problem,
		tried,
		onClose
	};
	if (what === "rename") return /* @__PURE__ */ a(Name, {
		...props,
		title: t("Rename conversation"),
		label: t("Title"),
		value: of.title,
		onSave: (title) => change(of, { title })
	});
	if (what === "move") return /* @__PURE__ */ a(Name, {
		...props,
		title: t("Move to a folder"),
		label: t("Folder"),
		value: of.folder,
		choices: folders,
		empty: true,
		onSave: (folder) => change(of, { folder })
	});
	if (what === "share") return /* @__PURE__ */ a(Share, { ...props });
	return /* @__PURE__ */ a(Dialog, {
		title: t("Delete “{title}”?", { title: of.title }),
		onClose,
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("p", { children: plural(of.turns, "What was said is deleted: {count} message. The audit of its calls stays. This cannot be undone.", "What was said is deleted: {count} messages. The audit of its calls stays. This cannot be undone.") }),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						autofocus: true,
						onClick: onClose,
						children: t("Cancel")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "danger",
						icon: "trash",
						busy,
						onClick: () => void tried(async () => {
							await remove(of.id);
							if (of.id === conversationId.peek()) renew();
						}),
						children: t("Delete")
					})
				]
			})
		]
	});
}
function Name({ title, label, value, choices, empty = false, onSave, busy, problem, tried, onClose }) {
	const [typed, type] = d(value);
	const box = T(null);
	const list = P();
	A(() => box.current.select(), []);
	return /* @__PURE__ */ a(Dialog, {
		title,
		onClose,
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				tried(() => onSave(typed.trim()));
			},
			children: [
				problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
				/* @__PURE__ */ a(Field, {
					label,
					hint: empty ? t("Enter a new name, or leave it empty for no folder.") : null,
					children: (attributes) => /* @__PURE__ */ a("input", {
						...attributes,
						ref: box,
						autofocus: true,
						value: typed,
						maxLength: 200,
						list: choices?.length ? list : void 0,
						autocomplete: "off",
						onInput: (event) => type(event.currentTarget.value)
					})
				}),
				choices?.length ? /* @__PURE__ */ a("datalist", {
					id: list,
					children: choices.map((each) => /* @__PURE__ */ a("option", { value: each }, each))
				}) : null,
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: onClose,
							children: t("Cancel")
						}),
						/* @__PURE__ */ a(Button, {
							kind: "primary",
							type: "submit",
							busy,
							disabled: !empty && !typed.trim(),
							children: t("Save")
						})
					]
				})
			]
		})
	});
}
function Share({ of, busy, problem, tried, onClose }) {
	const [link, set] = d("");
	const copy = async () => {
		const { token } = await share(of.id);
		const made = `${location.origin}${location.pathname}#/shared/${token}`;
		set(made);
		await navigator.clipboard.writeText(made).then(() => toast(t("Link copied."), { kind: "good" }), () => {});
	};
	return /* @__PURE__ */ a(Dialog, {
		title: t("Share “{title}”", { title: of.title }),
		onClose,
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("p", { children: t("Anyone with the link can read the conversation as it continues. Arguments and results of tools are not shown.") }),
			link ? /* @__PURE__ */ a(Field, {
				label: t("Link"),
				children: (attributes) => /* @__PURE__ */ a("input", {
					...attributes,
					readOnly: true,
					value: link,
					onFocus: (event) => event.currentTarget.select()
				})
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					of.shared || link ? /* @__PURE__ */ a(Button, {
						kind: "danger",
						busy,
						onClick: () => void tried(() => unshare(of.id)),
						children: t("Stop sharing")
					}) : null,
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						onClick: onClose,
						children: t("Close")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						icon: "copy",
						onClick: () => copy().then(() => {
							changes.value++;
						}, (error) => toast(said(error), { kind: "bad" })),
						children: t("Copy link")
					})
				]
			})
		]
	});
}
export { Past };
