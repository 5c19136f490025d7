/** The registry as a catalogue, and each tool with its guide, schemas, numbers, and a way to try it. */
import { useEffect } from "preact/hooks";

import { ApiError } from "../api/http";
import { useLoad } from "../api/load";
import { rich, t } from "../i18n";
import { at, route } from "../router";
import { Icon } from "../ui/icons";
import { Card, Loading, Problem, Shown } from "../ui/kit";
import { Markdown } from "../ui/markdown";
import { loadCatalogue, loadMetrics, loadTool, recentCalls, type Catalogue, type Metrics } from "./tools/api";
import { Facts, ToolList, toolAddress } from "./tools/catalogue";
import { Metadata, Numbers } from "./tools/facts";
import { Schemas } from "./tools/schemas";
import { readView, writeView } from "./tools/search";
import { TryIt } from "./tools/try-it";
import "./tools.css";

const LINES = 10;

export default function Tools() {
  const catalogue = useLoad(loadCatalogue, []);
  const metrics = useLoad(loadMetrics, []);
  const chosen = route.value.rest[0] ?? "";
  return (
    <Shown of={catalogue}>
      {(data) => (
        <div class={`split tools ${chosen ? "has-chosen" : ""}`}>
          <ToolList catalogue={data} metrics={metrics.data} chosen={chosen} />
          {chosen ? (
            <ToolPage key={chosen} id={chosen} metrics={metrics.data} onDone={metrics.reload} />
          ) : (
            <Welcome catalogue={data} metrics={metrics.data} />
          )}
        </div>
      )}
    </Shown>
  );
}

/** Nothing is chosen yet: what there is, and where to begin. */
function Welcome({ catalogue, metrics }: { catalogue: Catalogue; metrics: Metrics | null }) {
  const { tools } = catalogue;
  const count = (test: (tool: (typeof tools)[number]) => boolean) => tools.filter(test).length;
  const used = Object.entries(metrics?.calls ?? {})
    .map(([id, outcomes]) => ({ id, count: Object.values(outcomes).reduce((sum, each) => sum + each, 0) }))
    .sort((one, two) => two.count - one.count)
    .filter(({ id }) => tools.some((tool) => tool.toolId === id))
    .slice(0, 6);
  const first = ["kb_search", "format_datetime", "svg_chart", "calendar_create_event"].filter((id) => tools.some((tool) => tool.toolId === id));
  return (
    <div class="stack tools-main">
      <Card title={t("One registry for every agent")} tour="tools-guide" class="tools-welcome">
        <p>{t("Every model and you call these tools the same way: same schema, same gates, same audit. Select one to read its guide, the text that agents read.")}</p>
        <dl class="tools-figures">
          <div><dt>{t("Tools")}</dt><dd class="number">{tools.length}</dd></div>
          <div><dt>{t("Can write")}</dt><dd class="number">{count((tool) => tool.sideEffects === "writes")}</dd></div>
          <div><dt>{t("Need approval")}</dt><dd class="number">{count((tool) => tool.requiresConfirmation)}</dd></div>
          <div><dt>{t("Voice-enabled")}</dt><dd class="number">{count((tool) => tool.allowedModes.includes("voice"))}</dd></div>
        </dl>
        <p class="hint">{rich("Registry version {code}", { code: <code>{catalogue.registryVersion}</code> })}</p>
      </Card>
      <Card title={t("Try one")} tour="tools-form">
        <p class="hint">{t("The form is built from the tool's schema. Choose Try it to see the decision, the time and the result.")}</p>
        <Links title={used.length ? t("Most used since the server started") : t("Good starting points")}
          ids={used.length ? used.map((each) => each.id) : first} />
      </Card>
    </div>
  );
}

function Links({ title, ids }: { title: string; ids: string[] }) {
  return (
    <div class="row" role="group" aria-label={title}>
      <span class="hint">{title}:</span>
      {ids.map((id) => <a class="tools-chip" key={id} href={toolAddress(id)}>{id}</a>)}
    </div>
  );
}

function ToolPage({ id, metrics, onDone }: { id: string; metrics: Metrics | null; onDone: () => void }) {
  const tool = useLoad((signal) => loadTool(id, signal), [id]);
  const calls = useLoad((signal) => recentCalls(id, LINES, signal), [id]);
  const all = at("tools", [], writeView(readView(route.value.query)));
  useEffect(() => {
    // Within the list alone: the page stays at the heading of the tool.
    const entry = document.querySelector<HTMLElement>('.tools-list [aria-current="true"]');
    const list = entry?.closest(".tools-list");
    if (!entry || !list) return;
    const below = entry.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
    const above = entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (below > 0) list.scrollTop += below;
    else if (above < 0) list.scrollTop += above;
  }, []);
  const missing = tool.error instanceof ApiError && tool.error.status === 404;
  const nearest = missing ? (tool.error as ApiError & { body: { nearest?: string[] } }).body.nearest ?? [] : [];
  return (
    <div class="stack tools-main">
      <a class="tools-back" href={all}><Icon name="chevron" size={16} />{t("All tools")}</a>
      {missing ? (
        <>
          <Problem error={tool.error} />
          {nearest.length ? <Links title={t("Did you mean")} ids={nearest} /> : null}
        </>
      ) : tool.data === null ? (
        tool.error ? <Problem error={tool.error} retry={tool.reload} /> : <Loading />
      ) : (
        <>
          <header class="tools-head">
            <div class="row"><h2 class="tools-name">{tool.data.toolId}</h2><span class="muted number">{tool.data.version}</span></div>
            <p>{tool.data.description}</p>
            <p class="row"><Facts tool={tool.data} /></p>
          </header>
          <TryIt tool={tool.data} onDone={() => { calls.reload(); onDone(); }} />
          <Card title={t("Guide")} tour="tools-guide"><Markdown text={withoutTitle(tool.data.documentation)} /></Card>
          <Schemas tool={tool.data} />
          <Metadata tool={tool.data} />
          <Numbers tool={tool.data} metrics={metrics} calls={calls} />
        </>
      )}
    </div>
  );
}

/** The guide begins with the tool's name, which stands above already. */
const withoutTitle = (guide: string): string => guide.replace(/^# .*\n+/, "");
