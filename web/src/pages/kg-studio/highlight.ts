/** A text in pieces, those that stand for a word of the query marked. */
export interface Part {
  text: string;
  hit: boolean;
}

/**
 * `stems` are words as the search compares them, cut at the end: `host` stands for `hosting` too.
 */
export function parts(text: string, stems: readonly string[]): Part[] {
  const wanted = stems.map(plain).filter(Boolean);
  if (!wanted.length) return [{ text, hit: false }];
  const found: Part[] = [];
  for (const piece of text.split(/([\p{L}\p{N}]+)/u)) {
    if (!piece) continue;
    const word = plain(piece);
    const hit = wanted.some((stem) => word === stem || (stem.length > 2 && word.startsWith(stem) && word.length - stem.length <= 4));
    const last = found.at(-1);
    if (last && last.hit === hit) last.text += piece;
    else found.push({ text: piece, hit });
  }
  return found;
}

const plain = (word: string): string => word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
