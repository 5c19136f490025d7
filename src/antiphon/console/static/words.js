// src/voice/words.ts
var ID = "[a-z][a-z0-9_]*:[a-z0-9][a-z0-9_.-]*";
var CITED = new RegExp(`\\s*\\((${ID}(?:\\s*[,;]\\s*${ID})*)\\)`, "gi");
/** Web addresses and times look alike, and are none. */
var NO_RECORD = /^(https?|mailto|tel|ftp|data|file):/i;
/** The text in pieces: words, and between them the ids of the records that they rest on. */
function parts(text) {
	const found = [];
	let from = 0;
	for (const match of text.matchAll(CITED)) {
		const cites = match[1].split(/\s*[,;]\s*/).filter((id) => !NO_RECORD.test(id));
		if (!cites.length) continue;
		if (match.index > from) found.push({ text: text.slice(from, match.index) });
		found.push({ cites });
		from = match.index + match[0].length;
	}
	if (from < text.length) found.push({ text: text.slice(from) });
	return found;
}
/** What a citation is called: the title of the record, or its id in words. */
function titleOf(id, source) {
	if (source) return source.title;
	const name = id.slice(id.indexOf(":") + 1).replace(/[_-]+/g, " ");
	return name.charAt(0).toUpperCase() + name.slice(1);
}
var SNIPPET = 24;
/**
* Of the records that were found for an answer, those that it visibly rests on: it names them, or
* says what stands in them. An answer that cites by itself needs none.
*/
function restsOn(text, evidence, sources) {
	if (parts(text).some((part) => "cites" in part)) return [];
	const low = text.toLowerCase();
	return [...new Set(evidence)].filter((id) => {
		const source = sources.get(id);
		if (!source) return false;
		const said = source.snippet.toLowerCase();
		return low.includes(source.title.toLowerCase()) || said.length >= SNIPPET && low.includes(said.slice(0, SNIPPET));
	});
}
/** The records that an answer rests on, in the order in which it cites them first. */
function cited(text, evidence, sources) {
	const ids = parts(text).flatMap((part) => "cites" in part ? part.cites : []);
	return ids.length ? [...new Set(ids)] : evidence.length ? restsOn(text, evidence, sources) : [];
}
/** Words only: for captions and for voices. */
function plain(text) {
	return parts(text).map((part) => "text" in part ? part.text : "").join("").replace(/```[\s\S]*?(```|$)/g, " ").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/^\s*([-*+]|\d+\.)\s+/gm, "").replace(/^#{1,6}\s+/gm, "").replace(/[*_`~]+(?=\S)|(?<=\S)[*_`~]+/g, (marks, at, whole) => marks === "_" && /\w/.test(whole[at - 1] ?? "") && /\w/.test(whole[at + 1] ?? "") ? marks : "").replace(/\s+/g, " ").trim();
}
/** Signs that only mean something as Markdown. */
var MARKS = /[*`#|~<>]|\[[^\]]*\]\(|(^|\n)\s*([-+]|\d+\.)\s|\n\s*\n|https?:\/\/|(^|\s)_\S/;
function isMarkdown(text) {
	return MARKS.test(text);
}
/** Whole sentences at the beginning of a text that is still being made, and what is left of it. */
function sentences(text) {
	const whole = [];
	let rest = text;
	for (;;) {
		const end = /[.!?…]["')\]]*\s+(?=\S)|\n+/.exec(rest);
		if (!end) return {
			whole,
			rest
		};
		const cut = end.index + end[0].length;
		const sentence = rest.slice(0, cut).trim();
		if (sentence) whole.push(sentence);
		rest = rest.slice(cut);
	}
}
export { sentences as a, plain as i, isMarkdown as n, titleOf as o, parts as r, cited as t };
