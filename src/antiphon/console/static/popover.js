import { c as P, d, l as T, m as $, s as F, t as a } from "./vendor-preact.js";
// src/ui/popover.tsx
function Popover({ face, name, class: more, button, onToggle, children }) {
	const own = T(null);
	const opener = button ?? own;
	const box = T(null);
	const [open, set] = d(false);
	const id = P();
	F(() => {
		if (!open) return;
		const { left, bottom } = opener.current.getBoundingClientRect();
		const { style, offsetWidth } = box.current;
		style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
		style.top = `${bottom + 4}px`;
		style.maxHeight = `${Math.max(160, innerHeight - bottom - 16)}px`;
	});
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("button", {
		type: "button",
		ref: opener,
		class: more,
		"aria-label": name,
		"aria-expanded": open,
		popovertarget: id,
		children: face
	}), /* @__PURE__ */ a("div", {
		ref: box,
		id,
		popover: "auto",
		class: "popover",
		onToggle: (event) => {
			set(event.newState === "open");
			onToggle?.();
		},
		children: open ? children(() => box.current?.hidePopover()) : null
	})] });
}
/** Items by arrow keys and first letters; with `chosen`, one of them is in force. */
function PopMenu({ label, items, chosen, onChoose }) {
	const list = T(null);
	const buttons = () => [...list.current.querySelectorAll("button")];
	F(() => {
		const all = buttons();
		(all.find((button) => button.getAttribute("aria-checked") === "true") ?? all[0])?.focus();
	}, []);
	const move = (event) => {
		const all = buttons();
		const here = all.indexOf(document.activeElement);
		let next = {
			ArrowDown: here + 1,
			ArrowUp: here - 1,
			Home: 0,
			End: all.length - 1
		}[event.key];
		if (next === void 0 && /^\S$/.test(event.key)) {
			const letter = event.key.toLowerCase();
			next = [...all.keys()].map((step) => (here + 1 + step) % all.length).find((at) => all[at].textContent.trim().toLowerCase().startsWith(letter));
		}
		if (next === void 0) return;
		event.preventDefault();
		all[(next + all.length) % all.length].focus();
	};
	const role = chosen === void 0 ? "menuitem" : "menuitemradio";
	return /* @__PURE__ */ a("div", {
		role: "menu",
		"aria-label": label,
		class: "popover-menu",
		ref: list,
		onKeyDown: move,
		children: items.map((item, index) => /* @__PURE__ */ a("div", {
			role: "none",
			children: [item.group && item.group !== items[index - 1]?.group ? /* @__PURE__ */ a("p", {
				class: "popover-group",
				role: "none",
				children: item.group
			}) : null, /* @__PURE__ */ a("button", {
				type: "button",
				role,
				tabIndex: -1,
				...chosen === void 0 ? {} : { "aria-checked": item.value === chosen },
				onClick: () => onChoose(item.value),
				children: item.label
			})]
		}, item.value))
	});
}
export { Popover as n, PopMenu as t };
