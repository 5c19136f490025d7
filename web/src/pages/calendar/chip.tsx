/** An event in a grid, and what is said of it to those who do not see the grid. */
import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import type { CalendarEvent } from "./api";
import { keyOf, type Piece } from "./placing";
import { timeBrief, timesInWords } from "./words";

export type Clashes = Map<string, CalendarEvent[]>;

export const titleOf = (event: { title: string | null }): string => event.title || t("Untitled");

export function clashWords(event: CalendarEvent, clashes: Clashes): string {
  const others = clashes.get(keyOf(event)) ?? [];
  if (!others.length) return "";
  const named = others.slice(0, 2).map(titleOf).join(" and ");
  return others.length > 2 ? t("Overlaps with {named} and {count} more", { named, count: others.length - 2 }) : t("Overlaps with {named}", { named });
}

export function Chip({ piece, clashes, onOpen, style, class: more }: {
  piece: Piece; clashes: Clashes; onOpen: (event: CalendarEvent) => void;
  style?: Record<string, string>; class?: string;
}) {
  const { event } = piece;
  const clash = clashWords(event, clashes);
  const timed = !event.all_day && !piece.before;
  const label = [titleOf(event), timesInWords(event), event.location, t("{calendar} calendar", { calendar: event.calendar }), clash].filter(Boolean).join(", ");
  return (
    <button type="button" tabIndex={-1} style={style} title={label} aria-label={label} data-event={keyOf(event)}
      class={`cal-chip is-${event.calendar} is-${event.status} ${piece.before ? "is-going-on" : ""} ${more ?? ""}`}
      onClick={(click) => { click.stopPropagation(); onOpen(event); }}>
      {clash ? <Icon name="warn" size={12} /> : null}
      {timed ? <span class="cal-time">{timeBrief(event.start)}</span> : null}
      <span class="cal-name">{titleOf(event)}</span>
    </button>
  );
}
