const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./markdown-html.js","./vendor-markdown.js"])))=>i.map(i=>d[i]);
import { d, o as A, t as a } from "./vendor-preact.js";
import { d as __vitePreload } from "./app.js";
// src/ui/markdown.tsx
/** Markdown from the server or a model, made safe. The libraries come when they are first needed. */
function Markdown({ text }) {
	const [html, set] = d(null);
	A(() => {
		let here = true;
		__vitePreload(async () => {
			const { toHtml } = await import("./markdown-html.js");
			return { toHtml };
		}, __vite__mapDeps([0,1]), import.meta.url).then(({ toHtml }) => here && set(toHtml(text)));
		return () => {
			here = false;
		};
	}, [text]);
	if (html === null) return /* @__PURE__ */ a("div", {
		class: "markdown",
		children: /* @__PURE__ */ a("p", {
			class: "as-text",
			children: text
		})
	});
	return /* @__PURE__ */ a("div", {
		class: "markdown",
		dangerouslySetInnerHTML: { __html: html }
	});
}
export { Markdown as t };
