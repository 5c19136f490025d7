import { get } from "../../api/http";

export interface Playbook {
  id: string;
  path: string;
  title: string;
  summary: string;
  tags: string[];
  steps: number;
  snippet?: string;
  score?: number;
}
export interface PlaybookDocument extends Playbook {
  outline: string[];
  text: string;
}
export interface LeftOut {
  file: string;
  reason: string;
}
export interface PlaybookList {
  playbooks: Playbook[];
  count: number;
  /** Where people put their own. */
  folder: string;
  left_out: LeftOut[];
}

export const listPlaybooks = (query: string, signal: AbortSignal) =>
  get<PlaybookList>("/api/playbooks", { query: { query }, signal });
export const readPlaybook = (id: string, signal: AbortSignal) =>
  get<PlaybookDocument>(`/api/playbooks/${encodeURIComponent(id)}`, { signal });

/** The headings of a Markdown text, without those inside of code. */
export function headings(text: string): { depth: number; title: string }[] {
  const found: { depth: number; title: string }[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1] ?? "";
    if (fence) {
      if (mark.startsWith(fence)) fence = "";
      continue;
    }
    if (mark) {
      fence = mark;
      continue;
    }
    const heading = /^(#{1,4})\s+(.+?)\s*#*$/.exec(line);
    if (heading) found.push({ depth: heading[1]!.length, title: plain(heading[2]!) });
  }
  return found;
}

/** Without the marks of Markdown. */
export function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[*_`]{1,2}([^*_`]+)[*_`]{1,2}/g, "$1");
}
