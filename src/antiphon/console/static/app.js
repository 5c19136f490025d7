const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./start.js","./vendor-preact.js","./load.js","./address.js","./http.js","./router.js","./confirmations.js","./bus.js","./toasts.js","./kit.js","./icons.js","./talk.js","./blocked.js","./server-voice.js","./backends.js","./microphone.js","./words.js","./zone.js","./ear.js","./transcript.js"])))=>i.map(i=>d[i]);
import { a as y, i as x, n as O } from "./vendor-preact.js";
// src/stores/prefs.ts
/** What the person chose, kept in this browser. */
var KEY = "antiphon.prefs";
var DEFAULTS = {
	theme: "system",
	language: "",
	backend: "",
	model: "",
	voice: "",
	handsFree: true,
	captions: true,
	speakAnswers: false,
	microphone: "",
	speaker: "",
	navOpen: true,
	dockOpen: true,
	tourSpeech: true,
	notifications: false
};
function stored() {
	try {
		const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		return {
			...DEFAULTS,
			...found
		};
	} catch {
		return DEFAULTS;
	}
}
var prefs = y(stored());
function prefer(change) {
	prefs.value = {
		...prefs.value,
		...change
	};
}
var darkness = matchMedia("(prefers-color-scheme: dark)");
var dark = y(darkness.matches);
darkness.addEventListener("change", () => {
	dark.value = darkness.matches;
});
/** What is seen: the person's choice, or what their system prefers. */
var shownTheme = O(() => {
	const { theme } = prefs.value;
	return theme === "system" ? dark.value ? "dark" : "light" : theme;
});
x(() => {
	document.documentElement.dataset["theme"] = shownTheme.value;
	try {
		localStorage.setItem(KEY, JSON.stringify(prefs.value));
	} catch {}
});
// \0vite/preload-helper.js
var scriptRel = /* @__PURE__ */ (function detectScriptRel() {
	const relList = typeof document !== "undefined" && document.createElement("link").relList;
	return relList && relList.supports && relList.supports("modulepreload") ? "modulepreload" : "preload";
})();
var assetsURL = function(dep, importerUrl) {
	return new URL(dep, importerUrl).href;
};
var seen = {};
var isCssPreloadUrl = function isCssPreloadUrl(url) {
	return url.pathname.endsWith(".css");
};
var preloadOnce = function preloadOnce(seen, href, preload) {
	if (href in seen) return seen[href];
	const promise = preload();
	if (!promise) {
		seen[href] = void 0;
		return;
	}
	const preloadPromise = promise.then(() => {
		seen[href] = void 0;
	}, (err) => {
		seen[href] = void 0;
		throw err;
	});
	seen[href] = preloadPromise;
	return preloadPromise;
};
var __vitePreload = function preload(baseModule, deps, importerUrl) {
	let promise = Promise.resolve();
	if (deps && deps.length > 0) {
		let preloadedHrefs;
		const cspNonceMeta = document.querySelector("meta[property=csp-nonce]");
		const cspNonce = cspNonceMeta?.nonce || cspNonceMeta?.getAttribute("nonce");
		function allSettled(promises) {
			return Promise.all(promises.map((p) => Promise.resolve(p).then((value) => ({
				status: "fulfilled",
				value
			}), (reason) => ({
				status: "rejected",
				reason
			}))));
		}
		function importMetaResolve(specifier) {
			if (import.meta.resolve) return new URL(import.meta.resolve(specifier));
			return new URL(
				specifier,
				/** #__KEEP__ */
				import.meta.url
			);
		}
		promise = allSettled(deps.map((depString) => {
			depString = assetsURL(depString, importerUrl);
			const dep = importMetaResolve(depString);
			const isCss = isCssPreloadUrl(dep);
			return preloadOnce(seen, dep.href, () => {
				if (preloadedHrefs === void 0) {
					preloadedHrefs = {
						all: /* @__PURE__ */ new Set(),
						styles: /* @__PURE__ */ new Set()
					};
					const links = document.getElementsByTagName("link");
					for (let i = links.length - 1; i >= 0; i--) {
						const link = links[i];
						preloadedHrefs.all.add(link.href);
						if (link.rel === "stylesheet") preloadedHrefs.styles.add(link.href);
					}
				}
				if ((isCss ? preloadedHrefs.styles : preloadedHrefs.all).has(dep.href)) return;
				const link = document.createElement("link");
				link.rel = isCss ? "stylesheet" : scriptRel;
				if (!isCss) link.as = "script";
				link.crossOrigin = "";
				link.href = dep.href;
				if (cspNonce) link.setAttribute("nonce", cspNonce);
				document.head.appendChild(link);
				if (isCss) return new Promise((res, rej) => {
					const handleSettle = (e) => {
						link.removeEventListener("load", handleSettle);
						link.removeEventListener("error", handleSettle);
						if (e.type === "error") rej(/* @__PURE__ */ new Error(`Unable to preload CSS for ${dep}`));
						else res(e);
					};
					link.addEventListener("load", handleSettle);
					link.addEventListener("error", handleSettle);
				});
			});
		}).filter((p) => p !== void 0));
	}
	function handlePreloadError(err) {
		const e = new Event("vite:preloadError", { cancelable: true });
		e.payload = err;
		window.dispatchEvent(e);
		if (!e.defaultPrevented) throw err;
	}
	return promise.then((res) => {
		for (const item of res || []) {
			if (item.status !== "rejected") continue;
			handlePreloadError(item.reason);
		}
		return baseModule().catch(handlePreloadError);
	});
};
// src/i18n.ts
/** The languages that the console is written in, each by its own name. */
var LANGUAGES = {
	en: "English",
	de: "Deutsch"
};
var CATALOGUES = { de: () => __vitePreload(() => import("./de.js"), [], import.meta.url) };
var base = (tag) => tag.toLowerCase().split("-", 1)[0];
var written = (tag) => Object.hasOwn(LANGUAGES, tag);
/** The language that was chosen; else the first of the browser's that the console is written in; else English. */
function languageOf(chosen, tags) {
	if (written(chosen)) return chosen;
	return tags.map(base).find(written) ?? "en";
}
var language = languageOf(prefs.value.language, navigator.languages);
/** For dates and numbers: as the browser writes that language, Austrian or British for instance. */
var locale = navigator.languages.find((tag) => base(tag) === language) ?? language;
var rules = new Intl.PluralRules(locale);
var numbers = new Intl.NumberFormat(locale);
var catalogue = {};
/** Before anything is said. */
async function loadLanguage() {
	document.documentElement.lang = language;
	if (language !== "en") catalogue = (await CATALOGUES[language]()).default;
}
var PLACE = /\{(\w+)\}/g;
/** A number as it is written in this language. */
var number = (value, options) => (options ? new Intl.NumberFormat(locale, options) : numbers).format(value);
var shown = (value) => typeof value === "number" ? number(value) : value;
function filled(text, values) {
	return text.replace(PLACE, (place, name) => shown(values[name]) ?? place);
}
function message(text) {
	const found = catalogue[text];
	return typeof found === "string" ? found : text;
}
/** A text: `t("Save")`, `t("{name} is saved.", { name })`. Numbers are written in the language's way. */
function t(text, values = {}) {
	return filled(message(text), values);
}
/** A text that the server sends, such as a step of a tour: in the person's language if the catalogue has it. */
var translated = (text) => message(text);
/** A text that counts: `plural(count, "{count} result", "{count} results")`. */
function plural(count, one, other, values = {}) {
	const found = catalogue[other];
	const rule = rules.select(count);
	return filled(typeof found === "object" ? found[rule] ?? found.other ?? other : rule === "one" ? one : other, {
		count,
		...values
	});
}
/** Several as one phrase: `a, b and c`. */
var listed = (items) => new Intl.ListFormat(locale, { type: "conjunction" }).format(items);
/** A text with elements in it: `rich("Press {key} to stop.", { key: <kbd>Esc</kbd> })`. */
function rich(text, values) {
	return message(text).split(PLACE).map((part, index) => {
		if (index % 2 === 0) return part;
		const value = values[part];
		return value === void 0 ? `{${part}}` : typeof value === "number" ? number(value) : value;
	});
}
// src/main.tsx
loadLanguage().then(() => __vitePreload(() => import("./start.js").then((n) => n.t), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]), import.meta.url));
export { locale as a, rich as c, __vitePreload as d, prefer as f, listed as i, t as l, shownTheme as m, language as n, number as o, prefs as p, languageOf as r, plural as s, LANGUAGES as t, translated as u };
