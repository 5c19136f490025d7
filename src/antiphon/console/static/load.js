import { f as d, s as A, u as T } from "./vendor-preact.js";
import { t as ApiError } from "./http.js";
// src/api/load.ts
/** A server that cannot be reached is asked again after this time. */
var AWAY_MS = 3e3;
var isAway = (error) => error instanceof ApiError && error.status === 0;
/**
* What a page shows: `ask` is called when one of `inputs` changes; an answer that is overtaken by
* a later question is dropped. A server that is away is asked until it is back.
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
		let timer;
		set((before) => ({
			...before,
			loading: true
		}));
		latest.current(leave.signal).then((data) => !leave.signal.aborted && set({
			data,
			error: null,
			loading: false
		}), (error) => {
			if (leave.signal.aborted) return;
			set((before) => ({
				data: before.data,
				error,
				loading: false
			}));
			if (isAway(error)) timer = setTimeout(() => again((count) => count + 1), AWAY_MS);
		});
		return () => {
			leave.abort();
			clearTimeout(timer);
		};
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
export { isAway as n, useLoad as r, AWAY_MS as t };
