import { c as F, f as d, h as $, l as P, s as A, t as a, u as T } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { n as Button, s as IconButton, v as Icon } from "./kit.js";
import { n as Popover, t as PopMenu } from "./rows.js";
// src/ui/drawer.tsx
var NARROW = "(max-width: 900px)";
/** Where the arrow keys mean something else. */
var OWN_ARROWS = "input, textarea, select, audio, pre[tabindex], .table-box[tabindex], [contenteditable], [role='tab'], [role='slider'], [role^='menu'], [role='option']";
/**
* Put it as the second child into `<div class="with-drawer">`, after the list. Escape closes it, the up and
* down keys step to the neighbours. Keep it mounted while one steps: the focus stays where it is.
*/
function Drawer(props) {
	const narrow = useNarrow();
	const keys = T(props);
	keys.current = props;
	A(() => {
		const hear = (event) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
			if (document.querySelector(":popover-open, dialog:modal:not(.drawer), [role=dialog][aria-modal=true]")) return;
			const { onClose, onPrev, onNext } = keys.current;
			if (event.key === "Escape") {
				event.preventDefault();
				onClose();
				return;
			}
			const step = {
				ArrowUp: onPrev,
				ArrowDown: onNext
			}[event.key];
			if (!step || event.target instanceof Element && event.target.closest(OWN_ARROWS)) return;
			event.preventDefault();
			step();
		};
		document.addEventListener("keydown", hear, true);
		return () => document.removeEventListener("keydown", hear, true);
	}, []);
	return narrow ? /* @__PURE__ */ a(Sheet, { ...props }) : /* @__PURE__ */ a(Beside, { ...props });
}
function Beside({ title, class: more, ...rest }) {
	const element = T(null);
	const heading = P();
	useFocus(element);
	return /* @__PURE__ */ a("aside", {
		ref: element,
		class: `drawer ${more ?? ""}`,
		"aria-labelledby": heading,
		children: /* @__PURE__ */ a(Inside, {
			title,
			heading,
			...rest
		})
	});
}
function Sheet({ title, class: more, onClose, ...rest }) {
	const element = T(null);
	const heading = P();
	F(() => {
		const dialog = element.current;
		if (!dialog.open) dialog.showModal();
		return () => dialog.close();
	}, []);
	useFocus(element);
	return /* @__PURE__ */ a("dialog", {
		ref: element,
		class: `drawer ${more ?? ""}`,
		"aria-labelledby": heading,
		onCancel: (event) => {
			event.preventDefault();
			onClose();
		},
		onClick: (event) => {
			if (event.target === element.current) onClose();
		},
		children: /* @__PURE__ */ a(Inside, {
			title,
			heading,
			onClose,
			...rest
		})
	});
}
function Inside({ title, heading, onClose, onPrev, onNext, actions, children }) {
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("header", {
		class: "drawer-head",
		children: [
			/* @__PURE__ */ a("h2", {
				id: heading,
				tabIndex: -1,
				"aria-live": "polite",
				children: title
			}),
			actions,
			onPrev !== void 0 || onNext !== void 0 ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(IconButton, {
				label: t("Previous"),
				icon: "up",
				disabled: !onPrev,
				onClick: () => onPrev?.()
			}), /* @__PURE__ */ a(IconButton, {
				label: t("Next"),
				icon: "down",
				disabled: !onNext,
				onClick: () => onNext?.()
			})] }) : null,
			/* @__PURE__ */ a(IconButton, {
				label: t("Close"),
				icon: "close",
				onClick: onClose
			})
		]
	}), /* @__PURE__ */ a("div", {
		class: "drawer-body",
		children
	})] });
}
/** Its heading gets the focus when somebody opens it, and whoever had it before gets it back. */
function useFocus(element) {
	F(() => {
		const before = document.activeElement;
		if (before instanceof HTMLElement && before !== document.body && !before.matches("main, h1")) element.current.querySelector("h2").focus({ preventScroll: true });
		return () => {
			if ((!document.activeElement || document.activeElement === document.body || element.current?.contains(document.activeElement)) && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
		};
	}, []);
}
function useNarrow() {
	const [narrow, set] = d(() => matchMedia(NARROW).matches);
	A(() => {
		const query = matchMedia(NARROW);
		const hear = () => set(query.matches);
		query.addEventListener("change", hear);
		return () => query.removeEventListener("change", hear);
	}, []);
	return narrow;
}
// src/ui/filter-chips.tsx
/** The values of some filters, as the address has them. */
function filtersInAddress(names) {
	return Object.fromEntries(names.map((name) => [name, route.value.query.get(name) ?? ""]));
}
/** Writes filters, or whatever else a page keeps there, into the address. An empty value leaves it. */
function putIntoAddress(change) {
	const { page, rest, query } = route.value;
	if (page) go(at(page, rest, {
		...Object.fromEntries(query),
		...change
	}), true);
}
/** `ready` are sets of filters that people look for most; `children` stand at the end of the row. */
function FilterChips({ label, filters, values, onChange, ready = [], children, tour }) {
	const set = filters.filter((filter) => values[filter.id]);
	const none = Object.fromEntries(filters.map((filter) => [filter.id, ""]));
	const adding = T(null);
	const change = (id, value) => {
		onChange({
			...values,
			[id]: value
		});
		if (!value) adding.current?.focus();
	};
	return /* @__PURE__ */ a("div", {
		class: "chips",
		role: "group",
		"aria-label": label,
		"data-tour": tour,
		children: [
			set.map((filter) => /* @__PURE__ */ a("span", {
				class: "chip",
				children: [/* @__PURE__ */ a(Popover, {
					class: "chip-value",
					name: t("Change filter {name}", { name: filter.label }),
					face: /* @__PURE__ */ a($, { children: [
						/* @__PURE__ */ a("span", {
							class: "muted",
							children: filter.label
						}),
						" ",
						/* @__PURE__ */ a("b", { children: shown(filter, values[filter.id]) })
					] }),
					children: (close) => /* @__PURE__ */ a(Editor, {
						filter,
						value: values[filter.id],
						onDone: (value) => {
							close();
							change(filter.id, value);
						}
					})
				}), /* @__PURE__ */ a("button", {
					type: "button",
					class: "chip-remove",
					"aria-label": t("Remove filter {name}", { name: filter.label }),
					title: t("Remove"),
					onClick: () => change(filter.id, ""),
					children: /* @__PURE__ */ a(Icon, {
						name: "close",
						size: 12
					})
				})]
			}, filter.id)),
			/* @__PURE__ */ a(Adding, {
				filters: filters.filter((filter) => !values[filter.id]),
				button: adding,
				onDone: change
			}),
			set.length ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				class: "chips-act",
				onClick: () => {
					onChange(none);
					adding.current?.focus();
				},
				children: t("Clear filters")
			}) : ready.map((each) => /* @__PURE__ */ a(Button, {
				kind: "quiet",
				class: "chips-act",
				onClick: () => onChange({
					...none,
					...each.values()
				}),
				children: each.title
			}, each.title)),
			children ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("span", { class: "spring" }), children] }) : null
		]
	});
}
var shown = (filter, value) => filter.options?.find((option) => option.value === value)?.label ?? filter.show?.(value) ?? value;
function Adding({ filters, button, onDone }) {
	const [chosen, choose] = d(null);
	if (!filters.length) return null;
	return /* @__PURE__ */ a(Popover, {
		class: "chip-add",
		button,
		onToggle: () => choose(null),
		face: /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a(Icon, {
				name: "plus",
				size: 14
			}),
			" ",
			t("Filter")
		] }),
		children: (close) => chosen ? /* @__PURE__ */ a(Editor, {
			filter: chosen,
			value: "",
			onDone: (value) => {
				close();
				onDone(chosen.id, value);
			}
		}) : /* @__PURE__ */ a(PopMenu, {
			label: t("Filter by"),
			items: filters.map((filter) => ({
				value: filter.id,
				label: filter.label
			})),
			onChoose: (id) => choose(filters.find((filter) => filter.id === id))
		})
	});
}
function Editor({ filter, value, onDone }) {
	if (filter.options) return /* @__PURE__ */ a(PopMenu, {
		label: filter.label,
		items: filter.options,
		chosen: value,
		onChoose: onDone
	});
	return /* @__PURE__ */ a(Typed, {
		filter,
		value,
		onDone
	});
}
function Typed({ filter, value, onDone }) {
	const [typed, type] = d(filter.read?.(value) ?? value);
	const [words, know] = d([]);
	const field = T(null);
	const id = P();
	F(() => field.current.focus(), []);
	A(() => {
		filter.suggest?.().then(know, () => void 0);
	}, []);
	return /* @__PURE__ */ a("form", {
		class: "chips-form",
		onSubmit: (event) => {
			event.preventDefault();
			const text = typed.trim();
			onDone(filter.write ? filter.write(text) : text);
		},
		children: [
			/* @__PURE__ */ a("label", {
				for: id,
				children: filter.label
			}),
			/* @__PURE__ */ a("div", {
				class: "chips-field",
				children: [/* @__PURE__ */ a("input", {
					ref: field,
					id,
					type: filter.type ?? "text",
					value: typed,
					placeholder: filter.placeholder,
					list: filter.suggest ? `${id}-words` : void 0,
					autocomplete: "off",
					spellcheck: false,
					onInput: (event) => type(event.currentTarget.value)
				}), /* @__PURE__ */ a(IconButton, {
					type: "submit",
					label: t("Apply"),
					icon: "check"
				})]
			}),
			filter.suggest ? /* @__PURE__ */ a("datalist", {
				id: `${id}-words`,
				children: words.map((word) => /* @__PURE__ */ a("option", { value: word }, word))
			}) : null
		]
	});
}
export { useNarrow as a, Drawer as i, filtersInAddress as n, putIntoAddress as r, FilterChips as t };
