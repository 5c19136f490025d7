/** KG Studio: knowledge to search, look around in, teach and count. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { useLoad } from "../api/load";
import { plural, rich, t } from "../i18n";
import { go } from "../router";
import { may } from "../stores/account";
import { guided } from "../stores/tour";
import { Icon } from "../ui/icons";
import { Button, Empty, Problem, Shown, Tabs } from "../ui/kit";
import { type Database, listDatabases, readDatabase } from "./kg-studio/api";
import { here, newRecordAt, type Place, recordAt, searchAt, TABS, tabAt, type TabId } from "./kg-studio/address";
import { AnalyticsTab } from "./kg-studio/analytics-tab";
import { Databases, Unmake } from "./kg-studio/databases";
import { Editor } from "./kg-studio/editor";
import { GraphTab } from "./kg-studio/graph-tab";
import { IngestTab } from "./kg-studio/ingest-tab";
import { written } from "./kg-studio/jobs";
import { RecordPane } from "./kg-studio/record";
import { Search } from "./kg-studio/search";
import "./kg-studio.css";

export default function KgStudio() {
  const place = here();
  const [round, again] = useState(0);
  const [gone, bury] = useState<readonly string[]>([]);
  const changed = () => again((count) => count + 1);
  const all = useLoad(listDatabases, [round, written.value]);
  const databases = all.data?.filter((each) => !gone.includes(each.id)) ?? null;
  const asked = useRef("");
  // Whoever comes back to an address asks anew.
  useLayoutEffect(() => void (asked.current = ""), [place.database]);
  useEffect(() => {
    if (!databases || all.loading) return;
    if (!place.database) {
      const first = databases.find((each) => each.id === lastSeen()) ?? databases.toSorted((a, b) => b.records - a.records)[0];
      if (first) go(tabAt(first.id, place.tab, Object.fromEntries(place.query)), true);
    } else if (databases.some((each) => each.id === place.database)) {
      see(place.database);
    } else if (asked.current !== place.database && !gone.includes(place.database)) {
      // Somebody may have made it since: the command line, or the conversation.
      asked.current = place.database;
      all.reload();
    }
  }, [place.database, databases?.length, all.loading]);
  return (
    <Shown of={databases ? { ...all, data: databases } : { ...all, data: null }}>{(known) => {
      const chosen = known.find((each) => each.id === place.database);
      return (
        <>
          <Databases databases={known} chosen={place.database} onMade={() => { bury([]); changed(); }} />
          {chosen ? <Studio key={chosen.id} place={place} database={chosen} round={round + written.value} onChanged={changed}
              onGone={() => { go("kg-studio", true); bury([...gone, chosen.id]); changed(); }} />
            : place.database ? (all.loading || asked.current !== place.database ? null : <Missing id={place.database} known={known} onRetry={all.reload} />)
            : known.length ? null : (
              <Empty icon="graph" title={t("No databases yet")}>
                <p>{rich("Create one above, or restore the sample: delete {code} in the knowledge folder and restart the server.", { code: <code>.sample.json</code> })}</p>
              </Empty>
            )}
        </>
      );
    }}</Shown>
  );
}

const SEEN = "antiphon.kg";
function lastSeen(): string | null {
  try {
    return localStorage.getItem(SEEN);
  } catch {
    return null;
  }
}
function see(database: string): void {
  try {
    localStorage.setItem(SEEN, database);
  } catch {
    // A private window may refuse: then the largest is opened first.
  }
}

function Missing({ id, known, onRetry }: { id: string; known: Database[]; onRetry: () => void }) {
  return (
    <>
      <Problem error={t("There is no database {id}. It may have been deleted or renamed.", { id })} retry={onRetry} />
      {known.length ? <p>{rich("Databases: {names}.", { names: known.map((each, at) => <>{at ? ", " : ""}<a href={tabAt(each.id, "search")}>{each.title || each.id}</a></>) })}</p> : null}
    </>
  );
}

/** Which tab a step of the tour is about. */
const TOUR: Record<string, TabId> = {
  "kg-studio-search": "search", "kg-studio-results": "search", "kg-studio-graph": "graph",
  "kg-studio-ingest": "ingest", "kg-studio-analytics": "analytics",
};

function Studio({ place, database, round, onChanged, onGone }: {
  place: Place; database: Database; round: number; onChanged: () => void; onGone: () => void;
}) {
  const [deleting, remove] = useState(false);
  const { tab } = place;
  const title = database.title || database.id;
  const detail = useLoad((signal) => readDatabase(database.id, signal), [database.id, round]);
  const now = guided.value;
  const step = now?.page === "kg-studio" ? now.tour.steps[now.index]?.target : undefined;
  useEffect(() => {
    // The tour opens the tab that it speaks of.
    const wanted = Object.entries(TOUR).find(([name]) => step?.includes(`"${name}"`))?.[1];
    if (wanted && wanted !== here().tab) go(tabAt(database.id, wanted), true);
  }, [step]);
  const teaches = may("knowledge.write");
  const panel = (id: TabId) => ({ role: "tabpanel" as const, "aria-label": TABS.find((each) => each.id === id)!.title, hidden: tab !== id, class: "kg-panel" });
  return (
    <>
      <div class="kg-head">
        <Tabs label={t("Views of {title}", { title })} tabs={TABS.filter(({ id }) => id !== "ingest" || teaches)} chosen={tab} onChoose={(id) => go(tabAt(database.id, id))} />
        <div class="row">
          {teaches ? <a class="button quiet" href={newRecordAt(database.id)}><Icon name="plus" size={16} />{t("New record")}</a> : null}
          <Button needs="knowledge.write" kind="quiet" icon="trash" onClick={() => remove(true)}>{t("Delete {title}…", { title })}</Button>
        </div>
      </div>
      {tab === "search" && place.record === null && !place.editing && (database.description || detail.data?.pending) ? (
        <p class="hint">{database.description}
          {detail.data?.pending ? ` ${plural(detail.data.pending, "{count} record is waiting to be embedded; full-text search finds it already.", "{count} records are waiting to be embedded; full-text search finds them already.")}` : ""}</p>
      ) : null}
      <div {...panel("search")}>{tab === "search" ? <SearchTab place={place} database={database} round={round} onChanged={onChanged} /> : null}</div>
      <div {...panel("graph")} data-tour="kg-studio-graph">{tab === "graph" ? <GraphTab place={place} records={database.records} round={round} /> : null}</div>
      <div {...panel("ingest")} data-tour="kg-studio-ingest">{tab === "ingest" && teaches ? <IngestTab place={place} title={title} /> : null}</div>
      <div {...panel("analytics")} data-tour="kg-studio-analytics">{tab === "analytics" ? <AnalyticsTab database={database.id} round={round} /> : null}</div>
      {deleting ? <Unmake database={database} onClose={() => remove(false)} onGone={onGone} /> : null}
    </>
  );
}

function SearchTab({ place, database, round, onChanged }: { place: Place; database: Database; round: number; onChanged: () => void }) {
  const { record, editing, asked } = place;
  const open = record !== null || editing;
  return (
    <div class={`kg-split ${open ? "open" : ""}`}>
      <div class="kg-side"><Search place={place} records={database.records} round={round} /></div>
      {record !== null ? <RecordPane key={record} place={place} onChanged={onChanged} /> : editing ? (
        <article class="card kg-record">
          <Editor database={database.id} record={null} onCancel={() => go(searchAt(database.id, asked))}
            onDone={(id) => { onChanged(); go(recordAt(database.id, id)); }} />
        </article>
      ) : null}
    </div>
  );
}

