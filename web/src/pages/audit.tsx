/** The record of every decision: filtered, page by page, checked, exported and replayed. */
import { useState } from "preact/hooks";

import { get, said } from "../api/http";
import { useLoad } from "../api/load";
import { plural, t } from "../i18n";
import { at, go, route } from "../router";
import { toast } from "../stores/toasts";
import { SavedRequests } from "../ui/call-menu";
import { Drawer } from "../ui/drawer";
import { Icon } from "../ui/icons";
import { Button, Empty, Shown, Switch } from "../ui/kit";
import { useReload } from "../ui/poll";
import "../ui/rows.css";
import { Filters } from "./audit/filters";
import { LineDetail } from "./audit/line";
import { Replay } from "./audit/replay";
import { exportAddress, isFiltered, readView, writeView, type Line, type Lines, type View } from "./audit/shapes";
import { Table } from "./audit/table";
import { Verify } from "./audit/verify";
import "./audit.css";

const PAGE = 100;
const POLL_MS = 3000;

async function ask(view: View, signal?: AbortSignal, limit = PAGE): Promise<Lines> {
  const { filters, before, after, line } = view;
  const query = { ...filters, limit, newest_first: after === null, before_seq: before ?? undefined, after_seq: after ?? undefined };
  const found = await get<Lines>("/api/audit", { query, ...(signal ? { signal } : {}) });
  if (after === null) {
    const last = found.lines.at(-1);
    // A link to one line alone: the page that has it, with its neighbours.
    if (line !== null && before === null && last && line < last.seq) return ask({ ...view, before: line + PAGE / 2 }, signal);
    return found;
  }
  const lines = found.lines.toReversed();
  // So near to the newest line: the first page has all of these, and does not stand still.
  if (lines.length < limit) return ask({ ...view, after: null, line: null }, signal);
  return { lines, next: after + 1 };
}

export default function Audit() {
  const view = readView(route.value.query);
  const [follow, setFollow] = useState(false);
  const [replaying, replay] = useState(false);
  const lines = useLoad((signal) => ask(view, signal), [JSON.stringify({ ...view, line: null })]);
  const first = view.before === null && view.after === null;
  useReload(lines, POLL_MS, follow && first);
  const show = (change: Partial<View>, replace = false) => go(at("audit", [], writeView({ ...view, ...change })), replace);
  return (
    <div class="with-drawer audit">
      <div class="stack audit-main">
        <Filters view={view} onChange={(next) => go(at("audit", [], writeView(next)), true)}>
          {first ? <Switch label={t("Follow")} checked={follow} onChange={setFollow} /> : null}
          <SavedRequests />
          <Verify />
          <Button kind="quiet" icon="refresh" onClick={() => replay(true)}>{t("Replay")}</Button>
          <a class="button quiet" href={exportAddress(view.filters)} download="audit.jsonl" data-tour="audit-export">
            <Icon name="download" size={16} />{isFiltered(view) ? t("Export filtered") : t("Export")}
          </a>
        </Filters>
        <section class="stack audit-lines" aria-label={t("Lines")} data-tour="audit-lines">
          <Shown of={lines}>
            {(data) => (
              <>
                {data.lines.length ? <Table lines={data.lines} view={view} /> : <Nothing view={view} />}
                <nav class="row" aria-label={t("Pages of the audit")}>
                  <p class="hint" role="status">{counted(data, first)}</p>
                  <span class="spring" />
                  <Button disabled={first} onClick={() => show({ before: null, after: null })}>{t("Newest")}</Button>
                  <Button disabled={first || !data.lines.length} onClick={() => show({ before: null, after: data.lines[0]!.seq })}>{t("Newer")}</Button>
                  <Button disabled={data.next === null || !data.lines.length} onClick={() => show({ after: null, before: data.lines.at(-1)!.seq })}>{t("Older")}</Button>
                </nav>
              </>
            )}
          </Shown>
        </section>
      </div>
      {view.line !== null ? <Chosen view={view} lines={lines.data?.lines ?? []} onShow={show} /> : null}
      {replaying ? <Replay session={view.filters.session} onClose={() => replay(false)} /> : null}
    </div>
  );
}

/** The line that is looked at; its neighbours are those that the filters leave, on whatever page. */
function Chosen({ view, lines, onShow }: { view: View; lines: Line[]; onShow: (change: Partial<View>, replace?: boolean) => void }) {
  const seq = view.line!;
  const here = lines.findIndex((line) => line.seq === seq);
  const step = async (down: boolean) => {
    const near = here < 0 ? undefined : lines[here + (down ? 1 : -1)];
    if (near) return onShow({ line: near.seq }, true);
    const place = down ? { before: seq, after: null } : { before: null, after: seq };
    try {
      const query = { ...view.filters, limit: 1, newest_first: down, before_seq: place.before ?? undefined, after_seq: place.after ?? undefined };
      const [next] = (await get<Lines>("/api/audit", { query })).lines;
      if (next) onShow({ ...place, line: next.seq }, true);
    } catch (error) {
      toast(said(error), { kind: "bad" });
    }
    return undefined;
  };
  return (
    <Drawer title={t("Line {number}", { number: String(seq) })} class="audit-drawer" onClose={() => onShow({ line: null })}
      onPrev={() => void step(false)} onNext={() => void step(true)}>
      <LineDetail seq={seq} />
    </Drawer>
  );
}

function counted({ lines, next }: Lines, first: boolean): string {
  if (!lines.length) return t("No lines");
  const from = lines[0]!.seq;
  const to = lines.at(-1)!.seq;
  const words = plural(lines.length, "Line {from}", "{count} lines, {from} to {to}", { from, to });
  return [words, first ? t("newest first") : "", next === null ? t("no older lines") : ""].filter(Boolean).join(" · ");
}

function Nothing({ view }: { view: View }) {
  if (isFiltered(view)) {
    return <Empty icon="search" title={t("No line matches these filters")}><p><a href={at("audit")}>{t("Clear filters")}</a></p></Empty>;
  }
  return (
    <Empty icon="audit" title={t("No decisions yet")}>
      <p>{t("Every call leaves a line here: what was asked, which rule decided, and how it ended.")}</p>
      <p><a href={at("tools")}>{t("Try a tool")}</a></p>
    </Empty>
  );
}
