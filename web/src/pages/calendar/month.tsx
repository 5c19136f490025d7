/** A month as a grid of days. On a phone days have dots, and the chosen day is listed below. */
import { plural, t } from "../../i18n";
import { Icon } from "../../ui/icons";
import type { CalendarEvent } from "./api";
import { AgendaDay } from "./agenda";
import { Chip, titleOf, type Clashes } from "./chip";
import { addDays, addMonths, daysFrom, monthWeeks, startOfWeek, today, type Day } from "./dates";
import { useGrid } from "./grid";
import type { Piece } from "./placing";
import { dayLong, monthInWords, weekdayLong, weekdayShort } from "./words";

const MOST = 3;

export interface ViewProps {
  day: Day;
  first: number;
  found: Map<Day, Piece[]>;
  clashes: Clashes;
  onDay: (day: Day) => void;
  onOpen: (event: CalendarEvent) => void;
  onNew: (at: string) => void;
  onList: (day: Day) => void;
}

export function Month({ day, first, found, clashes, onDay, onOpen, onNew, onList }: ViewProps) {
  const weeks = monthWeeks(day, first);
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
  const grid = useGrid<HTMLTableElement>(day, {
    go: onDay,
    act: onNew,
    moved: (key, shift, from) =>
      key in steps ? addDays(from, steps[key]!)
      : key === "PageUp" ? addMonths(from, shift ? -12 : -1)
      : key === "PageDown" ? addMonths(from, shift ? 12 : 1)
      : key === "Home" ? startOfWeek(from, first)
      : key === "End" ? addDays(startOfWeek(from, first), 6)
      : null,
  });
  return (
    <>
      <table class="cal-month" role="grid" aria-label={monthInWords(day)} {...grid}>
        <thead>
          <tr>{daysFrom(weeks[0]![0]!, 7).map((each) => (
            <th key={each} scope="col"><abbr title={weekdayLong(each)}>{weekdayShort(each)}</abbr></th>
          ))}</tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <Cell key={each} day={each} chosen={each === day} other={each.slice(0, 7) !== day.slice(0, 7)}
                  list={found.get(each) ?? []} {...{ clashes, onDay, onOpen, onNew, onList }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="cal-below"><AgendaDay day={day} list={found.get(day) ?? []} clashes={clashes} onOpen={onOpen} onNew={onNew} /></div>
    </>
  );
}

function Cell({ day, chosen, other, list, clashes, onDay, onOpen, onNew, onList }: {
  day: Day; chosen: boolean; other: boolean; list: Piece[];
} & Pick<ViewProps, "clashes" | "onDay" | "onOpen" | "onNew" | "onList">) {
  const most = list.length > MOST + 1 ? MOST : MOST + 1;
  const left = list.length - most;
  const counted = list.length === 1 ? `, ${titleOf(list[0]!.event)}` : list.length ? `, ${plural(list.length, "{count} event", "{count} events")}` : "";
  return (
    <td role="gridcell" data-cell={day} tabIndex={chosen ? 0 : -1} aria-selected={chosen}
      aria-label={`${dayLong(day)}${counted}`} aria-current={day === today() ? "date" : undefined}
      class={`cal-cell ${other ? "is-other" : ""} ${chosen ? "is-chosen" : ""}`}
      onClick={() => onDay(day)} onDblClick={() => onNew(day)}>
      <div class="cal-cell-head">
        <span class="cal-date">{Number(day.slice(8))}</span>
        <button type="button" tabIndex={-1} class="cal-add" aria-label={t("New event on {day}", { day: dayLong(day) })}
          onClick={(event) => { event.stopPropagation(); onNew(day); }}><Icon name="plus" size={14} /></button>
      </div>
      <div class="cal-chips">
        {list.slice(0, most).map((piece) => <Chip key={piece.event.id + piece.event.start} {...{ piece, clashes, onOpen }} />)}
        {left > 0 ? (
          <button type="button" tabIndex={-1} class="cal-more" onClick={(event) => { event.stopPropagation(); onList(day); }}>{t("{count} more", { count: left })}</button>
        ) : null}
      </div>
      <div class="cal-dots" aria-hidden="true">{list.slice(0, 4).map((piece) => <i key={piece.event.id + piece.event.start} class={`is-${piece.event.calendar}`} />)}</div>
    </td>
  );
}
