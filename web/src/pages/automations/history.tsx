/** The runs of one automation, newest first. The list keeps itself up to date. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { Button, Card, Empty, Shown } from "../../ui/kit";
import { useReload } from "../../ui/poll";
import { ago, duration, fullTime } from "../../ui/time";
import { isOver, loadRuns, runAddress, type Kind, type RunSummary } from "./api";
import { RunBadge } from "./run";

const PAGE_SIZE = 25;
const LIVE_MS = 1500;
const IDLE_MS = 10_000;

export interface History {
  list: ComponentChildren;
  reload: () => void;
}

/** The card with the list, and a way to bring it up to date at once. */
export function useHistory(kind: Kind, name: string, chosen: string, tour: string | null, nothing: string): History {
  const [size, show] = useState(PAGE_SIZE);
  const runs = useLoad((signal) => loadRuns(kind, name, signal, size), [kind, name, chosen, size]);
  const live = runs.data?.runs.some((run) => !isOver(run)) ?? false;
  useReload(runs, live ? LIVE_MS : IDLE_MS);
  const list = (
    <Card title={t("Runs")} class="flow-history" {...(tour ? { tour } : {})}>
      <Shown of={runs}>
        {({ runs: found, next_before }) => found.length ? (
          <>
            <ul class="list">
              {found.map((run) => <li key={run.id}><Row run={run} chosen={run.id === chosen} /></li>)}
            </ul>
            {next_before && size < 200 ? <Button kind="quiet" busy={runs.loading} onClick={() => show(Math.min(200, size * 2))}>{t("Show more")}</Button> : null}
            {next_before && size >= 200 ? <Older kind={kind} name={name} before={next_before} chosen={chosen} /> : null}
          </>
        ) : <Empty icon="clock" title={t("No runs yet")}>{nothing}</Empty>}
      </Shown>
    </Card>
  );
  return { list, reload: runs.reload };
}

/** Beyond what is kept up to date: a page at a time. */
function Older({ kind, name, before, chosen }: { kind: Kind; name: string; before: string; chosen: string }) {
  const [open, show] = useState(false);
  const page = useLoad(async (signal) => (open ? loadRuns(kind, name, signal, 200, before) : { runs: [], next_before: before }), [open, before]);
  if (!open) return <Button kind="quiet" onClick={() => show(true)}>{t("Show more")}</Button>;
  return (
    <Shown of={page}>
      {({ runs, next_before }) => (
        <>
          <ul class="list">{runs.map((run) => <li key={run.id}><Row run={run} chosen={run.id === chosen} /></li>)}</ul>
          {next_before && runs.length ? <Older kind={kind} name={name} before={next_before} chosen={chosen} /> : null}
        </>
      )}
    </Shown>
  );
}

function Row({ run, chosen }: { run: RunSummary; chosen: boolean }) {
  return (
    <a class="list-item flow-row" href={runAddress(run)} aria-current={chosen ? "true" : undefined}>
      <RunBadge run={run} />
      <span class="flow-said">{run.input.slice(0, 200) || (run.schedule_id ? t("Scheduled") : run.resumed_from ? t("Resumed") : t("Started by hand or in a conversation"))}</span>
      <small class="number" title={fullTime(run.created_at)}>{ago(run.created_at)}{run.finished_at ? ` · ${duration((run.finished_at - run.created_at) * 1000)}` : ""}</small>
    </a>
  );
}
