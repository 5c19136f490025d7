/** Macros to begin with. Each uses functions that are here, and is a draft until it is saved. */
import { t } from "../../i18n";
import type { ToolSummary } from "../tools/api";
import { draftOf, type Draft, type Macro } from "./draft";

const EXAMPLES: Partial<Macro>[] = [
  {
    name: t("Good morning"),
    trigger_phrase: t("good morning"),
    steps: [
      { function: "list_kgs", args: {}, pipe_from: null },
      { function: "get_kg_analytics", args: {}, pipe_from: 1 },
      { function: "list_projects", args: {}, pipe_from: null },
    ],
  },
  {
    name: t("Find and tell"),
    trigger_phrase: t("look it up"),
    steps: [
      { function: "list_kgs", args: {}, pipe_from: null },
      { function: "search_kg", args: { query: "automation", limit: 1 }, pipe_from: 1 },
      {
        function: "query_kg",
        args: {},
        pipe_from: [
          { step: 1, path: "databases/0/id", to: "database_id" },
          { step: 2, path: "results/0/title", to: "query" },
        ],
      },
    ],
  },
  {
    name: t("Show the numbers"),
    trigger_phrase: t("show the numbers"),
    steps: [{ function: "navigate_page", args: { path: "metrics" }, pipe_from: null }],
  },
];

export function Examples({ tools, onChoose }: { tools: ToolSummary[]; onChoose: (draft: Draft) => void }) {
  const known = new Set(tools.map((tool) => tool.toolId));
  const usable = EXAMPLES.filter((each) => each.steps!.every((step) => known.has(step.function)));
  if (!usable.length) return null;
  return (
    <div class="row" role="group" aria-label={t("Examples")}>
      <span class="hint">{t("Start from an example:")}</span>
      {usable.map((each) => <button type="button" class="macros-chip" key={each.name} onClick={() => onChoose(draftOf(each))}>{each.name}</button>)}
    </div>
  );
}
