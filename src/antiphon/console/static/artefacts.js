import { t as address } from "./address.js";
import { l as t } from "./app.js";
import { n as Icon } from "./icons.js";
import { g as save, i as CopyButton, n as Button } from "./kit.js";
import { n as isRecord, t as Readable } from "./readable.js";
import { n as pictureIn, t as Figure } from "./figure.js";
import { a as argsInWords, o as isAside, s as isSearch } from "./words3.js";
import { t as a } from "./vendor-preact.js";
// src/voice/view/artefacts.tsx
/** What calls have made, as what it is: a picture, code, a file, a chart, a table. */
function Artefacts({ calls }) {
	const made = calls.flatMap((entry) => {
		const outcome = entry.outcome.value;
		if (!outcome?.ok || isSearch(entry.name) || isAside(entry.name) || entry.name === "send_image") return [];
		const picture = pictureIn(outcome.result);
		if (picture) return [/* @__PURE__ */ a(Figure, {
			...picture,
			alt: picture.alt || argsInWords(entry.args)
		}, entry.id)];
		const found = artefactIn(outcome.result);
		return found ? [/* @__PURE__ */ a(Made, { artefact: found }, entry.id)] : [];
	});
	return made.length ? /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry made",
		children: made
	}) : null;
}
function Made({ artefact }) {
	switch (artefact.kind) {
		case "code": return /* @__PURE__ */ a("figure", {
			class: "code-block",
			children: [/* @__PURE__ */ a("figcaption", { children: [
				/* @__PURE__ */ a("span", { children: words(artefact.name) }),
				/* @__PURE__ */ a("span", { class: "spring" }),
				/* @__PURE__ */ a(CopyButton, { text: artefact.code }),
				/* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "download",
					onClick: () => save(`${artefact.name}.txt`, artefact.code),
					children: t("Download")
				})
			] }), /* @__PURE__ */ a("pre", {
				tabIndex: 0,
				"aria-label": words(artefact.name),
				children: /* @__PURE__ */ a("code", { children: artefact.code })
			})]
		});
		case "file": return artefact.url ? /* @__PURE__ */ a("a", {
			class: "button plain",
			href: address(artefact.url),
			download: artefact.name,
			children: [/* @__PURE__ */ a(Icon, {
				name: "download",
				size: 16
			}), artefact.name]
		}) : /* @__PURE__ */ a(Button, {
			icon: "download",
			onClick: () => save(artefact.name, artefact.content),
			children: artefact.name
		});
		case "chart": return /* @__PURE__ */ a(Bars, {
			name: artefact.name,
			bars: artefact.bars
		});
		case "table": return /* @__PURE__ */ a(Readable, {
			value: artefact.rows,
			name: artefact.name
		});
	}
}
function Bars({ name, bars }) {
	const most = Math.max(...bars.map(({ value }) => Math.abs(value))) || 1;
	return /* @__PURE__ */ a("figure", {
		class: "bars",
		children: [/* @__PURE__ */ a("figcaption", { children: words(name) }), /* @__PURE__ */ a("dl", { children: bars.map(({ label, value }, n) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: label }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("meter", {
			min: 0,
			max: most,
			value: Math.abs(value),
			"aria-hidden": "true"
		}), /* @__PURE__ */ a("span", {
			class: "number",
			children: value.toLocaleString()
		})] })] }, n)) })]
	});
}
var words = (name) => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
var CODE = /^(code|source|component|component_code|endpoint|endpoint_code|tests|test_code|html|css|sql|script|snippet_code|formatted)$/;
var MOST_BARS = 30;
var MOST_ROWS = 50;
/** What is worth showing of a result; null: the line that tells of the call is enough. */
function artefactIn(result) {
	if (!isRecord(result)) return null;
	const inner = isRecord(result["result"]) ? result["result"] : isRecord(result["data"]) ? result["data"] : null;
	return own(result) ?? (inner ? own(inner) : null);
}
function own(fields) {
	const named = fields["filename"] ?? fields["file_name"];
	const { url, content } = fields;
	if (typeof named === "string" && typeof url === "string" && url.startsWith("/")) return {
		kind: "file",
		name: named,
		url
	};
	if (typeof named === "string" && typeof content === "string") return {
		kind: "file",
		name: named,
		content
	};
	for (const [name, value] of Object.entries(fields)) if (CODE.test(name) && typeof value === "string" && value.includes("\n")) return {
		kind: "code",
		name,
		code: value
	};
	for (const [name, value] of Object.entries(fields)) {
		const made = Array.isArray(value) ? listed(name, value) : null;
		if (made) return made;
	}
	return null;
}
function listed(name, list) {
	if (list.length < 2 || !list.every(isRecord)) return null;
	const rows = list;
	const plain = Object.keys(rows[0]).filter((column) => rows.every((row) => [
		"string",
		"number",
		"boolean"
	].includes(typeof row[column]) || row[column] == null));
	if (plain.length < 2 || rows.length > MOST_ROWS) return null;
	const numbers = plain.filter((column) => rows.every((row) => typeof row[column] === "number"));
	const labels = plain.filter((column) => rows.every((row) => typeof row[column] === "string"));
	if (plain.length === 2 && numbers.length === 1 && labels.length === 1 && rows.length <= MOST_BARS) return {
		kind: "chart",
		name,
		bars: rows.map((row) => ({
			label: String(row[labels[0]]),
			value: row[numbers[0]]
		}))
	};
	return {
		kind: "table",
		name,
		rows: rows.map((row) => Object.fromEntries(plain.map((column) => [column, row[column]])))
	};
}
export { Artefacts };
