/** A transcript as Markdown, for copying and keeping. */
import { address } from "../api/address";
import { clockTime, duration, fullTime } from "../ui/time";
import type { Entry } from "./transcript";

export function toMarkdown(entries: readonly Entry[], title = "Conversation"): string {
  const began = entries[0];
  const lines = [`# ${title}`, ...(began ? ["", fullTime(began.at)] : [])];
  for (const entry of entries) lines.push("", written(entry));
  return `${lines.join("\n")}\n`;
}

function written(entry: Entry): string {
  const at = clockTime(entry.at);
  if (entry.kind === "user") return `**You** (${at}): ${entry.text.peek()}`;
  if (entry.kind === "assistant") {
    const cut = entry.state.peek() === "interrupted" ? " *(interrupted)*" : "";
    return `**Antiphon** (${at}): ${entry.text.peek()}${cut}`;
  }
  if (entry.kind === "image") {
    const { url, caption, alt } = entry.picture;
    return `![${alt}](${new URL(address(url), location.href)})${caption ? `\n\n${caption}` : ""} (${at})`;
  }
  if (entry.kind === "note") return `*${entry.text}* (${at})`;
  const outcome = entry.outcome.peek();
  const decided = entry.decision ? ` ${entry.decision.outcome}${entry.decision.rule ? ` (rule ${entry.decision.rule})` : ""}` : "";
  const took = outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : "";
  const came = !outcome ? ", no answer yet" : outcome.ok ? `${took}${outcome.replayed ? ", replayed" : ""}` : `${took}, failed: ${outcome.error}`;
  return `> \`${entry.name}\`${decided}${came}\n> \`${JSON.stringify(entry.args ?? {})}\``;
}
