/** The knowledge base over HTTP, with the shapes of its answers. */
import { address } from "../../api/address";
import { del, get, post, put, type Options, upload } from "../../api/http";
import type { GraphEdge, GraphNode } from "../../ui/graph/model";

export interface Database {
  id: string;
  title: string;
  description: string;
  records: number;
  edges: number;
  updated: string;
}
export interface DatabaseDetail extends Database {
  /** Records that wait for an embedding. */
  pending: number;
}
export interface KnowledgeRecord {
  id: string;
  type: string;
  title: string;
  text: string;
  tags: string[];
  url: string;
  source_type: string;
  last_updated: string;
  metadata: Record<string, unknown>;
}
export interface Explain {
  cosine: number | null;
  bm25: number;
  covered: number;
  graph: number;
  fused: number;
  named: boolean;
  matched: Record<string, number>;
  neighbours: { id: string; relation: string }[];
}
export interface Evidence {
  id: string;
  type: string;
  title: string;
  snippet: string;
  score: number;
  source_type: string;
  last_updated: string;
  url: string;
  metadata: Record<string, unknown>;
  explain?: Explain;
}
export interface Found {
  count: number;
  query_time_ms: number;
  results: Evidence[];
}
export interface Ranked {
  id: string;
  type: string;
  title: string;
  value: number;
}
export interface Analytics {
  nodes: number;
  edges: number;
  types: Record<string, number>;
  relations: Record<string, number>;
  self_edges: number;
  density: number;
  degree: { mean: number; top: (Ranked & { in: number; out: number })[] };
  pagerank: Ranked[];
  betweenness: { sampled: number; top: Ranked[] };
  communities: {
    count: number;
    modularity: number;
    top: { name: string; size: number; types: Record<string, number>; members: Omit<Ranked, "value">[] }[];
  };
  components: { count: number; sizes: number[]; largest: number };
  isolated: { count: number; records: Omit<Ranked, "value">[] };
}
export interface Neighbourhood {
  nodes: GraphNode[];
  edges: GraphEdge[];
}
export interface Overview extends Neighbourhood {
  complete: boolean;
}
export interface IngestReport {
  document: string;
  source: string;
  kind: string;
  title: string;
  characters: number;
  extractor: string;
  pieces: number;
  pieces_by_rules: number;
  by_rules: { first: number; last: number; reason: string }[];
  sentences: number;
  entities: Record<string, number>;
  entities_new: number;
  entities_merged: number;
  relations: Record<string, number>;
  relations_new: number;
  relations_merged: number;
  skipped: Record<string, number>;
  notes: string[];
  unchanged: boolean;
  complete: boolean;
}
export interface ImportReport {
  format: string;
  records_added: number;
  records_changed: number;
  records_unchanged: number;
  edges_added: number;
  edges_changed: number;
  edges_unchanged: number;
  bad: number;
  problems: BadRow[];
}
export interface BadRow {
  line: number;
  reason: string;
}

export interface Asked {
  q: string;
  types: string[];
  tags: string[];
  since: string;
  until: string;
}

const base = (database: string) => `/api/knowledge/${encodeURIComponent(database)}`;
export const recordPath = (database: string, id: string) => `${base(database)}/records/${encodeURIComponent(id)}`;

export const listDatabases = (signal: AbortSignal) =>
  get<{ databases: Database[] }>("/api/knowledge", { signal }).then((body) => body.databases);
export const readDatabase = (database: string, signal: AbortSignal) => get<DatabaseDetail>(base(database), { signal });
export const makeDatabase = (body: { id: string; title: string; description: string }) =>
  post<DatabaseDetail>("/api/knowledge", body);
export const deleteDatabase = (database: string) => del(base(database));
export const exportPath = (database: string) => address(`${base(database)}/export`);

export function search(database: string, asked: Asked, k: number, signal: AbortSignal): Promise<Found> {
  const query = new URLSearchParams({ q: asked.q, k: String(k), explain: "true" });
  for (const type of asked.types) query.append("type", type);
  for (const tag of asked.tags) query.append("tags", tag);
  if (asked.since) query.set("since", asked.since);
  if (asked.until) query.set("until", asked.until);
  return get<Found>(`${base(database)}/search?${query}`, { signal });
}

export const readRecord = (database: string, id: string, signal: AbortSignal) =>
  get<KnowledgeRecord>(recordPath(database, id), { signal });
/** `fresh`: it is refused (412) where there is one with this id. */
export const writeRecord = (database: string, { id, ...body }: KnowledgeRecord, fresh: boolean) =>
  put<KnowledgeRecord>(recordPath(database, id), body, fresh ? { headers: { "If-None-Match": "*" } } : {});
export const deleteRecord = (database: string, id: string) => del(recordPath(database, id));

export const neighbourhood = (database: string, id: string, depth: number, limit: number, options: Options = {}) =>
  get<Neighbourhood>(`${base(database)}/neighbourhood/${encodeURIComponent(id)}`, { ...options, query: { depth, limit } });
export const overview = (database: string, limit: number, options: Options = {}) =>
  get<Overview>(`${base(database)}/graph`, { ...options, query: { limit } });
export const writeEdge = (database: string, edge: Omit<GraphEdge, "provenance"> & { provenance?: object }) =>
  put<GraphEdge>(`${base(database)}/edges`, edge);
export const deleteEdge = (database: string, { source, target, relation }: GraphEdge) =>
  del(`${base(database)}/edges`, { query: { source, target, relation } });

export const analytics = (database: string, signal: AbortSignal) => get<Analytics>(`${base(database)}/analytics`, { signal });
export const ingestFile = (database: string, file: File, signal: AbortSignal, onProgress: (fraction: number) => void) =>
  upload<IngestReport>(`${base(database)}/files?name=${encodeURIComponent(file.name)}`, file, { signal, onProgress });
export const ingestText = (database: string, body: { text: string; kind: string; source: string }, signal: AbortSignal) =>
  post<IngestReport>(`${base(database)}/ingest`, body, { signal });

/** JSON lines or CSV. Rows that do not fit stop it, or are left out. */
export const importRows = (database: string, text: string, format: "jsonl" | "csv", skip: boolean, signal: AbortSignal) =>
  post<ImportReport>(`${base(database)}/import`, text, {
    query: { on_error: skip ? "skip" : "stop" },
    headers: { "Content-Type": format === "csv" ? "text/csv" : "application/x-ndjson" },
    signal,
  });
