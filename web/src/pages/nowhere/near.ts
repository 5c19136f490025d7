/** Which pages an address may have meant: those whose names share most of its letters. */
import { isOpen, labelOf, LISTED, type Page } from "../../router";

const MOST = 3;
/** Half of all pairs of letters are the same, or it is another word. */
const ENOUGH = 0.5;

export function near(wanted: string): Page[] {
  const pairs = pairsOf(wanted);
  return LISTED.filter(isOpen).map((page) => ({ page, like: Math.max(...namesOf(page).map((name) => alike(pairs, pairsOf(name)))) }))
    .filter(({ like }) => like >= ENOUGH)
    .sort((a, b) => b.like - a.like)
    .slice(0, MOST)
    .map(({ page }) => page);
}

/** The entry of the menu that a page stands under is what some people call it. */
const namesOf = (page: Page): string[] => [page.id, labelOf(page), ...page.id.split("-"), page.menu ?? ""];

/** How much of both is the same, from 0 to 1. */
function alike(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

/** Pairs of letters that follow each other, the beginning and the end of the word among them. */
function pairsOf(text: string): Set<string> {
  const letters = `^${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")}$`;
  return new Set([...letters].slice(1).map((letter, index) => letters[index]! + letter));
}
