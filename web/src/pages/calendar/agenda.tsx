/** Events as a list, day by day. */
import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { Badge, Button, Empty } from "../../ui/kit";
import type { CalendarEvent } from "./api";
import { clashWords, titleOf, type Clashes } from "./chip";
import { today, type Day } from "./dates";
import type { Piece } from "./placing";
import { dayLong, timesInWords } from "./words";

interface Handlers {
  clashes: Clashes;
  onOpen: (event: CalendarEvent) => void;
  onNew: (at: string) => void;
}

export function Agenda({ days, found, onMore, ...handlers }: Handlers & {
  days: Day[]; found: Map<Day, Piece[]>; onMore: (() => void) | null;
}) {
  const full = days.filter((day) => found.has(day));
  return (
    <div class="stack">
      {full.map((day) => <AgendaDay key={day} day={day} list={found.get(day)!} {...handlers} />)}
      {full.length ? null : (
        <Empty icon="calendar" title={t("No events in this period")}>
          <p>{t("Create an event, ask the agent to find a time, or import a calendar file.")}</p>
        </Empty>
      )}
      {onMore ? <Button class="cal-further" icon="chevron" onClick={onMore}>{t("Show two more weeks")}</Button> : null}
    </div>
  );
}

export function AgendaDay({ day, list, clashes, onOpen, onNew }: Handlers & { day: Day; list: Piece[] }) {
  return (
    <section class="cal-day" aria-label={dayLong(day)}>
      <h3>{dayLong(day)}{day === today() ? <Badge kind="accent">{t("today")}</Badge> : null}
        <button type="button" class="icon-button cal-day-add" aria-label={t("New event on {day}", { day: dayLong(day) })} onClick={() => onNew(day)}><Icon name="plus" size={16} /></button>
      </h3>
      <ul class="list">
        {list.map((piece) => (
          <li key={piece.event.id + piece.event.start}><Row piece={piece} clashes={clashes} onOpen={onOpen} /></li>
        ))}
        {list.length ? null : <li class="hint">{t("No events.")}</li>}
      </ul>
    </section>
  );
}

function Row({ piece, clashes, onOpen }: { piece: Piece } & Pick<Handlers, "clashes" | "onOpen">) {
  const { event } = piece;
  const clash = clashWords(event, clashes);
  return (
    <button type="button" class={`list-item cal-row is-${event.calendar} is-${event.status}`} onClick={() => onOpen(event)}>
      <span class="cal-row-time">{timesInWords(event)}</span>
      <span class="cal-row-what">
        <strong>{titleOf(event)}</strong>
        <small class="row">
          {event.location ? <span>{event.location}</span> : null}
          <Badge>{event.calendar}</Badge>
          {event.recurring ? <Badge>{t("repeats")}</Badge> : null}
          {event.status === "busy" ? null : <Badge>{event.status}</Badge>}
          {piece.before || piece.after ? <Badge>{t("several days")}</Badge> : null}
          {clash ? <Badge kind="warn"><Icon name="warn" size={12} />{clash}</Badge> : null}
        </small>
      </span>
    </button>
  );
}
