import { l as T, o as A } from "./vendor-preact.js";
// src/ui/poll.ts
/**
* Calls `ask` every so often while somebody looks: not while the tab is hidden, and at once when it
* is seen again. The next call waits for the one before.
*/
function usePoll(ask, ms, on = true) {
	const latest = T(ask);
	latest.current = ask;
	A(() => {
		if (!on) return;
		let timer;
		let over = false;
		const next = () => {
			clearTimeout(timer);
			if (!over && !document.hidden) timer = setTimeout(run, ms);
		};
		const run = () => void Promise.resolve(latest.current()).then(next, next);
		const seen = () => {
			if (document.hidden) clearTimeout(timer);
			else run();
		};
		next();
		document.addEventListener("visibilitychange", seen);
		return () => {
			over = true;
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", seen);
		};
	}, [ms, on]);
}
/** The same for what is loaded already. */
function useReload(what, ms, on = true) {
	usePoll(() => what.loading || what.reload(), ms, on);
}
export { useReload as t };
