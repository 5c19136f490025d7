import { d, o as A, t as a } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { l as t, s as plural } from "./app.js";
import { c as Json, i as CopyButton } from "./kit.js";
import { t as Markdown } from "./markdown.js";
// src/ui/readable.tsx
var MOST_COLUMNS = 8;
var MOST_ROWS = 100;
var MARKDOWN = /^(markdown|md|answer|report|briefing|guide|documentation)$/i;
var isRecord = (value) => !!value && typeof value === "object" && !Array.isArray(value);
/** The columns of a list of records, or null where it is none. */
function columnsOf(list) {
	if (!list.length || !list.every(isRecord)) return null;
	return [...new Set(list.flatMap((row) => Object.keys(row)))].filter((name) => list.some((row) => hasValue(row[name]))).slice(0, MOST_COLUMNS);
}
var hasValue = (value) => value !== void 0 && value !== null && value !== "";
function Readable({ value, name = "result" }) {
	if (value === null || value === void 0) return /* @__PURE__ */ a("span", {
		class: "muted",
		children: t("nothing")
	});
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (typeof value === "number") return /* @__PURE__ */ a("span", {
		class: "number",
		children: String(value)
	});
	if (typeof value === "string") return /* @__PURE__ */ a(Text, {
		text: value,
		name
	});
	if (Array.isArray(value)) return /* @__PURE__ */ a(List, {
		list: value,
		name
	});
	const entries = Object.entries(value);
	if (!entries.length) return /* @__PURE__ */ a("span", {
		class: "muted",
		children: t("empty")
	});
	return /* @__PURE__ */ a("dl", {
		class: "readable",
		children: entries.map(([key, each]) => /* @__PURE__ */ a("div", {
			class: isWide(each) ? "is-wide" : "",
			children: [/* @__PURE__ */ a("dt", { children: key.replaceAll("_", " ") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Readable, {
				value: each,
				name: key
			}) })]
		}, key))
	});
}
var isWide = (value) => typeof value === "string" && (value.length > 80 || value.includes("\n")) || typeof value === "object" && value !== null;
function List({ list, name }) {
	if (!list.length) return /* @__PURE__ */ a("span", {
		class: "muted",
		children: t("none")
	});
	const columns = columnsOf(list);
	const left = list.length - MOST_ROWS;
	const more = left > 0 ? /* @__PURE__ */ a("p", {
		class: "hint",
		children: plural(left, "{count} more in the JSON.", "{count} more in the JSON.")
	}) : null;
	if (columns) return /* @__PURE__ */ a("div", {
		class: "table-box",
		tabIndex: 0,
		role: "region",
		"aria-label": t("Table of {name}", { name: name.replaceAll("_", " ") }),
		children: [/* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: columns.map((column) => /* @__PURE__ */ a("th", {
			scope: "col",
			children: column.replaceAll("_", " ")
		}, column)) }) }), /* @__PURE__ */ a("tbody", { children: list.slice(0, MOST_ROWS).map((row, index) => /* @__PURE__ */ a("tr", { children: columns.map((column) => /* @__PURE__ */ a("td", {
			class: isLong(row[column]) ? "is-long" : "",
			children: /* @__PURE__ */ a(Cell, {
				value: row[column],
				name: column
			})
		}, column)) }, index)) })] }), more]
	});
	if (list.every((each) => typeof each !== "object" || each === null)) return /* @__PURE__ */ a("ul", {
		class: "readable-list",
		children: [list.slice(0, MOST_ROWS).map((each, index) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Readable, {
			value: each,
			name
		}) }, index)), more]
	});
	return /* @__PURE__ */ a(Json, {
		value: list,
		label: name
	});
}
var isLong = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? "").length > 40;
function Cell({ value, name }) {
	if (!hasValue(value)) return /* @__PURE__ */ a("span", {
		class: "muted",
		"aria-label": t("nothing"),
		children: "–"
	});
	if (typeof value === "object") {
		if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ") || "none";
		return /* @__PURE__ */ a("code", {
			class: "readable-small",
			children: JSON.stringify(value)
		});
	}
	return /* @__PURE__ */ a(Readable, {
		value,
		name
	});
}
function Text({ text, name }) {
	const trimmed = text.trim();
	if (/^(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(trimmed)) return /* @__PURE__ */ a(Picture, {
		source: trimmed,
		name
	});
	if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(trimmed)) return /* @__PURE__ */ a("img", {
		class: "readable-picture",
		src: trimmed,
		alt: name
	});
	if (/^\/api\/images\/[\w.-]+$/.test(trimmed)) return /* @__PURE__ */ a("img", {
		class: "readable-picture",
		src: address(trimmed),
		alt: name
	});
	if (/^https?:\/\/\S+$/.test(trimmed)) return /* @__PURE__ */ a("a", {
		href: trimmed,
		target: "_blank",
		rel: "noreferrer noopener",
		children: trimmed
	});
	if (MARKDOWN.test(name)) return /* @__PURE__ */ a(Markdown, { text });
	if (text === "") return /* @__PURE__ */ a("span", {
		class: "muted",
		children: t("empty text")
	});
	if (!text.includes("\n") && text.length <= 300) return text;
	return /* @__PURE__ */ a("div", {
		class: "readable-text",
		children: [/* @__PURE__ */ a("pre", {
			tabIndex: 0,
			"aria-label": name.replaceAll("_", " "),
			children: text
		}), /* @__PURE__ */ a(CopyButton, { text })]
	});
}
/** A drawing from the server or a tool. As an image it can neither run scripts nor load anything. */
function Picture({ source, name }) {
	const [address, set] = d("");
	A(() => {
		const made = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
		set(made);
		return () => URL.revokeObjectURL(made);
	}, [source]);
	return /* @__PURE__ */ a("figure", {
		class: "readable-figure",
		children: [address ? /* @__PURE__ */ a("img", {
			class: "readable-picture",
			src: address,
			alt: name
		}) : null, /* @__PURE__ */ a("figcaption", { children: /* @__PURE__ */ a(CopyButton, {
			text: source,
			label: t("Copy SVG")
		}) })]
	});
}
export { isRecord as n, Readable as t };
