/** Days beside each other with their hours; three of them on a phone. */
import { useEffect, useRef, useState } from "preact/hooks";

import { plural, t } from "../../i18n";
import type { ViewProps } from "./month";
import { Chip } from "./chip";
import { addDays, clockAt, daysFrom, timeOf, today, type Day } from "./dates";
import { useGrid } from "./grid";
import { inLanes, LEAST, type Piece } from "./placing";
import { dayLong, hourInWords, weekdayShort } from "./words";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const MORNING = 7;
/** The row above the hours. */
const ALL_DAY = -1;
const ROW_REM = 2.75;
/** Minutes: shorter ones have room for one line. */
const SHORT = 45;

export function Week({ day, days, found, clashes, onDay, onOpen, onNew }: Omit<ViewProps, "first" | "onList"> & { days: Day[] }) {
  const [hour, setHour] = useState(9);
  const box = useRef<HTMLDivElement>(null);
  const now = useClock();
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>(`[data-hour="${MORNING}"]`);
    if (box.current && row) box.current.scrollTop = row.offsetTop - 60;
  }, []);
  const pick = (on: Day, at: number) => { setHour(at); onDay(on); };
  const grid = useGrid<HTMLTableElement>(cellOf(day, hour), {
    go: (cell) => pick(...placeOf(cell)),
    act: (cell) => onNew(newAt(...placeOf(cell))),
    moved: (key, _shift, from) => {
      const [on, at] = placeOf(from);
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -days.length, PageDown: days.length }[key];
      if (step) return cellOf(addDays(on, step), at);
      const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: ALL_DAY, End: 23 }[key];
      return to !== undefined && to >= ALL_DAY && to <= 23 ? cellOf(on, to) : null;
    },
  });
  const lanes = new Map(days.map((each) => [each, inLanes((found.get(each) ?? []).filter((piece) => !piece.event.all_day))]));
  return (
    <div class="cal-week-box" ref={box}>
      <table class="cal-week" role="grid" aria-label={t("{start} to {end}", { start: dayLong(days[0]!), end: dayLong(days.at(-1)!) })} {...grid}>
        <thead>
          <tr>
            <th scope="col"><span class="hidden-visually">{t("Hour")}</span></th>
            {days.map((each) => (
              <th key={each} scope="col" class={each === today() ? "is-today" : ""} aria-current={each === today() ? "date" : undefined}>
                <span class="hidden-visually">{dayLong(each)}</span>
                <span aria-hidden="true">{weekdayShort(each)} <b>{Number(each.slice(8))}</b></span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr class="cal-all-day" data-hour={ALL_DAY}>
            <th scope="row">{t("all day")}</th>
            {days.map((each) => {
              const list = (found.get(each) ?? []).filter((piece) => piece.event.all_day);
              return (
                <Slot key={each} day={each} hour={ALL_DAY} chosen={each === day && hour === ALL_DAY} count={list.length}
                  onPick={() => pick(each, ALL_DAY)} onNew={() => onNew(each)}>
                  {list.map((piece) => <Chip key={piece.event.id} {...{ piece, clashes, onOpen }} />)}
                </Slot>
              );
            })}
          </tr>
          {HOURS.map((each) => (
            <tr key={each} data-hour={each}>
              <th scope="row">{hourInWords(each)}</th>
              {days.map((date) => {
                const list = (lanes.get(date) ?? []).filter((piece) => Math.floor(Math.min(piece.from, 1439) / 60) === each);
                return (
                  <Slot key={date} day={date} hour={each} chosen={date === day && hour === each} count={list.length}
                    onPick={() => pick(date, each)} onNew={() => onNew(newAt(date, each))}>
                    {list.map((piece) => <Chip key={piece.event.id + piece.from} class={`cal-block ${piece.to - piece.from < SHORT ? "is-short" : ""} ${piece.lanes > 1 ? "is-narrow" : ""}`} style={placed(piece)} {...{ piece, clashes, onOpen }} />)}
                    {now.day === date && Math.floor(now.minutes / 60) === each
                      ? <i class="cal-now" aria-hidden="true" style={{ top: `${((now.minutes % 60) / 60) * 100}%` }} /> : null}
                  </Slot>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Slot({ day, hour, chosen, count, onPick, onNew, children }: {
  day: Day; hour: number; chosen: boolean; count: number; onPick: () => void; onNew: () => void; children: any;
}) {
  const what = count ? `, ${plural(count, "{count} event", "{count} events")}` : "";
  return (
    <td role="gridcell" data-cell={cellOf(day, hour)} tabIndex={chosen ? 0 : -1} aria-selected={chosen} class="cal-slot"
      aria-label={`${dayLong(day)}, ${hour < 0 ? t("all day") : hourInWords(hour)}${what}`} onClick={onPick} onDblClick={onNew}>
      {children}
    </td>
  );
}

/** Inside the cell of its first hour: as high as it is long, beside those that it overlaps. */
function placed({ from, to, lane, lanes }: Piece): Record<string, string> {
  const minutes = Math.max(to - from, LEAST);
  return {
    top: `${((from % 60) / 60) * ROW_REM}rem`,
    height: `calc(${(minutes / 60) * ROW_REM}rem - 2px)`,
    left: `calc(${(lane / lanes) * 100}% + 1px)`,
    width: `calc(${100 / lanes}% - 3px)`,
  };
}

const cellOf = (day: Day, hour: number): string => `${day} ${hour}`;

function placeOf(cell: string): [Day, number] {
  const [day, hour] = cell.split(" ");
  return [day!, Number(hour)];
}

/** What a new event is made for. */
const newAt = (day: Day, hour: number): string => (hour === ALL_DAY ? day : `${day}T${timeOf(hour * 60)}`);

/** The present, to the minute. */
function useClock() {
  const [now, set] = useState(() => clockAt(new Date()));
  useEffect(() => {
    const timer = setInterval(() => set(clockAt(new Date())), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export const weekOf = (day: Day, start: Day, count: number): Day[] => daysFrom(count === 7 ? start : day, count);
