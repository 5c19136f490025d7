/** Cuts what is too large for one request into parts that are not, at places that make sense. */
import { t } from "../../i18n";


/** A request may have 256 KiB; the rest is for the JSON around a text. */
export const MOST_BYTES = 240 * 1024;
/** `ingest_to_kg` takes no more. */
export const MOST_CHARACTERS = 100_000;

const encoder = new TextEncoder();
/** As much as it takes inside a JSON body. */
const jsonBytes = (text: string): number => encoder.encode(JSON.stringify(text)).length;

/** Between paragraphs, else between sentences, else between words. */
const SEAMS = [/\n\s*\n/g, /[.!?]\s+|\n/g, /\s+/g];

export function splitText(text: string, characters = MOST_CHARACTERS, bytes = MOST_BYTES): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > characters || jsonBytes(rest) > bytes) {
    let most = Math.min(characters, rest.length);
    while (jsonBytes(rest.slice(0, most)) > bytes) most = Math.floor(most * 0.8);
    const end = seam(rest, most);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end);
  }
  parts.push(rest.trim());
  return parts.filter(Boolean);
}

function seam(text: string, most: number): number {
  const head = text.slice(0, most);
  for (const pattern of SEAMS) {
    const last = [...head.matchAll(pattern)].at(-1);
    // A seam in the first half would make many small parts.
    if (last && last.index > most / 2) return last.index + last[0].length;
  }
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text[most - 1]!) ? most - 1 : most;
}

export interface Rows {
  text: string;
  /** For each line of it, its number in the whole file. */
  lines: number[];
}

export class TooLong extends Error {}

/** JSON lines: records come before the edges that join them. */
export function splitJsonLines(text: string, bytes = MOST_BYTES): Rows[] {
  const lines = text.split(/\r?\n/).map((line, at) => ({ line, number: at + 1 })).filter(({ line }) => line.trim());
  if (encoder.encode(text).length <= bytes) return [{ text, lines: numbered(text) }];
  const isEdge = ({ line }: { line: string }) => /"kind"\s*:\s*"edge"/.test(line);
  return packed([...lines.filter((each) => !isEdge(each)), ...lines.filter(isEdge)], [], bytes);
}

/** CSV: each part has the header; a row may have line breaks in quotation marks. */
export function splitCsv(text: string, bytes = MOST_BYTES): Rows[] {
  if (encoder.encode(text).length <= bytes) return [{ text, lines: numbered(text) }];
  const rows: { line: string; number: number }[] = [];
  let [row, number, quoted] = ["", 1, false];
  text.split(/\r?\n/).forEach((line, at) => {
    if (!row) number = at + 1;
    row = row || quoted ? `${row}\n${line}` : line;
    if ((line.match(/"/g)?.length ?? 0) % 2) quoted = !quoted;
    if (!quoted) {
      if (row.trim()) rows.push({ line: row, number });
      row = "";
    }
  });
  if (row.trim()) rows.push({ line: row, number });
  const [header, ...others] = rows;
  return header ? packed(others, [header], bytes) : [];
}

function packed(rows: { line: string; number: number }[], head: { line: string; number: number }[], bytes: number): Rows[] {
  const parts: Rows[] = [];
  let [now, size] = [[...head], 0];
  const headSize = head.reduce((sum, each) => sum + encoder.encode(each.line).length + 1, 0);
  const close = () => {
    if (now.length > head.length) {
      const text = now.map((each) => each.line).join("\n") + "\n";
      parts.push({ text, lines: now.flatMap(({ line, number }) => line.split("\n").map((_, at) => number + at)) });
    }
    now = [...head];
    size = headSize;
  };
  size = headSize;
  for (const each of rows) {
    const length = encoder.encode(each.line).length + 1;
    if (headSize + length > bytes) {
      throw new TooLong(t("Line {number} alone is larger than {bytes} KiB, the most the server accepts at once. Import the file with `antiphon kb import`.", { number: each.number, bytes: Math.round(bytes / 1024) }));
    }
    if (size + length > bytes) close();
    now.push(each);
    size += length;
  }
  close();
  return parts;
}

const numbered = (text: string): number[] => text.split("\n").map((_, at) => at + 1);
