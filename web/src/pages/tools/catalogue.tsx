/** The list of tools: search as you type, filters, counts. What is chosen is in the address. */
import { useRef, useState } from "preact/hooks";

import { plural, t } from "../../i18n";
import { at, go, route } from "../../router";
import { Badge, Button, Empty } from "../../ui/kit";
import { useSome } from "../../ui/some";
import type { Catalogue, Metrics, ToolSummary } from "./api";
import { counts, FACET_NAMES, FACETS, found, readView, SORTS, WORDS, writeView, type Facet, type Sort, type View } from "./search";

export const toolAddress = (id: string): string => at("tools", [id], writeView(readView(route.value.query)));

export function ToolList({ catalogue, metrics, chosen }: { catalogue: Catalogue; metrics: Metrics | null; chosen: string }) {
  const view = readView(route.value.query);
  const fitting = found(catalogue.tools, view, metrics);
  const list = useRef<HTMLUListElement>(null);
  const show = (change: Partial<View>) => go(at("tools", route.value.rest, writeView({ ...view, ...change })), true);
  const narrowed = view.q !== "" || Object.keys(view.chosen).length > 0;
  const { some, more } = useSome(fitting, (tool) => tool.toolId === chosen);
  // The list is one stop of the Tab key: the tool that one was at last, else the chosen one, else the first.
  const [last, remember] = useState("");
  const stop = [last, chosen].find((id) => fitting.some((tool) => tool.toolId === id)) ?? fitting[0]?.toolId;
  const step = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    const here = links.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || (here < 0 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, to))]?.focus();
  };
  return (
    <section class="tools-side" aria-label={t("All tools")}>
      <input type="search" data-tour="tools-search" aria-label={t("Search tools")} placeholder={t("Search by name or purpose")}
        value={view.q} onInput={(event) => show({ q: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && fitting[0]) go(toolAddress(fitting[0].toolId));
          else if (event.key === "ArrowDown") step(event);
        }} />
      <div class="tools-filters" data-tour="tools-filters">
        <Chips tools={catalogue.tools} view={view} show={show} />
        <details open={FACET_NAMES.some((name) => name !== "category" && view.chosen[name])}>
          <summary>{t("More filters and sorting")}</summary>
          <div class="tools-selects">
            {FACET_NAMES.filter((name) => name !== "category").map((name) => (
              <FacetSelect key={name} name={name} tools={catalogue.tools} view={view} show={show} />
            ))}
            <label class="tools-select">{t("Sort by")}
              <select value={view.sort} onChange={(event) => show({ sort: event.currentTarget.value as Sort })}>
                {Object.entries(SORTS).map(([id, title]) => <option key={id} value={id}>{title}</option>)}
              </select>
            </label>
          </div>
        </details>
      </div>
      <div class="tools-count" role="status">
        {fitting.length === catalogue.count ? plural(catalogue.count, "{count} tool", "{count} tools") : t("{shown} of {all} tools", { shown: fitting.length, all: catalogue.count })}
        {narrowed ? <Button kind="quiet" class="sf-act" onClick={() => show({ q: "", chosen: {} })}>{t("Clear")}</Button> : null}
      </div>
      {fitting.length ? (
        <ul class="list tools-list" data-tour="tools-list" ref={list} onKeyDown={step}
          onFocusCapture={(event) => remember((event.target as HTMLElement).dataset["tool"] ?? "")}>
          {some.map((tool) => <Entry key={tool.toolId} tool={tool} here={tool.toolId === chosen} stop={tool.toolId === stop} />)}
        </ul>
      ) : (
        <div data-tour="tools-list">
          <Empty icon="search" title={t("No matching tools")} action={<Button onClick={() => show({ q: "", chosen: {} })}>{t("Show all tools")}</Button>}>
            {t("Try other words, or clear the filters. The search covers names, summaries and descriptions.")}
          </Empty>
        </div>
      )}
      {more}
    </section>
  );
}

function Entry({ tool, here, stop }: { tool: ToolSummary; here: boolean; stop: boolean }) {
  return (
    <li>
      <a class="list-item" data-tool={tool.toolId} href={toolAddress(tool.toolId)} aria-current={here ? "true" : undefined} tabIndex={stop ? 0 : -1}>
        <strong class="tools-name">{tool.toolId}</strong>
        <small class="tools-summary">{tool.description}</small>
        <span class="row tools-badges"><Facts tool={tool} /></span>
      </a>
    </li>
  );
}

/** What one should know of a tool before calling it. */
export function Facts({ tool }: { tool: ToolSummary }) {
  return (
    <>
      <Badge>{WORDS[tool.category] ?? tool.category}</Badge>
      {tool.sideEffects === "writes" ? <Badge kind="warn">{t("writes")}</Badge> : null}
      {tool.requiresConfirmation ? <Badge kind="accent">{t("needs approval")}</Badge> : null}
      {tool.execution !== "server" ? <Badge>{WORDS[tool.execution]}</Badge> : null}
      {tool.allowedModes.length === 1 ? <Badge>{tool.allowedModes[0] === "voice" ? t("voice only") : t("text only")}</Badge> : null}
      {tool.available ? null : <Badge kind="bad">{t("not available")}</Badge>}
    </>
  );
}

interface Choosing {
  tools: ToolSummary[];
  view: View;
  show: (change: Partial<View>) => void;
}

function without(view: View, name: Facet, value: string): View["chosen"] {
  const { [name]: _, ...others } = view.chosen;
  return value ? { ...others, [name]: value } : others;
}

function Chips({ tools, view, show }: Choosing) {
  const each = counts(tools, view, "category");
  const all = [...each.values()].reduce((sum, count) => sum + count, 0);
  const chosen = view.chosen.category ?? "";
  return (
    <div class="tools-chips" role="group" aria-label={t("Category")}>
      {[["", all] as const, ...each].map(([value, count]) => (
        <button type="button" key={value} class="tools-chip" aria-pressed={chosen === value}
          onClick={() => show({ chosen: without(view, "category", value) })}>
          {value ? WORDS[value] : t("All")} <span class="number">{count}</span>
        </button>
      ))}
    </div>
  );
}

function FacetSelect({ name, tools, view, show }: Choosing & { name: Facet }) {
  return (
    <label class="tools-select">{FACETS[name].title}
      <select value={view.chosen[name] ?? ""} onChange={(event) => show({ chosen: without(view, name, event.currentTarget.value) })}>
        <option value="">{t("any")}</option>
        {[...counts(tools, view, name)].map(([value, count]) => <option key={value} value={value}>{WORDS[value] ?? value} ({count})</option>)}
        {view.chosen[name] && !tools.some((tool) => FACETS[name].of(tool).includes(view.chosen[name]!)) ? <option value={view.chosen[name]}>{view.chosen[name]} (0)</option> : null}
      </select>
    </label>
  );
}
