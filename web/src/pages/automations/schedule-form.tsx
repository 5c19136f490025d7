/** When it should run: by the clock or by the calendar, with the next times as one chooses. */
import { useState } from "preact/hooks";

import { ApiError } from "../../api/http";
import { useLoad } from "../../api/load";
import { zoneHere } from "../../api/zone";
import { locale, t } from "../../i18n";
import { Button, Field, Problem } from "../../ui/kit";
import { zones } from "../calendar/dates";
import type { Kind } from "./api";
import { cronOf, preview, saveSchedule, timeInWords, wishOf, type Rhythm, type Schedule, type ScheduleBody, type Trigger } from "./schedule-api";

const RHYTHMS: [Rhythm, string][] = [
  ["hour", t("Every hour")], ["day", t("Every day")], ["weekdays", t("Monday to Friday")], ["week", t("Every week")], ["month", t("Every month")], ["custom", t("Cron expression")],
];
const BEFORE: [number, string][] = [
  [0, t("At its start")], [5, t("5 minutes before")], [10, t("10 minutes before")], [15, t("15 minutes before")], [30, t("30 minutes before")],
  [60, t("1 hour before")], [1440, t("1 day before")],
];
// 5 January 2025 was a Sunday.
const weekdays = [0, 1, 2, 3, 4, 5, 6].map((day) => new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2025, 0, 5 + day)));

export function ScheduleForm({ kind, name, input, schedule, onDone, onCancel }: {
  kind: Kind; name: string; input: string | null; schedule: Schedule | null; onDone: () => void; onCancel: () => void;
}) {
  const [draft, set] = useState<ScheduleBody>(() => schedule ?? {
    kind, name, input: "", trigger: { type: "cron", expression: "0 8 * * 1-5" }, zone: zoneHere(), missed: "skip", enabled: true,
  });
  const [busy, work] = useState(false);
  const [problem, fail] = useState<unknown>(null);
  const { trigger } = draft;
  const change = (next: Partial<ScheduleBody>) => { fail(null); set({ ...draft, ...next }); };
  const press = async (event: Event) => {
    event.preventDefault();
    work(true);
    try {
      const { kind: of, name: which, input: text, trigger: when, zone, missed, enabled } = draft;
      await saveSchedule({ kind: of, name: which, input: text, trigger: when, zone, missed, enabled }, schedule?.id ?? null);
      onDone();
    } catch (error) {
      fail(error);
      work(false);
    }
  };
  return (
    <form class="stack flow-schedule-form" onSubmit={(event) => void press(event)} aria-label={schedule ? t("Edit schedule") : t("New schedule")}>
      <fieldset class="row flow-way">
        <legend class="hidden-visually">{t("Runs by")}</legend>
        <label><input type="radio" name="way" checked={trigger.type === "cron"} onChange={() => change({ trigger: { type: "cron", expression: "0 8 * * 1-5" } })} /> {t("Clock")}</label>
        <label><input type="radio" name="way" checked={trigger.type === "event"} onChange={() => change({ trigger: { type: "event", title: "", minutes_before: 10 } })} /> {t("Calendar events")}</label>
      </fieldset>
      {trigger.type === "cron"
        ? <Clock expression={trigger.expression} zone={draft.zone} onExpression={(expression) => change({ trigger: { type: "cron", expression } })} onZone={(zone) => change({ zone })} />
        : (
          <div class="flow-fields">
            <Field label={t("Events called")} hint={t("Events whose title contains this.")}>
              {(attributes) => <input {...attributes} type="text" required maxLength={200} value={trigger.title} placeholder={t("Stand-up")} onInput={(event) => change({ trigger: { ...trigger, title: event.currentTarget.value } })} />}
            </Field>
            <Field label={t("When")}>
              {(attributes) => (
                <select {...attributes} value={trigger.minutes_before} onChange={(event) => change({ trigger: { ...trigger, minutes_before: Number(event.currentTarget.value) } })}>
                  {BEFORE.some(([minutes]) => minutes === trigger.minutes_before) ? null : <option value={trigger.minutes_before}>{t("{count} minutes before", { count: trigger.minutes_before })}</option>}
                  {BEFORE.map(([minutes, words]) => <option key={minutes} value={minutes}>{words}</option>)}
                </select>
              )}
            </Field>
          </div>
        )}
      <Foreseen trigger={trigger} zone={draft.zone} />
      {input === null ? null : (
        <Field label={t("Input")} hint={t("What each run works on: {input}.", { input })}>
          {(attributes) => <textarea {...attributes} rows={2} maxLength={20_000} value={draft.input} onInput={(event) => change({ input: event.currentTarget.value })} />}
        </Field>
      )}
      <Field label={t("If the server was down at the time")}>
        {(attributes) => (
          <select {...attributes} value={draft.missed} onChange={(event) => change({ missed: event.currentTarget.value as ScheduleBody["missed"] })}>
            <option value="skip">{t("Skip the run")}</option>
            <option value="run_once">{t("Run once when it is back")}</option>
          </select>
        )}
      </Field>
      <p class="hint">{t("It runs with your rights. A step that needs your approval waits in the inbox.")}</p>
      {problem ? <Problem error={problem} /> : null}
      <div class="row"><span class="spring" /><Button onClick={onCancel}>{t("Cancel")}</Button><Button kind="primary" type="submit" icon="check" busy={busy}>{t("Save schedule")}</Button></div>
    </form>
  );
}

function Clock({ expression, zone, onExpression, onZone }: { expression: string; zone: string; onExpression: (cron: string) => void; onZone: (zone: string) => void }) {
  const [custom, type] = useState(() => wishOf(expression).rhythm === "custom");
  const wish = wishOf(expression);
  const rhythm = custom ? "custom" : wish.rhythm;
  const choose = (next: Rhythm) => {
    type(next === "custom");
    if (next !== "custom") onExpression(cronOf({ ...wish, rhythm: next }));
  };
  return (
    <div class="flow-fields">
      <Field label={t("Repeats")}>
        {(attributes) => (
          <select {...attributes} value={rhythm} onChange={(event) => choose(event.currentTarget.value as Rhythm)}>
            {RHYTHMS.map(([id, words]) => <option key={id} value={id}>{words}</option>)}
          </select>
        )}
      </Field>
      {rhythm === "week" ? (
        <Field label={t("On")}>
          {(attributes) => (
            <select {...attributes} value={wish.weekday} onChange={(event) => onExpression(cronOf({ ...wish, weekday: Number(event.currentTarget.value) }))}>
              {[1, 2, 3, 4, 5, 6, 0].map((day) => <option key={day} value={day}>{weekdays[day]}</option>)}
            </select>
          )}
        </Field>
      ) : null}
      {rhythm === "month" ? (
        <Field label={t("Day")}>
          {(attributes) => <input {...attributes} type="number" min={1} max={31} value={wish.day} onChange={(event) => onExpression(cronOf({ ...wish, day: event.currentTarget.valueAsNumber || 1 }))} />}
        </Field>
      ) : null}
      {rhythm === "custom" ? (
        <Field label={t("Cron expression")} hint={t("Minute, hour, day of month, month, day of week.")}>
          {(attributes) => <input {...attributes} type="text" required maxLength={200} spellcheck={false} autocomplete="off" value={expression} onInput={(event) => onExpression(event.currentTarget.value)} />}
        </Field>
      ) : (
        <Field label={rhythm === "hour" ? t("At minute") : t("At")}>
          {(attributes) => rhythm === "hour"
            ? <input {...attributes} type="number" min={0} max={59} value={Number(wish.time.slice(3))} onChange={(event) => onExpression(cronOf({ ...wish, time: `00:${event.currentTarget.valueAsNumber || 0}` }))} />
            : <input {...attributes} type="time" required value={wish.time} onChange={(event) => event.currentTarget.value && onExpression(cronOf({ ...wish, time: event.currentTarget.value }))} />}
        </Field>
      )}
      <Field label={t("Time zone")}>
        {(attributes) => (
          <select {...attributes} value={zone} onChange={(event) => onZone(event.currentTarget.value)}>
            {[...new Set([zone, ...zones()])].map((each) => <option key={each} value={each}>{each}</option>)}
          </select>
        )}
      </Field>
    </div>
  );
}

/** When that would be, in words and in the person's own time. */
function Foreseen({ trigger, zone }: { trigger: Trigger; zone: string }) {
  const whole = trigger.type === "cron" ? trigger.expression.trim() : trigger.title.trim();
  const found = useLoad(async (signal) => (whole ? preview(trigger, zone, signal) : null), [JSON.stringify(trigger), zone]);
  if (!whole) return null;
  const errors = found.error instanceof ApiError ? (found.error.body as { errors?: { message: string }[] } | null)?.errors : undefined;
  if (found.error) return <p class="wrong" role="alert">{errors?.[0]?.message ?? found.error.message}</p>;
  if (!found.data) return null;
  return (
    <div class="flow-foreseen" role="status">
      <p>{found.data.words}</p>
      <p class="hint">{found.data.next.length
        ? t("Next: {times}", { times: found.data.next.map(timeInWords).join(" · ") })
        : trigger.type === "event" ? t("No such event in the next five weeks. New events are included automatically.") : t("It would never run.")}</p>
    </div>
  );
}
