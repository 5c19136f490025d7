import { c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { s as IconButton } from "./kit.js";
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
export { useNarrow as n, Drawer as t };
