import { callTool } from "../../api/calls";
import { get } from "../../api/http";
import { at } from "../../router";
import type { LeftOut } from "../playbooks/api";

export interface Expert {
  id: string;
  name: string;
  description: string;
  database_id: string;
  types: string[];
  examples: string[];
}
export interface Citation {
  id: string;
  title: string;
  snippet: string;
  url: string | null;
}
export interface Turn {
  at: number;
  message: string;
  answer: string;
  citations: Citation[];
  by: string;
  answered: boolean;
  note?: string | null;
}
export interface ExpertDocument extends Expert {
  persona: string;
  turns: Turn[];
}
export interface ExpertList {
  experts: Expert[];
  folder: string;
  left_out: LeftOut[];
}

export const listExperts = (signal: AbortSignal) => get<ExpertList>("/api/experts", { signal });
export const readExpert = (id: string, signal: AbortSignal) =>
  get<ExpertDocument>(`/api/experts/${encodeURIComponent(id)}`, { signal });

/** Asks, as every tool is called. */
export const askExpert = (expert_id: string, message: string) =>
  callTool<Omit<Turn, "at" | "message">>("chat_with_expert", { expert_id, message });
/** The words that make an expert forget. */
export const START_OVER = "start over";

export const recordOf = (database: string, id: string): string => at("kg-studio", [database, "record", id]);

/** An answer as Markdown: ids of records in square brackets become numbered links to them. */
export function cited(answer: string, citations: Citation[], database: string): string {
  const numbers = new Map(citations.map((each, place) => [each.id, place + 1]));
  return answer.replace(/\[([^[\]\n]{1,200})\](?!\()/g, (mark, inside: string) => {
    const ids = inside.split(",").map((id) => id.trim());
    if (!ids.every((id) => numbers.has(id) || /^[\w-]+:\S+$/.test(id))) return mark;
    return ids.map((id) => `[\\[${numbers.get(id) ?? id}\\]](<${recordOf(database, id)}>)`).join("");
  });
}
