/** Approvals: every question before something happens, of all sessions, open and settled. */
import { useEffect, useState } from "preact/hooks";

import { get, post, said } from "../api/http";
import { useLoad } from "../api/load";
import { plural, t } from "../i18n";
import { at, go, route } from "../router";
import { askById, named, openQuestions, type Outcome, settled } from "../stores/confirmations";
import { toast } from "../stores/toasts";
import { Drawer } from "../ui/drawer";
import { type Filter, FilterChips, filtersInAddress } from "../ui/filter-chips";
import { Button, Empty, Shown } from "../ui/kit";
import { useReload } from "../ui/poll";
import { Detail } from "./inbox/detail";
import { Rows } from "./inbox/rows";
import { type Confirmation, FILTERS, type Filters, type Page, STATUSES } from "./inbox/shapes";
import "../ui/rows.css";
import "./inbox.css";

const POLL_MS = 10_000;
const PAGE = 100;

const toolNames = () => get<{ tools: { toolId: string }[] }>("/api/tools").then((found) => found.tools.map((tool) => tool.toolId));
const CHOICES: readonly Filter<keyof Filters>[] = [
  { id: "status", label: t("Status"), options: Object.entries(STATUSES).map(([value, label]) => ({ value, label })) },
  { id: "tool", label: t("Tool"), suggest: toolNames },
  { id: "risk", label: t("Risk"), options: [{ value: "low", label: t("Low") }, { value: "high", label: t("High") }] },
  { id: "session_id", label: t("Session ID") },
];
const READY = [
  { title: t("Open"), values: () => ({ status: "pending" }) },
  { title: t("Approved"), values: () => ({ status: "approved" }) },
  { title: t("Expired"), values: () => ({ status: "expired" }) },
];

export default function Inbox() {
  const filters = filtersInAddress(FILTERS);
  const key = JSON.stringify(filters);
  const [older, add] = useState<Page | null>(null);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const loaded = useLoad((signal) => ask(filters, null, signal), [key]);
  useReload(loaded, POLL_MS);
  useEffect(() => add(null), [key]);
  // Something was asked or answered, here or elsewhere.
  useEffect(() => loaded.reload(), [openQuestions.value]);
  const rows = [...(loaded.data?.confirmations ?? []), ...(older?.confirmations ?? [])];
  const next = older ? older.next : (loaded.data?.next ?? null);
  const here = route.value.rest[0] ?? "";
  const place = rows.findIndex((each) => each.id === here);
  const open = (id: string) => go(at("inbox", [id], filters), true);
  const more = async () => {
    try {
      const page = await ask(filters, next);
      add({ ...page, confirmations: [...(older?.confirmations ?? []), ...page.confirmations] });
    } catch (error) {
      toast(said(error), { kind: "bad" });
    }
  };
  const deny = async () => {
    try {
      const denied = await denyAll([...chosen]);
      toast(plural(denied, "{count} approval denied. Nothing was done.", "{count} approvals denied. Nothing was done."));
      choose(new Set());
    } catch (error) {
      toast(said(error), { kind: "bad" });
    }
    loaded.reload();
  };
  return (
    <div class="with-drawer inbox">
      <section class="stack inbox-main" aria-label={t("Approvals")} data-tour="inbox-list">
        <FilterChips label={t("Filters")} tour="inbox-filters" filters={CHOICES} values={filters} ready={READY} onChange={(values) => go(at("inbox", route.value.rest, values), true)}>
          {chosen.size ? <Button icon="close" onClick={() => void deny()}>{plural(chosen.size, "Deny {count}", "Deny {count}")}</Button> : null}
        </FilterChips>
        <Shown of={loaded}>
          {(data) => (
            <>
              <p class="hint" role="status" data-tour="inbox-count">{plural(data.open, "{count} open approval", "{count} open approvals")}</p>
              {rows.length ? <Rows rows={rows} here={here} filters={filters} chosen={chosen} onChoose={choose} /> : <Nothing filtered={Object.values(filters).some(Boolean)} />}
              {next ? <div class="row"><Button onClick={() => void more()}>{t("Show older")}</Button></div> : null}
            </>
          )}
        </Shown>
      </section>
      {here ? (
        <Drawer title={titleOf(rows[place])} onClose={() => go(at("inbox", [], filters))}
          onPrev={place > 0 ? () => open(rows[place - 1]!.id) : null} onNext={place >= 0 && rows[place + 1] ? () => open(rows[place + 1]!.id) : null}>
          <Detail key={`${here} ${rows[place]?.status ?? ""} ${rows[place]?.approved_by.length ?? 0}`} id={here} onAnswer={(row, user) => void answer(row, user, loaded.reload)} />
        </Drawer>
      ) : null}
    </div>
  );
}

function ask(filters: Filters, before: string | null, signal?: AbortSignal): Promise<Page> {
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  return get<Page>("/api/confirmations", { query: { ...set, limit: PAGE, ...(before ? { before } : {}) }, ...(signal ? { signal } : {}) });
}

/** Denies many at once, without a question each. How many were denied. */
async function denyAll(ids: string[]): Promise<number> {
  const { denied, results } = await post<{ denied: number; results: { id: string; outcome: Outcome["outcome"] | null }[] }>(
    "/api/confirmations/deny", { ids },
  );
  for (const { id, outcome } of results) {
    if (outcome && outcome !== "pending") settled({ id, outcome }, "here");
  }
  return denied;
}

async function answer(row: Confirmation, user: string, done: () => void): Promise<void> {
  try {
    await askById(row.id, row.session_id, user || undefined);
  } catch (error) {
    toast(said(error), { kind: "bad" });
  }
  done();
}

const titleOf = (row: Confirmation | undefined): string => (row ? named(row) : t("Question"));

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty icon="search" title={t("No approval matches these filters")}><p><a href={at("inbox")}>{t("Clear filters")}</a></p></Empty>;
  return (
    <Empty icon="shield" title={t("Nothing to approve")}>
      <p>{t("The agent asks you before it changes anything important. Open approvals wait here, along with past decisions.")}</p>
    </Empty>
  );
}
