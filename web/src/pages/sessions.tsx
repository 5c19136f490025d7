/** Every conversation, live and past, turn by turn. */
import { useState } from "preact/hooks";

import { get } from "../api/http";
import { usePages } from "../api/pages";
import { t } from "../i18n";
import { at, go, route } from "../router";
import { Drawer, useNarrow } from "../ui/drawer";
import { Detail } from "./sessions/detail";
import { SessionList } from "./sessions/list";
import { readFilters, titleOf, type SessionPage } from "./sessions/shapes";
import "../ui/rows.css";
import "./sessions.css";

const PAGE = 50;

export default function Sessions() {
  const filters = readFilters(route.value.query);
  const list = usePages(JSON.stringify(filters), async (before, signal) => {
    const page = await get<SessionPage>("/api/sessions", { query: { ...filters, limit: PAGE, before }, ...(signal ? { signal } : {}) });
    return { items: page.sessions, next: page.next_before };
  }, (session) => session.id);
  const [closed, close] = useState(false);
  const narrow = useNarrow();
  const named = route.value.rest[0] ?? "";
  const sessions = list.data ?? [];
  // With nothing chosen the newest one is shown beside the list, but the address stays plain.
  const chosen = named || (closed || narrow ? "" : (sessions[0]?.id ?? ""));
  const here = sessions.findIndex((session) => session.id === chosen);
  const open = (id: string) => go(at("sessions", [id], { ...filters }), true);
  const title = here >= 0 ? titleOf(sessions[here]!) : t("Session");
  const older = async () => {
    const next = sessions[here + 1] ?? (await list.more!())[0];
    if (next) open(next.id);
  };
  return (
    <div class="with-drawer sessions">
      <SessionList list={list} filters={filters} chosen={chosen} />
      {chosen ? (
        <Drawer class="wide" title={title}
          onClose={() => { close(true); if (named) go(at("sessions", [], { ...filters })); }}
          onPrev={here > 0 ? () => open(sessions[here - 1]!.id) : null}
          onNext={here >= 0 && (here + 1 < sessions.length || list.more) ? () => void older() : null}>
          <Detail key={chosen} id={chosen} />
        </Drawer>
      ) : null}
    </div>
  );
}
