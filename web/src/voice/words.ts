/** Citations in what a model says, such as `(project:harbor_light)`, and text without them. */
import type { Source } from "./transcript";

const ID = "[a-z][a-z0-9_]*:[a-z0-9][a-z0-9_.-]*";
const CITED = new RegExp(`\\s*\\((${ID}(?:\\s*[,;]\\s*${ID})*)\\)`, "gi");
/** Web addresses and times look alike, and are none. */
const NO_RECORD = /^(https?|mailto|tel|ftp|data|file):/i;

export type Part = { text: string } | { cites: string[] };

/** The text in pieces: words, and between them the ids of the records that they rest on. */
export function parts(text: string): Part[] {
  const found: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(CITED)) {
    const cites = match[1]!.split(/\s*[,;]\s*/).filter((id) => !NO_RECORD.test(id));
    if (!cites.length) continue;
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push({ cites });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

/** What a citation is called: the title of the record, or its id in words. */
export function titleOf(id: string, source: Source | undefined): string {
  if (source) return source.title;
  const name = id.slice(id.indexOf(":") + 1).replace(/[_-]+/g, " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const SNIPPET = 24;

/**
 * Of the records that were found for an answer, those that it visibly rests on: it names them, or
 * says what stands in them. An answer that cites by itself needs none.
 */
export function restsOn(text: string, evidence: readonly string[], sources: ReadonlyMap<string, Source>): string[] {
  if (parts(text).some((part) => "cites" in part)) return [];
  const low = text.toLowerCase();
  return [...new Set(evidence)].filter((id) => {
    const source = sources.get(id);
    if (!source) return false;
    const said = source.snippet.toLowerCase();
    return low.includes(source.title.toLowerCase()) || (said.length >= SNIPPET && low.includes(said.slice(0, SNIPPET)));
  });
}

/** The records that an answer rests on, in the order in which it cites them first. */
export function cited(text: string, evidence: readonly string[], sources: ReadonlyMap<string, Source>): string[] {
  const ids = parts(text).flatMap((part) => ("cites" in part ? part.cites : []));
  return ids.length ? [...new Set(ids)] : evidence.length ? restsOn(text, evidence, sources) : [];
}

/** Words only: for captions and for voices. */
export function plain(text: string): string {
  return parts(text)
    .map((part) => ("text" in part ? part.text : ""))
    .join("")
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*([-*+]|\d+\.)\s+/gm, "")
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/[*_`~]+(?=\S)|(?<=\S)[*_`~]+/g, (marks, at: number, whole: string) =>
      // An underscore inside a name belongs to it.
      marks === "_" && /\w/.test(whole[at - 1] ?? "") && /\w/.test(whole[at + 1] ?? "") ? marks : "",
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** Signs that only mean something as Markdown. */
const MARKS = /[*`#|~<>]|\[[^\]]*\]\(|(^|\n)\s*([-+]|\d+\.)\s|\n\s*\n|https?:\/\/|(^|\s)_\S/;

export function isMarkdown(text: string): boolean {
  return MARKS.test(text);
}

/** Whole sentences at the beginning of a text that is still being made, and what is left of it. */
export function sentences(text: string): { whole: string[]; rest: string } {
  const whole: string[] = [];
  let rest = text;
  for (;;) {
    const end = /[.!?…]["')\]]*\s+(?=\S)|\n+/.exec(rest);
    if (!end) return { whole, rest };
    const cut = end.index + end[0].length;
    const sentence = rest.slice(0, cut).trim();
    if (sentence) whole.push(sentence);
    rest = rest.slice(cut);
  }
}
