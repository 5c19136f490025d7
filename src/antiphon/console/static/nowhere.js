import { l as t } from "./app.js";
import { a as at, d as route, r as NOWHERE, s as labelOf, t as LISTED } from "./router.js";
import { Q as paletteOpen } from "./start.js";
import { n as Icon } from "./icons.js";
import { a as Empty, n as Button, r as Card } from "./kit.js";
import { t as a } from "./vendor-preact.js";
// src/pages/nowhere/near.ts
/** Which pages an address may have meant: those whose names share most of its letters. */
var MOST$1 = 3;
/** Half of all pairs of letters are the same, or it is another word. */
var ENOUGH = .5;
function near(wanted) {
	const pairs = pairsOf(wanted);
	return LISTED.map((page) => ({
		page,
		like: Math.max(...namesOf(page).map((name) => alike(pairs, pairsOf(name))))
	})).filter(({ like }) => like >= ENOUGH).sort((a, b) => b.like - a.like).slice(0, MOST$1).map(({ page }) => page);
}
/** The entry of the menu that a page stands under is what some people call it. */
var namesOf = (page) => [
	page.id,
	labelOf(page),
	...page.id.split("-"),
	page.menu ?? ""
];
/** How much of both is the same, from 0 to 1. */
function alike(a, b) {
	return 2 * [...a].filter((pair) => b.has(pair)).length / Math.max(1, a.size + b.size);
}
/** Pairs of letters that follow each other, the beginning and the end of the word among them. */
function pairsOf(text) {
	const letters = `^${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")}$`;
	return new Set([...letters].slice(1).map((letter, index) => letters[index] + letter));
}
// src/pages/nowhere.tsx
/** An address that leads nowhere: says so, and offers what was probably meant. */
function Nowhere() {
	const { wanted } = route.value;
	const likely = near(wanted);
	return /* @__PURE__ */ a(Card, { children: [
		/* @__PURE__ */ a(Empty, {
			icon: "compass",
			title: t("There is no page “{wanted}”", { wanted: brief(wanted) }),
			children: likely.length ? t("Did you mean one of these?") : t("It may have been renamed. These pages exist:")
		}),
		/* @__PURE__ */ a("ul", {
			class: `${NOWHERE}-pages`,
			"aria-label": likely.length ? t("Pages with a similar name") : t("All pages"),
			children: (likely.length ? likely : LISTED).map((page) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "list-item",
				href: at(page.id),
				children: [/* @__PURE__ */ a(Icon, { name: page.icon }), /* @__PURE__ */ a("span", { children: labelOf(page) })]
			}) }, page.id))
		}),
		/* @__PURE__ */ a("div", {
			class: `row ${NOWHERE}-ways`,
			children: [/* @__PURE__ */ a(Button, {
				icon: "search",
				onClick: () => paletteOpen.value = true,
				children: t("Find a page, tool or action")
			}), history.length > 1 ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				onClick: () => history.back(),
				children: t("Go back")
			}) : null]
		})
	] });
}
var MOST = 60;
var brief = (text) => text.length > MOST ? `${text.slice(0, MOST)}…` : text;
export { Nowhere as default };
