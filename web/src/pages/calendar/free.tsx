/** Finding free time: how long, between which hours, in which days. */
import { useEffect, useRef, useState } from "preact/hooks";

import { said } from "../../api/http";
import { plural, t } from "../../i18n";
import { Button, Card, Field, Problem, Switch } from "../../ui/kit";
import { findFree, type CalendarName, type Free } from "./api";
import { addDays, clockAt, isDay, today, zoneHere, type Day } from "./dates";
import { dayShort, lengthInWords, timeInWords } from "./words";

const LENGTHS = [15, 30, 45, 60, 90, 120, 180];
const FIRST_DAYS = 3;

export function FindFree({ calendars, onPick }: { calendars: readonly CalendarName[]; onPick: (at: string, minutes: number) => void }) {
  const [start, setStart] = useState<Day>(today());
  const [end, setEnd] = useState<Day>(addDays(today(), 6));
  const [minutes, setMinutes] = useState(60);
  const [hours, setHours] = useState({ from: "09:00", to: "17:00" });
  const [workdays, setWorkdays] = useState(true);
  const [found, show] = useState<Free | null>(null);
  const [problem, tell] = useState<string | null>(null);
  const [busy, work] = useState(false);
  const asking = useRef<AbortController | null>(null);
  const look = async (event: Event) => {
    event.preventDefault();
    asking.current?.abort();
    const own = (asking.current = new AbortController());
    work(true);
    tell(null);
    try {
      const asked = { start, end, zone: zoneHere(), minutes, dayStart: hours.from, dayEnd: hours.to, workdays };
      show(await findFree(asked, calendars, own.signal));
    } catch (error) {
      if (own.signal.aborted) return;
      show(null);
      tell(said(error));
    } finally {
      if (asking.current === own) work(false);
    }
  };
  return (
    <Card title={t("Find a free time")} tour="calendar-availability">
      <form class="cal-find" onSubmit={look}>
        <div class="is-wide"><Field label={t("Duration")}>
          {(attributes) => (
            <select {...attributes} value={minutes} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
              {LENGTHS.map((each) => <option key={each} value={each}>{lengthInWords(each)}</option>)}
            </select>
          )}
        </Field></div>
        <div class="is-wide"><Field label={t("From")}>{(attributes) => <input {...attributes} type="date" value={start} onInput={(event) => { const day = event.currentTarget.value; setStart(day); if (isDay(day) && end < day) setEnd(addDays(day, 6)); }} />}</Field></div>
        <div class="is-wide"><Field label={t("To")}>{(attributes) => <input {...attributes} type="date" value={end} onInput={(event) => setEnd(event.currentTarget.value)} />}</Field></div>
        <Field label={t("Earliest time")}>{(attributes) => <input {...attributes} type="time" value={hours.from} onInput={(event) => setHours({ ...hours, from: event.currentTarget.value })} />}</Field>
        <Field label={t("Latest time")}>{(attributes) => <input {...attributes} type="time" value={hours.to} onInput={(event) => setHours({ ...hours, to: event.currentTarget.value })} />}</Field>
        <Switch label={t("Monday to Friday only")} checked={workdays} onChange={setWorkdays} />
        <Button type="submit" icon="search" busy={busy}>{t("Find times")}</Button>
      </form>
      {problem ? <Problem error={new Error(problem)} /> : null}
      {found ? <Slots found={found} minutes={minutes} onPick={onPick} /> : null}
    </Card>
  );
}

function Slots({ found, minutes, onPick }: { found: Free; minutes: number; onPick: (at: string, minutes: number) => void }) {
  const slots = found.available_slots;
  const [all, unfold] = useState(false);
  useEffect(() => unfold(false), [found]);
  const days = new Map<Day, typeof slots>();
  for (const slot of slots) {
    const { day } = clockAt(new Date(slot.start));
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return (
    <div class="cal-slots">
      <p class="hint" role="status">{slots.length ? plural(slots.length, "{count} free slot. Choose it to add an event.", "{count} free slots. Choose one to add an event.") : t("No free time of that length. Try a shorter duration or more days.")}</p>
      {[...days].slice(0, all ? days.size : FIRST_DAYS).map(([day, list]) => (
        <section key={day} aria-label={dayShort(day)}>
          <h3>{dayShort(day)}</h3>
          <div class="row">
            {list.map((slot) => {
              const { time } = clockAt(new Date(slot.start));
              return (
                <button type="button" key={slot.start} class="cal-slot-button" onClick={() => onPick(`${day}T${time}`, minutes)}>
                  {timeInWords(slot.start)} – {timeInWords(slot.end)} <small>{lengthInWords(slot.duration_minutes)}</small>
                </button>
              );
            })}
          </div>
        </section>
      ))}
      {!all && days.size > FIRST_DAYS ? <Button kind="quiet" icon="down" onClick={() => unfold(true)}>{plural(days.size - FIRST_DAYS, "{count} more day", "{count} more days")}</Button> : null}
    </div>
  );
}
