import { c as P, d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
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
/** A labelled control. `children` gets the id that ties the label to it. */
function Field({ label, hint, error, children }) {
	const id = P();
	const about = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
	return /* @__PURE__ */ a("div", {
		class: "field",
		children: [
			/* @__PURE__ */ a("label", {
				for: id,
				children: label
			}),
			children({
				id,
				...about ? { "aria-describedby": about } : {},
				...error ? { "aria-invalid": true } : {}
			}),
			hint ? /* @__PURE__ */ a("p", {
				class: "hint",
				id: `${id}-hint`,
				children: hint
			}) : null,
			error ? /* @__PURE__ */ a("p", {
				class: "wrong",
				id: `${id}-error`,
				children: error
			}) : null
		]
	});
}
/**
* A line of text that counts when it is done: with Enter, or when one leaves it. Until then it is the
* person's, however often the page around it is drawn anew.
*/
function TextInput({ value, onDone, ...rest }) {
	const [typed, type] = d(null);
	return /* @__PURE__ */ a("input", {
		type: "text",
		...rest,
		autocomplete: "off",
		spellcheck: false,
		value: typed ?? value,
		onInput: (event) => type(event.currentTarget.value),
		onChange: (event) => {
			type(null);
			onDone(event.currentTarget.value.trim());
		},
		onBlur: () => type(null)
	});
}
function Switch({ label, checked, onChange, hint }) {
	return /* @__PURE__ */ a("label", {
		class: "switch",
		children: [/* @__PURE__ */ a("input", {
			type: "checkbox",
			role: "switch",
			checked,
			onChange: (event) => onChange(event.currentTarget.checked)
		}), /* @__PURE__ */ a("span", { children: [label, hint ? /* @__PURE__ */ a("small", {
			class: "hint",
			children: hint
		}) : null] })]
	});
}
function Badge({ kind = "plain", children }) {
	return /* @__PURE__ */ a("span", {
		class: `badge ${kind}`,
		children
	});
}
function Card({ title, actions, children, tour, class: more }) {
	return /* @__PURE__ */ a("section", {
		class: `card ${more ?? ""}`,
		"data-tour": tour,
		children: [title || actions ? /* @__PURE__ */ a("header", {
			class: "card-head",
			children: [title ? /* @__PURE__ */ a("h2", { children: title }) : /* @__PURE__ */ a("span", {}), actions ? /* @__PURE__ */ a("div", {
				class: "row",
				children: actions
			}) : null]
		}) : null, children]
	});
}
/** Nothing is here yet: a drawing, what belongs here, and what to do (`action`, a button as a rule). */
function Empty({ icon = "info", title, action, children }) {
	return /* @__PURE__ */ a("div", {
		class: "empty",
		children: [
			/* @__PURE__ */ a("span", {
				class: "empty-art",
				"aria-hidden": "true",
				children: [/* @__PURE__ */ a("span", { children: /* @__PURE__ */ a(Icon, {
					name: icon,
					size: 22
				}) }), /* @__PURE__ */ a("i", {})]
			}),
			/* @__PURE__ */ a("p", {
				class: "empty-title",
				children: title
			}),
			children ? /* @__PURE__ */ a("div", {
				class: "hint",
				children
			}) : null,
			action ? /* @__PURE__ */ a("div", {
				class: "row",
				children: action
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
				children: t("Try again")
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
/** What was loaded, or that it is loading, or what went wrong. */
function Shown({ of, children }) {
	if (of.data !== null) return /* @__PURE__ */ a($, { children: [of.error ? /* @__PURE__ */ a(Problem, {
		error: of.error,
		retry: of.reload
	}) : null, children(of.data)] });
	if (of.error) return /* @__PURE__ */ a(Problem, {
		error: of.error,
		retry: of.reload
	});
	return /* @__PURE__ */ a(Loading, {});
}
/** Grey lines in the place of what is on its way. */
function Loading() {
	return /* @__PURE__ */ a("div", {
		class: "loading",
		role: "status",
		"aria-busy": "true",
		"aria-label": t("Loading"),
		children: [
			/* @__PURE__ */ a("i", {}),
			/* @__PURE__ */ a("i", {}),
			/* @__PURE__ */ a("i", {})
		]
	});
}
/** Tabs by arrow keys, as the ARIA pattern says. The chosen one is kept by the page. */
function Tabs({ label, tabs, chosen, onChoose }) {
	const list = T(null);
	const move = (event) => {
		const step = {
			ArrowRight: 1,
			ArrowLeft: -1
		}[event.key];
		if (!step) return;
		event.preventDefault();
		const next = tabs[(tabs.findIndex((tab) => tab.id === chosen) + step + tabs.length) % tabs.length];
		onChoose(next.id);
		list.current?.querySelector(`[data-tab="${next.id}"]`)?.focus();
	};
	return /* @__PURE__ */ a("div", {
		class: "tabs",
		role: "tablist",
		"aria-label": label,
		ref: list,
		onKeyDown: move,
		children: tabs.map((tab) => /* @__PURE__ */ a("button", {
			type: "button",
			role: "tab",
			"data-tab": tab.id,
			"aria-selected": tab.id === chosen,
			tabIndex: tab.id === chosen ? 0 : -1,
			onClick: () => onChoose(tab.id),
			children: tab.title
		}, tab.id))
	});
}
/** JSON as text, in a box that can be scrolled by keyboard. */
function Json({ value, label = "JSON" }) {
	return /* @__PURE__ */ a("pre", {
		class: "json",
		tabIndex: 0,
		"aria-label": label,
		children: JSON.stringify(value, null, 2)
	});
}
function CopyButton({ text, label = t("Copy") }) {
	const [done, set] = d(false);
	A(() => {
		if (!done) return;
		const timer = setTimeout(() => set(false), 2e3);
		return () => clearTimeout(timer);
	}, [done]);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(typeof text === "string" ? text : text());
			set(true);
		} catch {
			toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
		}
	};
	return /* @__PURE__ */ a(Button, {
		kind: "quiet",
		icon: done ? "check" : "copy",
		onClick: copy,
		children: done ? t("Copied") : label
	});
}
/** Offers `text` as a file. */
function save(name, text, type = "text/plain") {
	const address = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 1e3);
}
export { Empty as a, Json as c, Shown as d, Spinner as f, save as g, TextInput as h, CopyButton as i, Loading as l, Tabs as m, Button as n, Field as o, Switch as p, Card as r, IconButton as s, Badge as t, Problem as u };
