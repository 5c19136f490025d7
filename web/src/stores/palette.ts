/** What the palette offers, and how it is found by a few letters. */
import { signal } from "@preact/signals";

import { t } from "../i18n";
import { go } from "../router";

export interface Entry {
  id: string;
  /** What it is, and the heading that it stands under: "Pages", "Tools" … */
  kind: string;
  label: string;
  /** Shown beside it, and found too. */
  hint?: string;
  /** More words to find it by. */
  words?: string;
  icon?: string;
  /** Where it leads, if it leads somewhere: then it can be offered again later. */
  address?: string;
  /** Offered before anything is typed. */
  first?: true;
  run: () => void;
}

export interface Found {
  entry: Entry;
  score: number;
  /** Which letters of the label were meant. */
  marks: number[];
}

export const paletteOpen = signal(false);

type Source = () => Entry[] | Promise<Entry[]>;
const sources = new Set<Source>();

/** A page or a part of the console offers entries of its own; the answer takes them back. */
export function offer(source: Source): () => void {
  sources.add(source);
  return () => sources.delete(source);
}

/** Everything on offer now. `each` is called as the parts come; one that fails is left out. */
export async function gather(each: (entries: Entry[]) => void): Promise<void> {
  await Promise.all(
    [...sources].map(async (source) => {
      try {
        each(await source());
      } catch {
        // The rest can be used all the same, and the page it leads to says what is wrong.
      }
    }),
  );
}

/** Under headings, the best of each heading first; at most so many of each. */
export function grouped(found: readonly Found[], most: number): { kind: string; items: Found[] }[] {
  const groups = new Map<string, Found[]>();
  for (const one of found) {
    const items = groups.get(one.entry.kind) ?? [];
    if (items.length < most) items.push(one);
    groups.set(one.entry.kind, items);
  }
  return [...groups].map(([kind, items]) => ({ kind, items }));
}

const RECENT = "antiphon.recent";
const MOST_RECENT = 5;
type Kept = Pick<Entry, "id" | "label" | "icon" | "hint" | "address">;

function kept(): Kept[] {
  try {
    const found = JSON.parse(localStorage.getItem(RECENT) ?? "[]") as unknown;
    return Array.isArray(found) ? (found as Kept[]) : [];
  } catch {
    return [];
  }
}

/** What was chosen goes to the front of what is offered next time. */
export function remember({ id, label, icon, hint, address }: Entry): void {
  if (id === "ask") return;
  const plain = id.replace(/^recent:/, "");
  const one = { id: plain, label, ...(icon ? { icon } : {}), ...(hint ? { hint } : {}), ...(address ? { address } : {}) };
  try {
    localStorage.setItem(RECENT, JSON.stringify([one, ...kept().filter((each) => each.id !== plain)].slice(0, MOST_RECENT)));
  } catch {
    // A private window may refuse: then nothing is recent.
  }
}

/** What was chosen last, as far as it can be chosen now. */
export function recent(entries: readonly Entry[]): Entry[] {
  return kept().flatMap((one) => {
    const now = entries.find((entry) => entry.id === one.id);
    const run = now?.run ?? (one.address ? () => go(one.address!) : null);
    return run ? [{ ...one, ...now, first: true as const, id: `recent:${one.id}`, kind: t("Recent"), run }] : [];
  });
}

const START = 10;
const FOLLOWS = 11;
const INSIDE = 1;

/**
 * How well `word` is found in `text`, letter by letter in order; null: not at all. Letters in a row
 * count most, then starts of words, then scattered ones.
 */
export function match(word: string, text: string): { score: number; marks: number[] } | null {
  const needle = word.toLowerCase();
  const hay = text.toLowerCase();
  if (!needle) return { score: 0, marks: [] };
  if (needle.length > hay.length) return null;
  // best[i][j]: the best way to have the first i+1 letters end with one at j.
  const best: { score: number; from: number }[][] = [];
  for (let i = 0; i < needle.length; i++) {
    const row: { score: number; from: number }[] = [];
    let reach = { score: -Infinity, at: -1 };
    for (let j = 0; j < hay.length; j++) {
      const above = best[i - 1];
      if (above && j > 0 && above[j - 1]!.score > reach.score) {
        reach = { score: above[j - 1]!.score, at: j - 1 };
      }
      if (needle[i] !== hay[j] || (i > 0 && reach.at < 0)) {
        row.push({ score: -Infinity, from: -1 });
        continue;
      }
      const here = starts(text, j) ? START : INSIDE;
      if (i === 0) {
        row.push({ score: here - j * 0.1, from: -1 });
        continue;
      }
      const scattered = { score: reach.score + here, from: reach.at };
      const row1 = above![j - 1]!;
      const joined = { score: row1.score + Math.max(FOLLOWS, here), from: j - 1 };
      row.push(joined.score >= scattered.score ? joined : scattered);
    }
    best.push(row);
  }
  const lastRow = best.at(-1)!;
  let at = -1;
  for (let j = 0; j < lastRow.length; j++) {
    if (lastRow[j]!.score > (lastRow[at]?.score ?? -Infinity)) at = j;
  }
  if (at < 0) return null;
  const score = lastRow[at]!.score;
  const marks: number[] = [];
  for (let i = needle.length - 1; i >= 0; i--) {
    marks.unshift(at);
    at = best[i]![at]!.from;
  }
  // Of two that fit alike the shorter one is nearer to what was typed.
  return { score: score - hay.length * 0.05, marks };
}

function starts(text: string, at: number): boolean {
  if (at === 0) return true;
  return /[^\p{L}\p{N}]/u.test(text[at - 1]!) || (/\p{Lu}/u.test(text[at]!) && /\p{Ll}/u.test(text[at - 1]!));
}

/** A scattering of letters that means nothing: less than this for each letter is not shown. */
const ENOUGH = 4;

/** Every word of the query has to be found, in the label or else beside it. */
export function search(entries: readonly Entry[], query: string, limit = 40): Found[] {
  const words = query.trim().split(/\s+/).filter(Boolean);
  if (!words.length) return entries.slice(0, limit).map((entry) => ({ entry, score: 0, marks: [] }));
  const found: Found[] = [];
  for (const entry of entries) {
    let score = 0;
    const marks = new Set<number>();
    const fits = words.every((word) => {
      const inLabel = match(word, entry.label);
      if (inLabel && inLabel.score >= ENOUGH * word.length) {
        score += inLabel.score;
        inLabel.marks.forEach((at) => marks.add(at));
        return true;
      }
      const letters = word.toLowerCase();
      if (letters.length < 2) return false;
      // "theme dark": what kind of thing is meant says as much as its name.
      if (entry.kind.toLowerCase().startsWith(letters)) {
        score += word.length * FOLLOWS;
        return true;
      }
      // Beside the label only whole pieces count: much of it is prose.
      const beside = `${entry.kind} ${entry.hint ?? ""} ${entry.words ?? ""}`.toLowerCase();
      if (!beside.includes(letters)) return false;
      score += word.length * 2;
      return true;
    });
    if (fits) found.push({ entry, score, marks: [...marks].sort((a, b) => a - b) });
  }
  // Those that fit alike stay in the order in which they are offered.
  return found.sort((a, b) => b.score - a.score).slice(0, limit);
}
