import { d, l as T, o as A, s as F } from "./vendor-preact.js";
// src/ui/typed.ts
/** So long after the last letter it is asked. */
var PAUSE_MS = 250;
/**
* What stands in a search box, and a way to write into it. `ask` is called after a pause; `asked` is
* what the address says. Changed from elsewhere, the box follows; changed by `ask`, it is left alone:
* the person may have typed on.
*/
function useTyped(asked, ask) {
	const [typed, type] = d(asked);
	const latest = T({
		asked,
		ask
	});
	latest.current = {
		asked,
		ask
	};
	const sent = T(asked);
	F(() => {
		if (asked !== sent.current) type(asked);
		sent.current = asked;
	}, [asked]);
	A(() => {
		const timer = setTimeout(() => {
			const text = typed.trim();
			if (text === latest.current.asked) return;
			sent.current = text;
			latest.current.ask(text);
		}, PAUSE_MS);
		return () => clearTimeout(timer);
	}, [typed]);
	return [typed, type];
}
export { useTyped as t };
