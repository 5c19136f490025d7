/** Every conversation, live and past, turn by turn. */
import { useState } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { at, route } from "../router";
import { Card, Empty, Shown } from "../ui/kit";
import { useReload } from "../ui/poll";
import { Detail } from "./sessions/detail";
import { GateSummary } from "./sessions/gate-summary";
import { SessionList } from "./sessions/list";
import { readFilters, type SessionPage } from "./sessions/shapes";
import "./sessions.css";

const STEP = 50;
const MOST = 1000;
const POLL_MS = 5000;

export default function Sessions() {
  const filters = readFilters(route.value.query);
  const [limit, show] = useState(STEP);
  const list = useLoad(
    (signal) => get<SessionPage>("/api/sessions", { query: { ...filters, limit }, signal }),
    [filters.mode, filters.live, filters.user, limit],
  );
  useReload(list, POLL_MS);
  const named = route.value.rest[0] ?? "";
  // With nothing chosen the newest one is shown beside the list, but the address stays plain.
  const chosen = named || (list.data?.sessions[0]?.id ?? "");
  const more = list.data?.next_before && limit < MOST ? () => show(Math.min(MOST, limit + STEP)) : null;
  return (
    <div class={`split sessions ${named ? "has-chosen" : ""}`}>
      <SessionList list={list} filters={filters} chosen={chosen} onMore={more} />
      <div class="sessions-main">
        {chosen ? (
          <Detail key={chosen} id={chosen} filters={filters} />
        ) : (
          <Shown of={list}>{() => <Nothing filtered={Object.values(filters).some(Boolean)} />}</Shown>
        )}
      </div>
    </div>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <div class="stack">
      <Card tour="sessions-timeline">
        {filtered ? (
          <Empty icon="sessions" title="No session fits these filters">
            <p><a href={at("sessions")}>Show all sessions</a></p>
          </Empty>
        ) : (
          <Empty icon="sessions" title="No conversation yet">
            <p>Each conversation will be told here turn by turn: what was said, every call, and how long it took.</p>
            <p data-tour="sessions-resume"><a href={at("vox")}>Talk</a> or <a href={at("chat")}>write</a> to begin one.
              Later you can take it up again from here.</p>
          </Empty>
        )}
      </Card>
      <GateSummary turns={[]} />
    </div>
  );
}
