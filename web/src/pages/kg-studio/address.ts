/** What the address says of KG Studio: `#/kg-studio/<database>[/record/<id>|/new]?tab=…&q=…`. */
import { t } from "../../i18n";
import { at, go, route } from "../../router";
import type { Asked } from "./api";

export const TABS = [
  { id: "search", title: t("Search") },
  { id: "graph", title: t("Graph") },
  { id: "ingest", title: t("Add") },
  { id: "analytics", title: t("Analytics") },
] as const;
export type TabId = (typeof TABS)[number]["id"];

export interface Place {
  database: string;
  /** The record that is read; null: none. */
  record: string | null;
  /** A record is written: the one that is read, or a new one. */
  editing: boolean;
  tab: TabId;
  asked: Asked;
  query: URLSearchParams;
}

export function here(): Place {
  const { rest, query } = route.value;
  const [database = "", what = "", ...more] = rest;
  const record = what === "record" && more.length ? more.join("/") : null;
  const tab = TABS.find((each) => each.id === query.get("tab"))?.id;
  return {
    database,
    record,
    editing: what === "new" || (record !== null && query.has("edit")),
    tab: tab ?? (query.has("task") ? "ingest" : "search"),
    asked: {
      q: query.get("q") ?? "",
      types: listed(query.get("type")),
      tags: listed(query.get("tag")),
      since: query.get("since") ?? "",
      until: query.get("until") ?? "",
    },
    query,
  };
}

/** The address of a search. */
export function searchAt(database: string, asked: Partial<Asked>): string {
  return at("kg-studio", [database], told(asked));
}

/** A record's page; what was searched for stays beside it. */
export function recordAt(database: string, id: string, asked: Partial<Asked> = {}, edit = false): string {
  return at("kg-studio", [database, "record", id], { ...told(asked), edit: edit ? "1" : "" });
}

export function newRecordAt(database: string): string {
  return at("kg-studio", [database, "new"]);
}

export function tabAt(database: string, tab: TabId, query: Record<string, string> = {}): string {
  return at("kg-studio", [database], { ...(tab === "search" ? {} : { tab }), ...query });
}

function told({ q = "", types = [], tags = [], since = "", until = "" }: Partial<Asked>): Record<string, string> {
  return { q, type: types.join(","), tag: tags.join(","), since, until };
}

const listed = (value: string | null): string[] =>
  (value ?? "").split(",").map((each) => each.trim()).filter(Boolean);

/** Changes some of the query in place, without a step in the history. */
export function change(values: Record<string, string | null>): void {
  const { rest, query } = route.value;
  const next = Object.fromEntries(query);
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete next[key];
    else next[key] = value;
  }
  go(at("kg-studio", rest, next), true);
}
