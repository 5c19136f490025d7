import { l as t } from "./app.js";
import { t as a } from "./vendor-preact.js";
var kind = (colour, shape) => ({
	colour,
	shape
});
/** What is common has a look of its own, and words for the same thing share one. */
var KNOWN = {
	person: kind(0, 0),
	expert: kind(0, 3),
	org: kind(1, 1),
	organization: kind(1, 1),
	organisation: kind(1, 1),
	company: kind(1, 1),
	client: kind(1, 2),
	project: kind(2, 2),
	offering: kind(2, 1),
	product: kind(2, 1),
	process: kind(3, 3),
	event: kind(3, 2),
	meeting: kind(3, 2),
	preference: kind(3, 0),
	doc: kind(4, 1),
	document: kind(4, 1),
	note: kind(4, 0),
	file: kind(4, 1),
	page: kind(4, 1),
	place: kind(5, 3),
	location: kind(5, 3),
	city: kind(5, 3),
	term: kind(6, 0),
	concept: kind(6, 0),
	topic: kind(6, 0),
	fact: kind(6, 1),
	skill: kind(6, 2),
	link: kind(7, 0),
	entity: kind(7, 1),
	tag: kind(7, 3)
};
function kindOf(type) {
	const known = KNOWN[type.toLowerCase()];
	if (known) return known;
	let hash = 2166136261;
	for (const letter of type.toLowerCase()) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
	return kind(hash % 8, (hash >>> 8) % 4);
}
// src/ui/graph/legend.tsx
var SHAPES = [
	/* @__PURE__ */ a("circle", {
		cx: "6",
		cy: "6",
		r: "5"
	}),
	/* @__PURE__ */ a("rect", {
		x: "1.5",
		y: "1.5",
		width: "9",
		height: "9"
	}),
	/* @__PURE__ */ a("path", { d: "M6 0 12 6 6 12 0 6z" }),
	/* @__PURE__ */ a("path", { d: "M6 0 12 10.5H0z" })
];
/** Types with their colour and shape; those that are switched off are left pale. */
function Legend({ model, pale, onToggle }) {
	const counts = /* @__PURE__ */ new Map();
	for (const node of model.nodes) counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
	return /* @__PURE__ */ a("div", {
		class: "graph-legend",
		role: "group",
		"aria-label": t("Node types"),
		children: [...counts].sort((one, two) => two[1] - one[1]).map(([type, count]) => /* @__PURE__ */ a("button", {
			type: "button",
			class: "graph-type",
			"aria-pressed": !pale.has(type),
			onClick: () => onToggle(type),
			children: [
				/* @__PURE__ */ a(TypeMark, { type }),
				type,
				" ",
				/* @__PURE__ */ a("span", {
					class: "number",
					children: count
				})
			]
		}, type))
	});
}
function TypeMark({ type }) {
	const { colour, shape } = kindOf(type);
	return /* @__PURE__ */ a("svg", {
		width: "12",
		height: "12",
		viewBox: "0 0 12 12",
		"aria-hidden": "true",
		style: { fill: `var(--kind-${colour})` },
		children: SHAPES[shape]
	});
}
export { TypeMark as n, kindOf as r, Legend as t };
