import { useState } from "preact/hooks";

import { ApiError, get } from "../../api/http";
import { useLoad } from "../../api/load";
import { at, go, route } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Button, Card, CopyButton, Empty, Problem, Shown } from "../../ui/kit";
import { useReload } from "../../ui/poll";
import { ago, duration, fullTime } from "../../ui/time";
import { GateSummary } from "./gate-summary";
import { Resume } from "./resume";
import { standing, titleOf, type Filters, type SessionDetail, type Timeline } from "./shapes";
import { Turns } from "./turns";

const POLL_MS = 3000;
// How many lines of audit are asked for; there is a button for more.
const STEPS = [200, 500, 1000] as const;

export function Detail({ id, filters }: { id: string; filters: Filters }) {
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
  const back = <a class="sessions-back" href={at("sessions", [], { ...filters })}><Icon name="chevron" size={16} />All sessions</a>;
  if (detail.error instanceof ApiError && detail.error.status === 404) {
    return (
      <div class="stack">
        {back}
        <Problem error={detail.error} />
        <p class="hint">It may be in the data of another server. <a href={at("sessions")}>Here are the sessions of this one.</a></p>
      </div>
    );
  }
  return (
    <div class="stack">
      {back}
      <Shown of={detail}>
        {(session) => (
          <>
            <Head session={{ ...session, about: session.about ?? firstWords(timeline.data) }} timeline={timeline.data} />
            <Shown of={timeline}>
              {(data) => (
                <>
                  <GateSummary turns={data.turns} />
                  <section data-tour="sessions-timeline" aria-label="Timeline" class="stack">
                    {data.turns.length > 1 ? (
                      <div class="row">
                        <h2>Timeline</h2><span class="spring" />
                        <Button icon="refresh" aria-pressed={newest} onClick={() => go(at("sessions", route.value.rest, { ...Object.fromEntries(route.value.query), order: newest ? "" : "newest" }), true)}>Newest first</Button>
                      </div>
                    ) : null}
                    {data.next_before ? (
                      step < STEPS.length - 1
                        ? <button type="button" class="button" onClick={() => deeper(step + 1)}>Show what was before</button>
                        : <p class="hint">There is more than fits here. <a href={at("audit", [], { session: id })}>The audit has every line.</a></p>
                    ) : null}
                    {data.turns.length ? <Turns turns={newest ? data.turns.toReversed() : data.turns} session={id} under={session.live ? session.turn : null} /> : (
                      <Card><Empty icon="clock" title="Nothing has happened in this session yet" /></Card>
                    )}
                  </section>
                </>
              )}
            </Shown>
          </>
        )}
      </Shown>
    </div>
  );
}

/** What the list shows as its title, for a session that is not in the list. */
function firstWords(timeline: Timeline | null): string | null {
  const words = timeline?.turns.flatMap((turn) => turn.entries).filter((entry) => entry.kind === "said") ?? [];
  return (words.find((entry) => entry.role === "user") ?? words[0])?.text ?? null;
}

function Head({ session, timeline }: { session: SessionDetail; timeline: Timeline | null }) {
  const { word, kind } = standing(session);
  const facts: [string, string][] = [
    ["Began", fullTime(session.created_at)],
    [session.ended_at ? "Ended" : "Last active", fullTime(session.ended_at ?? session.updated_at)],
    ["User", session.user],
    ["Backend", session.provider ?? "none"],
    ["Profile", session.profile ?? "none"],
    ["Turn", String(session.turn)],
    ["Tools", session.registry_version],
  ];
  if (session.counters) {
    const { turn_calls: calls, turn_tool_ms: ms } = session.counters;
    facts.push(["This turn", calls ? `${calls === 1 ? "1 call" : `${calls} calls`}, ${duration(ms)} in tools` : "no calls so far"]);
  }
  return (
    <Card class="sessions-head" title={<span class="sessions-heading">{titleOf(session)}</span>}
      actions={<><Badge kind={kind}>{word}</Badge><Badge>{session.mode}</Badge></>}>
      <dl class="sessions-facts">
        {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
      {session.confirmations.map((asked) => (
        <p key={asked.id} class="sessions-asked"><Icon name="shield" size={16} /> Waits for an answer: {asked.preview} <span class="muted">(until {ago(asked.expires_at)})</span></p>
      ))}
      {timeline?.continued_from ? (
        <p class="hint">It goes on from a spoken one: <a href={at("sessions", [timeline.continued_from])}>look at that</a>.</p>
      ) : null}
      {timeline && timeline.conversation !== session.id ? (
        <p class="hint">It is the spoken part of a <a href={at("sessions", [timeline.conversation])}>written conversation</a>.</p>
      ) : null}
      <Resume session={session} />
      <p class="row sessions-links">
        <a href={at("audit", [], { session: session.id })}>Its lines in the audit</a>
        <CopyButton text={session.id} label="Copy id" />
        <code class="sessions-id">{session.id}</code>
      </p>
    </Card>
  );
}
