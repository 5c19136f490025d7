/** Each turn as a waterfall: what took how long, from the question to the last sound. */
import { useEffect, useMemo, useRef } from "preact/hooks";

import { get } from "../api/http";
import { usePages, type Pages } from "../api/pages";
import { plural, t } from "../i18n";
import { at, go, route } from "../router";
import { Drawer } from "../ui/drawer";
import { FilterChips, filtersInAddress, type Filter } from "../ui/filter-chips";
import { Icon } from "../ui/icons";
import { Empty, Shown } from "../ui/kit";
import { Older } from "../ui/older";
import "../ui/rows.css";
import { briefAgo, duration, fullTime } from "../ui/time";
import { TraceDetail } from "./traces/detail";
import { idOf, percent, titleOf, type TracePage, type TraceSummary } from "./traces/shapes";
import "./traces.css";

const PAGE = 50;
const NAMES = ["session", "slower_than"] as const;
type Values = Record<(typeof NAMES)[number], string>;

const CHOICES: readonly Filter<keyof Values>[] = [
  { id: "session", label: t("Session ID") },
  { id: "slower_than", label: t("Slower than"), options: [500, 1000, 2000, 5000].map((ms) => ({ value: String(ms), label: duration(ms) })),
    show: (value) => duration(Number(value)) },
];
const READY = [{ title: t("Slower than {time}", { time: duration(1000) }), values: () => ({ slower_than: "1000" }) }];

export default function Traces() {
  const filters = filtersInAddress(NAMES);
  const list = usePages(JSON.stringify(filters), async (before, signal) => {
    const page = await get<TracePage>("/api/traces", { query: { ...filters, limit: PAGE, before }, ...(signal ? { signal } : {}) });
    return { items: page.traces, next: page.next_before };
  }, idOf);
  const [session, turn] = route.value.rest;
  const chosen = session && turn ? `${session}/${turn}` : "";
  const traces = list.data ?? [];
  const here = traces.findIndex((trace) => idOf(trace) === chosen);
  const open = (trace: TraceSummary) => go(address(trace, filters, route.value.query.get("with") ?? ""), true);
  const older = async () => {
    const next = traces[here + 1] ?? (await list.more!())[0];
    if (next) open(next);
  };
  return (
    <div class="with-drawer traces">
      <List list={list} filters={filters} chosen={chosen} />
      {session && turn ? (
        <Drawer class="wide" title={here >= 0 ? titleOf(traces[here]!) : t("Turn {number}", { number: turn })}
          onClose={() => go(at("traces", [], filters))}
          onPrev={here > 0 ? () => open(traces[here - 1]!) : null}
          onNext={here >= 0 && (here + 1 < traces.length || list.more) ? () => void older() : null}>
          <TraceDetail session={session} turn={turn} others={traces} />
        </Drawer>
      ) : null}
    </div>
  );
}

const address = (trace: TraceSummary, filters: Values, other = ""): string =>
  at("traces", [trace.session_id, String(trace.turn)], { ...filters, with: other });

function List({ list, filters, chosen }: { list: Pages<TraceSummary>; filters: Values; chosen: string }) {
  return (
    <section class="stack traces-side" aria-label={t("Traces")} data-tour="traces-list">
      <FilterChips label={t("Filters")} tour="traces-filters" filters={CHOICES} values={filters} ready={READY}
        onChange={(values) => go(at("traces", route.value.rest, values), true)} />
      <div class="stack" data-tour="traces-waterfall"><Shown of={list}>
        {(traces) => {
          const most = Math.max(...traces.map((trace) => trace.duration_ms), 1);
          return traces.length ? (
            <>
              <p class="hint" role="status">{list.more ? t("{count} newest turns", { count: traces.length }) : plural(traces.length, "{count} turn", "{count} turns")}</p>
              <ul class="rows">
                {traces.map((trace) => (
                  <li key={idOf(trace)}><Item trace={trace} filters={filters} here={idOf(trace) === chosen} most={most} /></li>
                ))}
              </ul>
              {list.more ? <Older key={traces.length} more={list.more} /> : null}
            </>
          ) : <Nothing filtered={Object.values(filters).some(Boolean)} />;
        }}
      </Shown></div>
    </section>
  );
}

interface Row {
  trace: TraceSummary;
  filters: Values;
  here: boolean;
  most: number;
}

/** Of thousands of rows, only those that changed are drawn anew. */
function Item(row: Row) {
  const { trace, filters, here, most } = row;
  return useMemo(() => <Face {...row} />, [trace, JSON.stringify(filters), here, most, Math.floor(Date.now() / 60_000)]);
}

function Face({ trace, filters, here, most }: Row) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (here) link.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <a class="rows-item" ref={link} href={address(trace, filters)} aria-current={here ? "true" : undefined}>
      <Icon name={trace.mode === "voice" ? "mic" : "chat"} size={15} />
      <span class="rows-title" title={titleOf(trace)}>{titleOf(trace)}</span>
      {trace.calls ? <span class="rows-wide muted">{plural(trace.calls, "{count} call", "{count} calls")}</span> : null}
      <span class="rows-wide traces-bar" aria-hidden="true">
        <i style={{ width: percent(trace.duration_ms, most) }} /><i class="is-wait" style={{ width: percent(trace.wait_ms ?? 0, most) }} />
      </span>
      <span class="number traces-wait" title={t("Wait for the first words or sound")}>{trace.wait_ms === null ? "–" : duration(trace.wait_ms)}</span>
      <time class="number muted" title={fullTime(trace.started_at)}>{briefAgo(trace.started_at)}</time>
    </a>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon="search" title={t("No turn matches these filters")}><p><a href={at("traces")}>{t("Clear filters")}</a></p></Empty>
  ) : (
    <Empty icon="clock" title={t("No turns yet")}>
      <p>{t("Ask something to see how long each part took: the model, each tool with its gates, and the first sound.")}</p>
      <p><a href={at("chat")}>{t("Start a conversation")}</a></p>
    </Empty>
  );
}
