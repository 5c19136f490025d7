import { useState } from "preact/hooks";

import { ApiError, get } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { at, route } from "../../router";
import { putIntoAddress } from "../../ui/filter-chips";
import { Icon } from "../../ui/icons";
import { Badge, Button, CopyButton, Empty, Problem, Shown } from "../../ui/kit";
import { useReload } from "../../ui/poll";
import { ago, duration, fullTime } from "../../ui/time";
import { GateSummary } from "./gate-summary";
import { Resume } from "./resume";
import { modelName, standing, type SessionDetail, type Timeline } from "./shapes";
import { Turns } from "./turns";

const POLL_MS = 3000;
// How many lines of audit are asked for; there is a button for more.
const STEPS = [200, 500, 1000] as const;

export function Detail({ id }: { id: string }) {
  const [step, deeper] = useState(0);
  const newest = route.value.query.get("order") === "newest";
  const path = `/api/sessions/${encodeURIComponent(id)}`;
  const detail = useLoad((signal) => get<SessionDetail>(path, { signal }), [id]);
  const timeline = useLoad(
    (signal) => get<Timeline>(`${path}/timeline`, { query: { limit: STEPS[step]! }, signal }),
    [id, step],
  );
  useReload(detail, POLL_MS, detail.data?.live === true);
  useReload(timeline, POLL_MS, detail.data?.live === true);
  if (detail.error instanceof ApiError && detail.error.status === 404) {
    return (
      <>
        <Problem error={detail.error} />
        <p class="hint">{t("It may be in another server's data.")} <a href={at("sessions")}>{t("Show the sessions of this server")}</a></p>
      </>
    );
  }
  return (
    <Shown of={detail}>
      {(session) => (
        <>
          <Head session={{ ...session, about: session.about ?? firstWords(timeline.data) }} timeline={timeline.data} />
          <Shown of={timeline}>
            {(data) => (
              <>
                <GateSummary turns={data.turns} />
                <section data-tour="sessions-timeline" aria-label={t("Timeline")} class="stack">
                  {data.turns.length > 1 ? (
                    <div class="row">
                      <h3>{t("Timeline")}</h3><span class="spring" />
                      <Button kind="quiet" icon="refresh" aria-pressed={newest} onClick={() => putIntoAddress({ order: newest ? "" : "newest" })}>{t("Newest first")}</Button>
                    </div>
                  ) : null}
                  {data.next_before ? (
                    step < STEPS.length - 1
                      ? <Button onClick={() => deeper(step + 1)}>{t("Show earlier turns")}</Button>
                      : <p class="hint">{t("There is more than can be shown here.")} <a href={at("audit", [], { session: id })}>{t("The audit has every line")}</a></p>
                  ) : null}
                  {data.turns.length ? <Turns turns={newest ? data.turns.toReversed() : data.turns} session={session} under={session.live ? session.turn : null} /> : (
                    <Empty icon="clock" title={t("Nothing has happened in this session yet")} />
                  )}
                </section>
              </>
            )}
          </Shown>
        </>
      )}
    </Shown>
  );
}

/** What the list shows as its title, for a session that is not in the list. */
function firstWords(timeline: Timeline | null): string | null {
  const words = timeline?.turns.flatMap((turn) => turn.entries).filter((entry) => entry.kind === "said") ?? [];
  return (words.find((entry) => entry.role === "user") ?? words[0])?.text ?? null;
}

function Head({ session, timeline }: { session: SessionDetail; timeline: Timeline | null }) {
  const { word, kind, about } = standing(session);
  const facts: [string, string][] = [
    [t("Started"), fullTime(session.created_at)],
    [session.ended_at ? t("Ended") : t("Last active"), fullTime(session.ended_at ?? session.updated_at)],
    [t("Mode"), session.mode === "voice" ? t("Voice") : t("Text")],
    [t("User"), session.user],
    [t("Turns"), session.turn.toLocaleString()],
    [t("Tools version"), session.registry_version],
  ];
  if (session.provider) facts.splice(4, 0, [t("Model"), modelName(session.provider)]);
  if (session.profile) facts.splice(5, 0, [t("Agent"), session.profile]);
  if (session.counters?.turn_calls) {
    const { turn_calls: calls, turn_tool_ms: ms } = session.counters;
    facts.push([t("This turn"), plural(calls, "{count} call, {time} in tools", "{count} calls, {time} in tools", { time: duration(ms) })]);
  }
  return (
    <div class="sessions-head">
      <p class="row"><Badge kind={kind}>{word}</Badge> <span class="hint">{about}</span></p>
      <dl class="facts">
        {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
      {session.confirmations.map((asked) => (
        <p key={asked.id} class="sessions-asked"><Icon name="shield" size={16} /> {t("Waiting for approval: {question}", { question: asked.preview })} <span class="muted">({t("expires {when}", { when: ago(asked.expires_at) })})</span></p>
      ))}
      {timeline?.continued_from ? (
        <p class="hint"><a href={at("sessions", [timeline.continued_from])}>{t("Continues an earlier session")}</a></p>
      ) : null}
      {timeline && timeline.conversation !== session.id ? (
        <p class="hint"><a href={at("sessions", [timeline.conversation])}>{t("Spoken part of a written conversation")}</a></p>
      ) : null}
      <Resume session={session} />
      <p class="row sessions-links">
        <a href={at("audit", [], { session: session.id })}>{t("Audit lines")}</a>
        <CopyButton text={session.id} label={t("Copy ID")} />
        <code class="sessions-id" title={session.id}>{session.id}</code>
      </p>
    </div>
  );
}
