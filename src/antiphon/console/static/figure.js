import { t as address } from "./address.js";
import { l as t } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/voice/view/figure.tsx
/** A picture with its caption, at most as large as the column; a click opens it in full. */
function Figure({ url, caption, alt, width, height }) {
	return /* @__PURE__ */ a("figure", {
		class: "figure",
		children: [/* @__PURE__ */ a("a", {
			href: address(url),
			target: "_blank",
			rel: "noopener",
			title: t("Open full size"),
			children: /* @__PURE__ */ a("img", {
				src: address(url),
				alt: alt || caption || t("Image"),
				loading: "lazy",
				...width && height ? {
					width,
					height
				} : {}
			})
		}), caption ? /* @__PURE__ */ a("figcaption", { children: caption }) : null]
	});
}
/** The picture that a call has made, as its result tells of it. */
function pictureIn(result) {
	if (result === null || typeof result !== "object") return null;
	const { url, mediaType, prompt, width, height } = result;
	if (typeof url !== "string" || !url.startsWith("/api/images/") || !String(mediaType ?? "image/").startsWith("image/")) return null;
	const size = (value) => typeof value === "number" ? value : null;
	return {
		url,
		caption: "",
		alt: typeof prompt === "string" ? prompt : "",
		width: size(width),
		height: size(height)
	};
}
export { pictureIn as n, Figure as t };
