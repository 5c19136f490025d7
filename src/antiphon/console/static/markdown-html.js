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
var CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;
/** A star between two letters or digits is a star: nobody writes 2*pi to lean what follows. */
var starred = (text) => text.split(CODE).map((part, index) => index % 2 ? part : part.replace(/(?<=[\p{L}\p{N}])\*(?=[\p{L}\p{N}])/gu, "\\*")).join("");
function toHtml(text) {
	const html = x.parse(starred(text), {
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
