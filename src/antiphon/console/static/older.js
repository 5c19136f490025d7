import { d, l as T, o as A, t as a } from "./vendor-preact.js";
import { l as t } from "./app.js";
import { c as said } from "./http.js";
import { r as useLoad } from "./load.js";
import { r as toast } from "./toasts.js";
import { n as Button } from "./kit.js";
import { t as useReload } from "./poll.js";
// src/api/pages.ts
/** Long lists page by page: the newest items are asked for again and again, older ones once. */
var POLL_MS = 5e3;
/** The newest items over the older ones, each once. */
function joined(newest, older, idOf) {
	const known = new Set(newest.map(idOf));
	return [...newest, ...older.filter((item) => !known.has(idOf(item)))];
}
/** `key` is what was asked for (filters); another key begins anew. */
function usePages(key, ask, idOf) {
	const first = useLoad((signal) => ask(void 0, signal), [key]);
	useReload(first, POLL_MS);
	const [older, add] = d({
		items: [],
		next: null
	});
	const current = T(key);
	current.current = key;
	A(() => add({
		items: [],
		next: null
	}), [key]);
	const data = first.data && joined(first.data.items, older.items, idOf);
	const next = older.items.length ? older.next : first.data?.next ?? null;
	const more = async () => {
		try {
			const page = await ask(next);
			if (current.current !== key) return [];
			add((before) => ({
				items: joined(joined(first.data.items, before.items, idOf), page.items, idOf),
				next: page.next
			}));
			return page.items;
		} catch (error) {
			toast(said(error), { kind: "bad" });
			return [];
		}
	};
	return {
		...first,
		data,
		more: next ? more : null
	};
}
// src/ui/older.tsx
/** The end of a long list: loads more when it comes into sight, or is pressed. */
/** Give it a `key` that changes with what is loaded. */
function Older({ more }) {
	const [busy, work] = d(false);
	const box = T(null);
	const load = () => {
		work(true);
		more().then(() => work(false));
	};
	A(() => {
		const watch = new IntersectionObserver((seen) => {
			if (!seen.some((entry) => entry.isIntersecting)) return;
			watch.disconnect();
			load();
		});
		watch.observe(box.current);
		return () => watch.disconnect();
	}, []);
	return /* @__PURE__ */ a("div", {
		ref: box,
		children: /* @__PURE__ */ a(Button, {
			busy,
			onClick: load,
			children: t("Show older")
		})
	});
}
export { usePages as n, Older as t };
