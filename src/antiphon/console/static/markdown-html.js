import { n as purify_default, t as x } from "./vendor-markdown.js";
// src/ui/markdown-html.ts
/** Links lead out in a window of their own; pictures from elsewhere would leave the origin. */
purify_default.addHook("afterSanitizeAttributes", (node) => {
	if (node.tagName === "A") {
		node.setAttribute("rel", "noopener noreferrer");
		if (!node.getAttribute("href")?.startsWith("#")) node.setAttribute("target", "_blank");
	}
	if (node.tagName === "PRE") node.setAttribute("tabindex", "0");
	if (node.tagName === "IMG" && !/^(\/(?!\/)|data:image\/)/.test(node.getAttribute("src") ?? "")) node.remove();
});
function toHtml(text) {
	const html = x.parse(text, {
		async: false,
		gfm: true
	});
	return purify_default.sanitize(html, {
		FORBID_TAGS: [
			"style",
			"form",
			"input",
			"button",
			"textarea",
			"select",
			"iframe",
			"video",
			"audio"
		],
		FORBID_ATTR: ["style", "srcset"]
	});
}
export { toHtml };
