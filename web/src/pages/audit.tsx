/** The record of every decision: filtered, page by page, checked, exported and replayed. */
import { useState } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { at, go, route } from "../router";
import { Icon } from "../ui/icons";
import { Button, Card, Empty, Shown, Switch } from "../ui/kit";
import { useReload } from "../ui/poll";
import { Filters } from "./audit/filters";
import { LineDialog } from "./audit/line";
import { Replay } from "./audit/replay";
import { exportAddress, isFiltered, readView, writeView, type Lines, type View } from "./audit/shapes";
import { Table } from "./audit/table";
import { Verify } from "./audit/verify";
import "./audit.css";

const PAGE = 100;
const POLL_MS = 3000;

async function ask(view: View, signal: AbortSignal): Promise<Lines> {
  const { filters, before, after } = view;
  const query = { ...filters, limit: PAGE, newest_first: after === null, before_seq: before ?? undefined, after_seq: after ?? undefined };
  const found = await get<Lines>("/api/audit", { query, signal });
  if (after === null) return found;
  const lines = found.lines.toReversed();
  // So near to the newest line: the first page has all of these, and does not stand still.
  if (lines.length < PAGE) return ask({ ...view, after: null }, signal);
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
    <div class="stack audit">
      <Card title="Decisions" actions={
        <>
          <Verify />
          <a class="button" href={exportAddress(view.filters)} download="audit.jsonl" data-tour="audit-export">
            <Icon name="download" size={16} />{isFiltered(view) ? "Export filtered" : "Export"}
          </a>
          <Button icon="refresh" onClick={() => replay(true)}>Replay…</Button>
        </>
      }>
        <Filters view={view} onChange={(next) => go(at("audit", [], writeView(next)), true)} />
      </Card>
      <Card tour="audit-lines" class="audit-lines">
        <Shown of={lines}>
          {(data) => (
            <>
              <div class="row audit-bar">
                <p class="hint" role="status">{counted(data, first)}</p>
                <span class="spring" />
                {first ? <Switch label="Follow" checked={follow} onChange={setFollow} /> : null}
              </div>
              {data.lines.length ? <Table lines={data.lines} view={view} /> : <Nothing view={view} />}
              <nav class="row" aria-label="Pages of the audit">
                <Button disabled={first} onClick={() => show({ before: null, after: null })}>Newest</Button>
                <Button disabled={first || !data.lines.length} onClick={() => show({ before: null, after: data.lines[0]!.seq })}>Newer</Button>
                <Button disabled={data.next === null || !data.lines.length} onClick={() => show({ after: null, before: data.lines.at(-1)!.seq })}>Older</Button>
              </nav>
            </>
          )}
        </Shown>
      </Card>
      {view.line !== null ? <LineDialog key={view.line} seq={view.line} onShow={(line) => show({ line }, true)} onClose={() => show({ line: null })} /> : null}
      {replaying ? <Replay session={view.filters.session} onClose={() => replay(false)} /> : null}
    </div>
  );
}

function counted({ lines, next }: Lines, first: boolean): string {
  if (!lines.length) return "No lines";
  const from = lines[0]!.seq.toLocaleString();
  const to = lines.at(-1)!.seq.toLocaleString();
  if (lines.length === 1) return `Line ${from}`;
  return `${lines.length} lines, ${from} down to ${to}${first ? ", the newest first" : ""}${next === null ? "; there are no older ones" : ""}`;
}

function Nothing({ view }: { view: View }) {
  if (isFiltered(view)) {
    return <Empty icon="search" title="No line fits these filters"><p><a href={at("audit")}>Clear them</a></p></Empty>;
  }
  return (
    <Empty icon="audit" title="Nothing has been decided yet">
      <p>Every call, whoever makes it, leaves a line here: what was asked, which rule spoke, how it ended.
        <br /><a href={at("tools")}>Try a tool</a> or <a href={at("chat")}>ask something</a>, then look again.</p>
    </Empty>
  );
}
