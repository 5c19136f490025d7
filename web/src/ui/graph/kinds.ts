/** Colour and shape of a type of records: by its name, so that they are the same in every database and every view. */

/** So many colours there are in the design tokens, `--kind-0` and on. */
export const COLOURS = 8;
/** Circle, square, diamond, triangle: types can be told apart without colours. */
export const SHAPES = 4;

export interface Kind {
  colour: number;
  shape: number;
}

const kind = (colour: number, shape: number): Kind => ({ colour, shape });

/** What is common has a look of its own, and words for the same thing share one. */
const KNOWN: Record<string, Kind> = {
  person: kind(0, 0), expert: kind(0, 3),
  org: kind(1, 1), organization: kind(1, 1), organisation: kind(1, 1), company: kind(1, 1), client: kind(1, 2),
  project: kind(2, 2), offering: kind(2, 1), product: kind(2, 1), process: kind(3, 3),
  event: kind(3, 2), meeting: kind(3, 2), preference: kind(3, 0),
  doc: kind(4, 1), document: kind(4, 1), note: kind(4, 0), file: kind(4, 1), page: kind(4, 1),
  place: kind(5, 3), location: kind(5, 3), city: kind(5, 3),
  term: kind(6, 0), concept: kind(6, 0), topic: kind(6, 0), fact: kind(6, 1), skill: kind(6, 2),
  link: kind(7, 0), entity: kind(7, 1), tag: kind(7, 3),
};

export function kindOf(type: string): Kind {
  const known = KNOWN[type.toLowerCase()];
  if (known) return known;
  let hash = 0x811c9dc5; // FNV-1a
  for (const letter of type.toLowerCase()) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return kind(hash % COLOURS, (hash >>> 8) % SHAPES);
}
