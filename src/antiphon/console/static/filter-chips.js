import { c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { n as Icon } from "./icons.js";
import { n as Button, s as IconButton } from "./kit.js";
import { n as Popover, t as PopMenu } from "./popover.js";
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
export { filtersInAddress as n, putIntoAddress as r, FilterChips as t };
