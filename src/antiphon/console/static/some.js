import { d, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { n as Button } from "./kit.js";
// src/ui/some.tsx
/** `must` is drawn wherever it stands. Put `more` below the list; null: all of it is drawn. */
function useSome(all, must, step = 200) {
	const [most, grow] = d(step);
	const needed = must ? all.findIndex(must) + 1 : 0;
	const count = Math.max(most, needed);
	if (all.length <= count) return {
		some: all,
		more: null
	};
	const next = Math.min(step, all.length - count);
	return {
		some: all.slice(0, count),
		more: /* @__PURE__ */ a("div", { children: /* @__PURE__ */ a(Button, {
			onClick: () => grow(count + step),
			children: t("Show {count} more", { count: next })
		}) })
	};
}
export { useSome as t };
