import { useEffect, useMemo, useRef } from "preact/hooks";

import type { Pages } from "../../api/pages";
import { plural, t } from "../../i18n";
import { at, go, route } from "../../router";
import { FilterChips, type Filter } from "../../ui/filter-chips";
import { Icon } from "../../ui/icons";
import { Badge, Empty, Shown } from "../../ui/kit";
import { Older } from "../../ui/older";
import { briefAgo, fullTime } from "../../ui/time";
import { GateSummary } from "./gate-summary";
import { modelName, standing, titleOf, type Filters, type Session } from "./shapes";

const CHOICES: readonly Filter<keyof Filters>[] = [
  { id: "mode", label: t("Mode"), options: [{ value: "voice", label: t("Voice") }, { value: "text", label: t("Text") }] },
  { id: "live", label: t("Status"), options: [{ value: "true", label: t("Active now") }, { value: "false", label: t("Idle or ended") }] },
  { id: "user", label: t("User"), placeholder: t("Full user name") },
];

export function SessionList({ list, filters, chosen }: { list: Pages<Session>; filters: Filters; chosen: string }) {
  const filtered = Object.values(filters).some(Boolean);
  return (
    <section class="stack sessions-side" aria-label={t("Sessions")} data-tour="sessions-list">
      <FilterChips label={t("Filters")} filters={CHOICES} values={filters}
        onChange={(values) => go(at("sessions", route.value.rest, values), true)} />
      <Shown of={list}>
        {(sessions) => {
          // A name that stands in every line says nothing.
          const people = new Set(sessions.map((session) => session.user)).size > 1;
          return sessions.length ? (
            <>
              <p class="hint" role="status">{list.more ? t("{count} newest sessions", { count: sessions.length }) : plural(sessions.length, "{count} session", "{count} sessions")}</p>
              <ul class="rows sessions-list">
                {sessions.map((session) => (
                  <li key={session.id}><Item session={session} filters={filters} here={session.id === chosen} people={people} /></li>
                ))}
              </ul>
              {list.more ? <Older key={sessions.length} more={list.more} /> : null}
            </>
          ) : <Nothing filtered={filtered} />;
        }}
      </Shown>
    </section>
  );
}

interface Row {
  session: Session;
  filters: Filters;
  here: boolean;
  people: boolean;
}

/** Of thousands of rows, only those that changed are drawn anew. */
function Item(row: Row) {
  const { session, filters, here, people } = row;
  return useMemo(() => <Face {...row} />, [session, JSON.stringify(filters), here, people, Math.floor(Date.now() / 60_000)]);
}

function Face({ session, filters, here, people }: Row) {
  const { word, kind, about } = standing(session);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (here) link.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <a class="rows-item" ref={link} href={at("sessions", [session.id], { ...filters })} aria-current={here ? "true" : undefined}>
      <Icon name={session.mode === "voice" ? "mic" : "chat"} size={15} />
      <span class="rows-title sessions-about" title={titleOf(session)}>{titleOf(session)}</span>
      <span class="rows-wide muted">{modelName(session.provider)}</span>
      {people ? <span class="rows-wide muted">{session.user}</span> : null}
      <span class="rows-wide" title={about}><Badge kind={kind}>{word}</Badge></span>
      <span class={`sessions-dot ${session.live ? "is-live" : ""}`} title={`${word}. ${about}`}><span class="hidden-visually">{word}</span></span>
      <time class="number muted" title={fullTime(session.updated_at)}>{briefAgo(session.updated_at)}</time>
    </a>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty icon="sessions" title={t("No session matches these filters")}>
        <p><a href={at("sessions")}>{t("Show all sessions")}</a></p>
      </Empty>
    );
  }
  return (
    <>
      <Empty icon="sessions" title={t("No conversations yet")}>
        <p data-tour="sessions-timeline">{t("Each conversation appears here turn by turn: what was said, every call, and how long it took.")}</p>
        <p data-tour="sessions-resume"><a href={at("chat")}>{t("Start a conversation")}</a></p>
      </Empty>
      <GateSummary turns={[]} />
    </>
  );
}
