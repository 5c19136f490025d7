/** Finding tools: what the address asks for, what fits it, how much there is of each kind. */
import { t } from "../../i18n";
import type { Metrics, ToolSummary } from "./api";

/** Each filter by its name in the address. */
export const FACETS = {
  category: { title: t("Category"), of: (tool: ToolSummary) => [tool.category] },
  effects: { title: t("Side effects"), of: (tool: ToolSummary) => [tool.sideEffects] },
  mode: { title: t("Mode"), of: (tool: ToolSummary) => tool.allowedModes as string[] },
  confirm: { title: t("Confirmation"), of: (tool: ToolSummary) => [tool.requiresConfirmation ? "asks" : "none"] },
  runs: { title: t("Execution"), of: (tool: ToolSummary) => [tool.execution] },
  area: { title: t("Area"), of: (tool: ToolSummary) => [tool.catalogue ?? "workspace"] },
  available: { title: t("Available"), of: (tool: ToolSummary) => [tool.available ? "yes" : "no"] },
} as const;

export type Facet = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as Facet[];

export const WORDS: Record<string, string> = {
  retrieval: t("Retrieval"), action: t("Action"), utility: t("Utility"),
  none: t("none"), read_only: t("read-only"), writes: t("writes"), voice: t("voice"), text: t("text"), yes: t("yes"), no: t("no"),
  asks: t("needs approval"), server: t("on the server"), client: t("in the browser"), background: t("in the background"),
};

export const SORTS = {
  "": t("Name or best match"),
  category: t("Category"),
  used: t("Most used"),
  slow: t("Slowest (p95)"),
  budget: t("Latency budget"),
} as const;
export type Sort = keyof typeof SORTS;

export interface View {
  q: string;
  sort: Sort;
  chosen: Partial<Record<Facet, string>>;
}

export function readView(query: URLSearchParams): View {
  const sort = query.get("sort") ?? "";
  const chosen: View["chosen"] = {};
  for (const name of FACET_NAMES) {
    const value = query.get(name);
    if (value) chosen[name] = value;
  }
  return { q: query.get("q") ?? "", sort: sort in SORTS ? (sort as Sort) : "", chosen };
}

export function writeView({ q, sort, chosen }: View): Record<string, string> {
  return { q, ...chosen, sort };
}

/** They say nothing of what a tool does. */
const SMALL = new Set("a an and at by for from in into is it me my of on or the this to what which with".split(" "));

/** The words that count; all of them, where there are no others. */
function wordsIn(q: string): string[] {
  const all = q.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !SMALL.has(word));
  return telling.length ? telling : all;
}

/** How well a tool fits the words; 0 when one of them is nowhere in it. */
export function score(tool: ToolSummary, q: string): number {
  const words = wordsIn(q);
  const id = tool.toolId.toLowerCase();
  const parts = id.split("_");
  const about = `${tool.summary}\n${tool.description}`.toLowerCase();
  const whole = q.trim().toLowerCase().replace(/[\s-]+/g, "_");
  let sum = id === whole ? 100 : whole && id.startsWith(whole) ? 40 : 0;
  for (const word of words) {
    const plain = word.replaceAll("-", "_");
    if (parts.includes(plain)) sum += 12;
    else if (parts.some((part) => part.startsWith(plain))) sum += 8;
    else if (id.includes(plain)) sum += 6;
    else if (new RegExp(`\\b${word.replace(/[^\w]/g, "\\$&")}`).test(about)) sum += 3;
    else if (about.includes(word)) sum += 1;
    else return 0;
  }
  return words.length ? sum : 1;
}

/** What fits the words, or where nothing fits them all, what fits most of them best. */
export function related(tools: ToolSummary[], q: string): ToolSummary[] {
  const all = found(tools, { q, sort: "", chosen: {} });
  if (all.length) return all;
  const words = wordsIn(q);
  const hits = new Map(tools.map((tool) => [tool, words.reduce((sum, word) => sum + score(tool, word), 0)]));
  return tools
    .filter((tool) => hits.get(tool)! > 0)
    .sort((one, two) => hits.get(two)! - hits.get(one)! || one.toolId.localeCompare(two.toolId));
}

const fitsFacet = (tool: ToolSummary, name: Facet, value: string | undefined): boolean =>
  value === undefined || FACETS[name].of(tool).includes(value);

/** What fits, in order. */
export function found(tools: ToolSummary[], view: View, metrics?: Metrics | null): ToolSummary[] {
  const scores = new Map(tools.map((tool) => [tool, score(tool, view.q)]));
  const fitting = tools.filter(
    (tool) => scores.get(tool)! > 0 && FACET_NAMES.every((name) => fitsFacet(tool, name, view.chosen[name])),
  );
  const calls = (tool: ToolSummary) => Object.values(metrics?.calls[tool.toolId] ?? {}).reduce((sum, each) => sum + each, 0);
  const order: Record<Sort, (one: ToolSummary, two: ToolSummary) => number> = {
    "": (one, two) => scores.get(two)! - scores.get(one)!,
    category: (one, two) => one.category.localeCompare(two.category),
    used: (one, two) => calls(two) - calls(one),
    slow: (one, two) => (metrics?.latency[two.toolId]?.p95 ?? -1) - (metrics?.latency[one.toolId]?.p95 ?? -1),
    budget: (one, two) => one.latencyBudgetMs - two.latencyBudgetMs,
  };
  const by = view.q || view.sort ? order[view.sort] : () => 0;
  return fitting.sort((one, two) => by(one, two) || one.toolId.localeCompare(two.toolId));
}

/** How many there would be with each value of a filter, the others as they are. */
export function counts(tools: ToolSummary[], view: View, name: Facet): Map<string, number> {
  const { [name]: _, ...others } = view.chosen;
  const made = new Map<string, number>();
  for (const tool of tools) for (const value of FACETS[name].of(tool)) made.set(value, 0);
  for (const tool of found(tools, { ...view, chosen: others })) {
    for (const value of FACETS[name].of(tool)) made.set(value, made.get(value)! + 1);
  }
  return new Map([...made].sort(([one], [two]) => one.localeCompare(two)));
}
