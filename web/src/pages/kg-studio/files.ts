/** Which files can be taken in, and as what. */
import { t } from "../../i18n";


export type How = "text" | "markdown" | "html" | "pdf" | "docx" | "csv" | "jsonl";

export const HOW: Record<How, string> = {
  text: t("Read as text"),
  markdown: t("Read as Markdown"),
  html: t("Read as HTML"),
  pdf: t("Read as PDF"),
  docx: t("Read as a Word document"),
  csv: t("Import rows (CSV)"),
  jsonl: t("Import rows (JSON Lines)"),
};

const BY_ENDING: Record<string, How> = {
  ...{ txt: "text", text: "text", log: "text", eml: "text", srt: "text", vtt: "text" },
  ...{ md: "markdown", markdown: "markdown", html: "html", htm: "html" },
  ...{ pdf: "pdf", docx: "docx" },
  ...{ csv: "csv", jsonl: "jsonl", ndjson: "jsonl" },
} as Record<string, How>;

export const ACCEPTED = Object.keys(BY_ENDING).map((ending) => `.${ending}`).join(",");
const LARGEST = 20 * 1024 * 1024;

/** These are sent as they are: the server takes the text out of them. */
export const isBinary = (how: How): boolean => how === "pdf" || how === "docx";
/** What else a file may be taken as. */
export const choicesOf = (how: How): How[] =>
  isBinary(how) ? [how] : (Object.keys(HOW) as How[]).filter((each) => !isBinary(each));

const ELSEWHERE: Record<string, string> = {
  graphml: t("Import GraphML on the command line: antiphon kb import <database> <file>."),
  json: t("Convert it to JSON Lines, with one record or edge per line (.jsonl)."),
  doc: t("Save it as .docx or PDF first."),
  odt: t("Save it as .docx or PDF first."),
  rtf: t("Save it as .docx or PDF first."),
  xlsx: t("Save the sheet as CSV first."),
};

/** How a file is taken, or why it cannot be. */
export function howOf(name: string, size: number): { how: How } | { why: string } {
  const ending = name.toLowerCase().split(".").at(-1) ?? "";
  const elsewhere = ELSEWHERE[ending];
  if (elsewhere) return { why: elsewhere };
  if (size === 0) return { why: t("The file is empty.") };
  if (size > LARGEST) {
    return { why: t("The file has {size} MB. For files larger than 20 MB, use the command line: antiphon kb ingest <database> <file>.", { size: Math.ceil(size / 1024 / 1024) }) };
  }
  const how = BY_ENDING[ending];
  return how ? { how } : { why: t("This file type is not supported. Use PDF, Word, text, Markdown, HTML, CSV or JSON Lines.") };
}

/** What files begin with, whatever they are called. */
const BEGINNINGS: [start: number[], what: string][] = [
  [[0x25, 0x50, 0x44, 0x46], "PDF"],
  [[0x50, 0x4b, 0x03, 0x04], "ZIP"],
  [[0x89, 0x50, 0x4e, 0x47], t("a PNG image")],
  [[0xff, 0xd8, 0xff], t("a JPEG image")],
  [[0x47, 0x49, 0x46, 0x38], t("a GIF image")],
  [[0xd0, 0xcf, 0x11, 0xe0], t("an old Office document (.doc, .xls)")],
  [[0x1f, 0x8b], t("a gzip archive")],
];
const NAMED: Record<string, string> = { PDF: t("a PDF"), ZIP: t("a ZIP archive or an Office document") };

/** What a file is that is not what its name says; null: it may be what it says. */
export async function mistaken(file: File, how: How): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const found = BEGINNINGS.find(([start]) => start.every((byte, at) => head[at] === byte))?.[1];
  const wanted = how === "pdf" ? "PDF" : how === "docx" ? "ZIP" : undefined;
  if (found === wanted) return null;
  const said = { pdf: t("a PDF"), docx: t("a Word document") }[how as string] ?? t("text");
  return found ? t("This is {found}, not {said}.", { found: NAMED[found] ?? found, said }) : wanted ? t("This is not {said}, whatever its name says.", { said }) : null;
}

/** The text of a file. Raises with words for what is no text. */
export async function textOf(file: Blob): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(t("The file is not UTF-8 text. Save it as UTF-8 and try again."));
  }
}
