import type { Loaded } from "../../api/load";
import { at, go, route } from "../../router";
import { Icon } from "../../ui/icons";
import { Button, Field, Shown, TextInput } from "../../ui/kit";
import { ago, fullTime } from "../../ui/time";
import { standing, titleOf, type Filters, type Session, type SessionPage } from "./shapes";

export function SessionList({ list, filters, chosen, onMore }: {
  list: Loaded<SessionPage>; filters: Filters; chosen: string; onMore: (() => void) | null;
}) {
  const filter = (change: Partial<Filters>) =>
    go(at("sessions", route.value.rest, { ...filters, ...change }), true);
  return (
    <section class="stack sessions-side" aria-label="Sessions" data-tour="sessions-list">
      <form class="sessions-filters" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
        <Field label="Mode">
          {(field) => (
            <select {...field} value={filters.mode} onChange={(event) => filter({ mode: event.currentTarget.value })}>
              <option value="">Any</option>
              <option value="voice">Voice</option>
              <option value="text">Text</option>
            </select>
          )}
        </Field>
        <Field label="Status">
          {(field) => (
            <select {...field} value={filters.live} onChange={(event) => filter({ live: event.currentTarget.value })}>
              <option value="">Any</option>
              <option value="true">Live now</option>
              <option value="false">Past</option>
            </select>
          )}
        </Field>
        <Field label="User">
          {(field) => (
            <TextInput {...field} type="search" value={filters.user} placeholder="Full user name"
              onDone={(user) => filter({ user })} />
          )}
        </Field>
      </form>
      <Shown of={list}>
        {({ sessions }) => (
          <>
            <p class="hint" role="status">{sessions.length === 1 ? "1 session" : `${sessions.length}${onMore ? "+" : ""} sessions`}, newest first</p>
            <ul class="list sessions-list">
              {sessions.map((session) => (
                <li key={session.id}><Item session={session} filters={filters} here={session.id === chosen} /></li>
              ))}
            </ul>
            {onMore ? <Button onClick={onMore}>Show older ones</Button> : null}
          </>
        )}
      </Shown>
    </section>
  );
}

function Item({ session, filters, here }: { session: Session; filters: Filters; here: boolean }) {
  const { word } = standing(session);
  return (
    <a class="list-item" href={at("sessions", [session.id], { ...filters })} aria-current={here ? "true" : undefined}>
      <span class="sessions-title">
        <Icon name={session.mode === "voice" ? "mic" : "chat"} size={15} />
        <span class="sessions-about" title={titleOf(session)}>{titleOf(session)}</span>
        {session.live ? <span class="sessions-dot" /> : null}
      </span>
      <small title={fullTime(session.updated_at)}>
        {[word, session.mode, session.provider, session.user, ago(session.updated_at)].filter(Boolean).join(" · ")}
      </small>
    </a>
  );
}
