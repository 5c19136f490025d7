import { f as d, s as A, u as T } from "./vendor-preact.js";
// src/api/load.ts
/**
* What a page shows: `ask` is called when one of `inputs` changes; an answer that is overtaken by
* a later question is dropped.
*/
function useLoad(ask, inputs) {
	const [state, set] = d({
		data: null,
		error: null,
		loading: true
	});
	const [round, again] = d(0);
	const latest = T(ask);
	latest.current = ask;
	A(() => {
		const leave = new AbortController();
		set((before) => ({
			...before,
			loading: true
		}));
		latest.current(leave.signal).then((data) => !leave.signal.aborted && set({
			data,
			error: null,
			loading: false
		}), (error) => !leave.signal.aborted && set((before) => ({
			data: before.data,
			error,
			loading: false
		})));
		return () => leave.abort();
	}, [...inputs, round]);
	const reload = () => {
		set((before) => ({
			...before,
			loading: true
		}));
		again((count) => count + 1);
	};
	return {
		...state,
		reload
	};
}
export { useLoad as t };
