/** A call in one line: what it was given, and what came of it. */
import type { ToolOutcome } from "../transcript";

const LONG = 70;

/** The values that say most: words before numbers. */
export function argsInWords(args: unknown): string {
  if (args === null || typeof args !== "object") return args === undefined || args === null ? "" : cut(String(args));
  const values = Object.values(args as Record<string, unknown>);
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  const shown = texts.length ? texts : values.filter((value) => typeof value === "number" || typeof value === "boolean");
  return cut(shown.map((value) => (typeof value === "string" && value.includes(" ") ? `“${value}”` : String(value))).join(", "));
}

/** Under these names results are lists. */
const NOUNS: Record<string, string> = { results: "result", records: "record", databases: "database", messages: "message" };

export function resultInWords({ ok, error, errorType, result }: ToolOutcome): string {
  if (!ok) return errorType === "CONFIRMATION_REQUIRED" ? "waits for your answer" : cut(error ?? "failed");
  if (result === null || typeof result !== "object") return result === undefined || result === null ? "done" : cut(String(result));
  const fields = Object.entries(result as Record<string, unknown>).filter(([name]) => name !== "success");
  const lists = fields.filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const said = fields.find(([name, value]) => ["summary", "answer", "message", "text"].includes(name) && typeof value === "string");
  if (said) return cut(said[1] as string);
  if (lists.length === 1) {
    const [name, list] = lists[0]!;
    const noun = NOUNS[name] ?? name.replace(/_/g, " ").replace(/s$/, "");
    return `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
  }
  const short = fields.filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  if (!short.length) return "done";
  return cut(short.slice(0, 3).map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`).join(", "));
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONG ? `${line.slice(0, LONG - 1).trimEnd()}…` : line;
}
