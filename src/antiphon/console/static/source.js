import { r as get, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { l as t } from "./app.js";
import { t as Drawer } from "./drawer.js";
import { n as Icon } from "./icons.js";
import { d as Shown, t as Badge } from "./kit.js";
import { t as Markdown } from "./markdown.js";
import { L as transcript } from "./start.js";
import { r as placeOf } from "./words3.js";
import { o as titleOf } from "./words.js";
import { m as $, t as a } from "./vendor-preact.js";
// src/pages/conversation/source.tsx
/** A record that an answer rests on, beside the conversation. */
function SourceDrawer({ id, onClose }) {
	const known = transcript.sources.value.get(id);
	const found = useLoad(async (signal) => {
		if (!known?.database) throw new ApiError(404, t("The database of this record is unknown."));
		return get(`/api/knowledge/${encodeURIComponent(known.database)}/records/${encodeURIComponent(id)}`, { signal });
	}, [id]);
	return /* @__PURE__ */ a(Drawer, {
		title: titleOf(id, known),
		class: "source",
		onClose,
		children: /* @__PURE__ */ a(Shown, {
			of: found,
			children: (record) => /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("p", {
					class: "row",
					children: [/* @__PURE__ */ a(Badge, {
						kind: "accent",
						children: record.type
					}), known?.database ? /* @__PURE__ */ a("span", {
						class: "muted",
						children: known.database
					}) : null]
				}),
				record.text ? /* @__PURE__ */ a(Markdown, { text: record.text }) : /* @__PURE__ */ a("p", {
					class: "hint",
					children: t("No text.")
				}),
				record.tags.length ? /* @__PURE__ */ a("p", {
					class: "hint",
					children: record.tags.join(", ")
				}) : null,
				/^https?:/.test(record.url ?? "") ? /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
					href: record.url,
					target: "_blank",
					rel: "noopener noreferrer",
					children: record.url
				}) }) : null,
				/* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
					class: "button plain",
					href: placeOf(id, known),
					children: [/* @__PURE__ */ a(Icon, {
						name: "graph",
						size: 16
					}), t("Open in Knowledge")]
				}) })
			] })
		})
	});
}
export { SourceDrawer };
