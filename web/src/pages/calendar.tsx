/** The calendar: month, week and agenda, events and how to change them, free time, and files. */
import { useEffect, useState } from "preact/hooks";

import { useLoad } from "../api/load";
import { plural, t } from "../i18n";
import { Button, Card, IconButton, Problem, Spinner, Tabs } from "../ui/kit";
import { toast } from "../stores/toasts";
import { on } from "../voice/bus";
import { move, MOST_DAYS, PHONE, place, SPAN, VIEWS, type Place } from "./calendar/address";
import { CALENDARS, loadEvents, type CalendarEvent, type EventPage } from "./calendar/api";
import { Agenda } from "./calendar/agenda";
import { addDays, addMonths, clockAt, daysFrom, firstWeekday, monthWeeks, startOfWeek, today, zoneHere, type Day } from "./calendar/dates";
import { EventDialog } from "./calendar/event";
import { Files } from "./calendar/files";
import { EventForm } from "./calendar/form";
import { FindFree } from "./calendar/free";
import { Month } from "./calendar/month";
import { byDay, overlaps } from "./calendar/placing";
import { Week, weekOf } from "./calendar/week";
import { monthInWords, rangeInWords } from "./calendar/words";
import "./calendar.css";

const FIRST = firstWeekday();

export default function Calendar() {
  const here = place();
  const phone = usePhone();
  const [files, openFiles] = useState(false);
  const days = shownDays(here, phone);
  const [from, to] = [days[0]!, days.at(-1)!];
  const page = useLoad((signal) => loadEvents(from, to, zoneHere(), here.calendars, signal), [from, to, here.calendars.join()]);
  useReload(page.reload);
  const close = () => move({}, true);
  const changed = () => { close(); page.reload(); };
  return (
    <div class="cal">
      <div class="stack cal-main">
        <Bar here={here} days={days} phone={phone} loading={page.loading} onFiles={() => openFiles(true)} />
        {page.error ? <Problem error={page.error} retry={page.reload} /> : null}
        <section class="cal-view" aria-label={t("Events")} data-tour="calendar-view">
          {page.data ? <View here={here} days={days} page={page.data} /> : page.error ? null : <div class="loading"><Spinner label={t("Loading calendar")} /></div>}
        </section>
        {page.data?.left_off ? <p class="hint">{plural(page.data.left_off, "{count} more event in this period. Choose a shorter one to see it.", "{count} more events in this period. Choose a shorter one to see them.")}</p> : null}
      </div>
      <aside class="stack cal-side" aria-label={t("Calendars and free time")}>
        <Card title={t("Calendars")}><Calendars here={here} page={page.data} /></Card>
        <FindFree calendars={here.calendars} onPick={(making, minutes) => move({ making, minutes })} />
      </aside>
      {here.making ? (
        <EventForm key={here.making} wanted={here.making} day={here.day} minutes={here.minutes} onClose={close} onSaved={({ event }) => {
          toast(t("{title} was added to your calendar.", { title: event.title }), { kind: "good" });
          move({ day: event.all_day ? event.start : clockAt(new Date(event.start)).day }, true);
          page.reload();
        }} />
      ) : null}
      {here.event && page.data ? (
        <EventDialog key={`${here.event} ${here.occurrence}`} id={here.event} occurrence={here.occurrence}
          listed={page.data.events.find((each) => each.id === here.event && each.occurrence === here.occurrence) ?? null}
          changeable={page.data.changeable} keptBy={page.data.kept_by} clashes={overlaps(page.data.events)}
          day={here.day} onClose={close} onChanged={changed} />
      ) : null}
      {files ? <Files keptBy={page.data?.files === false ? page.data.kept_by : null} onClose={() => openFiles(false)} onImported={page.reload} /> : null}
    </div>
  );
}

function shownDays({ view, day, span }: Place, phone: boolean): Day[] {
  if (view === "month") return monthWeeks(day, FIRST).flat();
  if (view === "week") return weekOf(day, startOfWeek(day, FIRST), phone ? 3 : 7);
  return daysFrom(day, span);
}

function View({ here, days, page }: { here: Place; days: Day[]; page: EventPage }) {
  const { view, day } = here;
  const common = {
    found: byDay(page.events),
    clashes: overlaps(page.events),
    onOpen: (event: CalendarEvent) => move({ event: event.id, occurrence: event.occurrence }),
    onNew: (making: string) => move({ making, ...(making.length === 10 ? { day: making } : {}) }),
  };
  const onDay = (next: Day) => move({ day: next }, true);
  if (view === "month") return <Month {...common} day={day} first={FIRST} onDay={onDay} onList={(next) => move({ view: "agenda", day: next })} />;
  if (view === "week") return <Week {...common} day={day} days={days} onDay={onDay} />;
  const more = here.span + SPAN;
  return <Agenda {...common} days={days} onMore={more <= MOST_DAYS ? () => move({ span: more }, true) : null} />;
}

function Bar({ here, days, phone, loading, onFiles }: {
  here: Place; days: Day[]; phone: boolean; loading: boolean; onFiles: () => void;
}) {
  const { view, day } = here;
  const title = view === "month" ? monthInWords(day) : rangeInWords(days[0]!, days.at(-1)!);
  const step = (count: number): Day =>
    view === "month" ? addMonths(day, count) : addDays(day, count * (view === "agenda" ? SPAN : phone ? 3 : 7));
  const [back, ahead] = {
    month: [t("Previous month"), t("Next month")],
    week: phone ? [t("Previous three days"), t("Next three days")] : [t("Previous week"), t("Next week")],
    agenda: [t("Previous two weeks"), t("Next two weeks")],
  }[view] as [string, string];
  return (
    <div class="cal-bar">
      <div class="row cal-nav">
        <Button onClick={() => move({ day: today() })}>{t("Today")}</Button>
        <IconButton class="cal-back" label={back} icon="chevron" onClick={() => move({ day: step(-1) })} />
        <IconButton label={ahead} icon="chevron" onClick={() => move({ day: step(1) })} />
        <h2 aria-live="polite">{title}</h2>
        {loading ? <Spinner /> : null}
      </div>
      <div class="row cal-actions">
        <Button icon="upload" onClick={onFiles} data-tour="calendar-import">{t("Import and export")}</Button>
        <Button needs="workspace.write" kind="primary" icon="plus" data-tour="calendar-create" onClick={() => move({ making: "1" })}>{t("New event")}</Button>
      </div>
      <Tabs label={t("Calendar view")} tabs={VIEWS} chosen={view} onChoose={(next) => move({ view: next })} />
    </div>
  );
}

function Calendars({ here, page }: { here: Place; page: EventPage | null }) {
  return (
    <>
      <ul class="list cal-calendars">
        {CALENDARS.map((name) => {
          const shown = here.calendars.includes(name);
          const next = shown ? here.calendars.filter((each) => each !== name) : CALENDARS.filter((each) => each === name || here.calendars.includes(each));
          return (
            <li key={name}>
              <label class="row"><input type="checkbox" checked={shown} disabled={shown && here.calendars.length === 1}
                onChange={() => move({ calendars: next }, true)} /><i class={`cal-swatch is-${name}`} aria-hidden="true" />{name}
                <small class="hint">{name === "team" ? t("shared") : t("yours")}</small></label>
            </li>
          );
        })}
      </ul>
      {page ? <p class="hint">{t("Stored in {place}. Times are shown in {zone}.", { place: page.kept_by, zone: zoneHere() })}</p> : null}
    </>
  );
}

/** An agent that plans something plans it here too; and a page that was left alone is old. */
function useReload(reload: () => void): void {
  useEffect(() => {
    const known = ["calendar_create_event", "run_macro", "run_tool"];
    const stops = [
      on("function_result", ({ name }) => { if (known.includes(name)) reload(); }),
      on("confirmation_resolved", ({ tool }) => { if (known.includes(tool)) reload(); }),
    ];
    const back = () => { if (!document.hidden) reload(); };
    document.addEventListener("visibilitychange", back);
    return () => {
      stops.forEach((stop) => stop());
      document.removeEventListener("visibilitychange", back);
    };
  }, []);
}

function usePhone(): boolean {
  const [phone, set] = useState(() => matchMedia(PHONE).matches);
  useEffect(() => {
    const query = matchMedia(PHONE);
    const changed = () => set(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return phone;
}
