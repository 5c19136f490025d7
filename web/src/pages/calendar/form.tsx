/** The form of an event: a new one, one that is there, or one time of a series. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { ApiError, said } from "../../api/http";
import { t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Button, Field, Problem, Switch } from "../../ui/kit";
import { CALENDARS, changeEvent, createEvent, type EventDetail, type Overlap, type Saved } from "./api";
import { titleOf } from "./chip";
import { zones, type Day } from "./dates";
import { asAllDay, bodyOf, formOf, moved, newForm, wrongIn, type FormState } from "./form-state";
import { REPEATS, type Ends, type Repeat } from "./rules";
import { weekdayLong, whenInWords } from "./words";

export function EventForm({ event, once, wanted, day, minutes, onClose, onSaved }: {
  /** The one that is changed; none: a new one. */
  event?: EventDetail;
  once?: boolean;
  wanted?: string;
  day: Day;
  minutes: number;
  onClose: () => void;
  onSaved: (saved: Saved) => void;
}) {
  const [form, set] = useState<FormState>(() => (event ? formOf(event) : newForm(wanted ?? "", day, minutes)));
  const [wrong, tell] = useState<Record<string, string>>({});
  const [problem, fail] = useState<string | null>(null);
  const [clash, found] = useState<Overlap[] | null>(null);
  const [busy, work] = useState(false);
  const key = useMemo(() => crypto.randomUUID(), []);
  const title = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const change = (next: Partial<FormState>) => { set((before) => ({ ...before, ...next })); found(null); };
  const at = (next: { startDay?: Day; startTime?: string }) => { set((before) => moved(before, next)); found(null); };

  const submit = async (allowOverlap: boolean) => {
    const seen = wrongIn(form);
    tell(seen);
    fail(null);
    if (Object.keys(seen).length) return focusFirst();
    work(true);
    try {
      const body = { ...bodyOf(form, !!once), allow_overlap: allowOverlap };
      const saved = event ? await changeEvent(event, once ? event.occurrence : null, body) : await createEvent(body, key);
      for (const words of saved.warnings) toast(words);
      onSaved(saved);
    } catch (error) {
      refused(error);
      work(false);
    }
  };
  const refused = (error: unknown) => {
    const body = error instanceof ApiError ? (error.body as { overlaps?: Overlap[]; errors?: { pointer?: string; message: string; expected?: string }[] } | null) : null;
    if (body?.overlaps) return found(body.overlaps);
    const fields = Object.fromEntries((body?.errors ?? []).filter((each) => each.pointer).map((each) =>
      [each.pointer!.replace(/^\//, ""), each.expected ? t("{message}. Try {expected}.", { message: capital(each.message), expected: each.expected }) : capital(each.message)]));
    if (Object.keys(fields).length) { tell(fields); focusFirst(); }
    else fail(said(error));
  };
  const focusFirst = () => setTimeout(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());

  return (
    <Dialog title={event ? (once ? t("Edit this occurrence") : event.recurring ? t("Edit series") : t("Edit event")) : t("New event")} onClose={onClose} class="cal-dialog">
      <form class="stack" ref={box} noValidate onSubmit={(submitted) => { submitted.preventDefault(); void submit(false); }}>
        <Field label={t("Title")} error={wrong["title"]}>
          {(attributes) => <input {...attributes} ref={title} type="text" maxLength={200} value={form.title} autocomplete="off" onInput={(input) => change({ title: input.currentTarget.value })} />}
        </Field>
        <Switch label={t("All day")} checked={form.allDay} onChange={(on) => set((before) => asAllDay(before, on))} />
        <div class="cal-times">
          <Field label={form.allDay ? t("First day") : t("Starts")} error={wrong["start_time"]}>
            {(attributes) => (
              <div class="row cal-when">
                <input {...attributes} type="date" value={form.startDay} onInput={(input) => at({ startDay: input.currentTarget.value })} />
                {form.allDay ? null : <input type="time" aria-label={t("Start time")} value={form.startTime} onInput={(input) => at({ startTime: input.currentTarget.value })} />}
              </div>
            )}
          </Field>
          <Field label={form.allDay ? t("Last day") : t("Ends")} error={wrong["end_time"]}>
            {(attributes) => (
              <div class="row cal-when">
                <input {...attributes} type="date" value={form.endDay} onInput={(input) => change({ endDay: input.currentTarget.value })} />
                {form.allDay ? null : <input type="time" aria-label={t("End time")} value={form.endTime} onInput={(input) => change({ endTime: input.currentTarget.value })} />}
              </div>
            )}
          </Field>
        </div>
        {form.allDay ? null : (
          <Field label={t("Time zone")} error={wrong["time_zone"]}
            hint={form.zone ? undefined : t("This event has its own time zone, {offset}. Choose another, or leave it.", { offset: form.offset })}>
            {(attributes) => (
              <>
                <input {...attributes} type="text" list="cal-zones" value={form.zone} autocomplete="off" onInput={(input) => change({ zone: input.currentTarget.value.trim() })} />
                <datalist id="cal-zones">{zones().map((name) => <option key={name} value={name} />)}</datalist>
              </>
            )}
          </Field>
        )}
        {once ? null : <Repeating form={form} change={change} error={wrong["recurrence"]} />}
        <div class="cal-times">
          <Field label={t("Location")}>
            {(attributes) => <input {...attributes} type="text" maxLength={1000} value={form.location} onInput={(input) => change({ location: input.currentTarget.value })} />}
          </Field>
          <Field label={t("Show as")}>
            {(attributes) => (
              <select {...attributes} value={form.status} onChange={(input) => change({ status: input.currentTarget.value as FormState["status"] })}>
                <option value="busy">{t("Busy")}</option><option value="tentative">{t("Tentative")}</option><option value="free">{t("Free")}</option>
              </select>
            )}
          </Field>
          {event ? null : (
            <Field label={t("Calendar")} hint={form.calendar === "team" ? t("Everyone can see this calendar.") : undefined}>
              {(attributes) => (
                <select {...attributes} value={form.calendar} onChange={(input) => change({ calendar: input.currentTarget.value as FormState["calendar"] })}>
                  {CALENDARS.map((name) => <option key={name} value={name}>{name}</option>)}
                </select>
              )}
            </Field>
          )}
        </div>
        <details open={!!form.people || !!form.description}>
          <summary>{t("Guests and notes")}</summary>
          <div class="stack">
            <Field label={t("Guests")} hint={t("Email addresses, separated by commas.")} error={wrong["attendees"]}>
              {(attributes) => <input {...attributes} type="text" value={form.people} onInput={(input) => change({ people: input.currentTarget.value })} />}
            </Field>
            <Field label={t("Notes")}>
              {(attributes) => <textarea {...attributes} rows={3} maxLength={20_000} value={form.description} onInput={(input) => change({ description: input.currentTarget.value })} />}
            </Field>
          </div>
        </details>
        <div class="cal-foot">
          {problem ? <Problem error={new Error(problem)} /> : null}
          {clash ? <Clash overlaps={clash} /> : null}
          <div class="row">
            <span class="spring" />
            <Button onClick={onClose}>{t("Cancel")}</Button>
            {clash
              ? <Button kind="primary" busy={busy} onClick={() => submit(true)}>{t("Save anyway")}</Button>
              : <Button type="submit" kind="primary" busy={busy}>{event ? t("Save") : t("Create event")}</Button>}
          </div>
        </div>
      </form>
    </Dialog>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function Clash({ overlaps }: { overlaps: Overlap[] }) {
  return (
    <div class="cal-clash" role="alert">
      <p><strong>{t("That time is taken.")}</strong> {t("Choose another, or save anyway.")}</p>
      <ul>{overlaps.map((one) => <li key={one.start + one.title}>{titleOf(one)}, {whenInWords({ ...one, all_day: false })} ({one.calendar})</li>)}</ul>
    </div>
  );
}

function Repeating({ form, change, error }: { form: FormState; change: (next: Partial<FormState>) => void; error: string | undefined }) {
  const { repeat, ends, custom } = form.recurrence;
  const put = (next: Partial<FormState["recurrence"]>) => change({ recurrence: { ...form.recurrence, ...next } });
  const end = (kind: Ends["kind"]) => put({ ends: kind === "count" ? { kind, count: 10 } : kind === "until" ? { kind, day: form.startDay } : { kind } });
  const name = form.startDay ? weekdayLong(form.startDay) : "";
  return (
    <div class="cal-times">
      <Field label={t("Repeats")} error={repeat === "custom" ? null : error}>
        {(attributes) => (
          <select {...attributes} value={repeat} onChange={(input) => put({ repeat: input.currentTarget.value as Repeat })}>
            {Object.entries(REPEATS).map(([id, words]) => <option key={id} value={id}>{words(name, Number(form.startDay.slice(8)))}</option>)}
          </select>
        )}
      </Field>
      {repeat === "custom" ? (
        <Field label={t("Rule")} hint={t("RFC 5545, such as FREQ=MONTHLY;BYDAY=2TU")} error={error}>
          {(attributes) => <input {...attributes} type="text" value={custom} onInput={(input) => put({ custom: input.currentTarget.value })} />}
        </Field>
      ) : repeat === "none" ? null : (
        <Field label={t("Until")}>
          {(attributes) => (
            <div class="row cal-when">
              <select {...attributes} value={ends.kind} onChange={(input) => end(input.currentTarget.value as Ends["kind"])}>
                <option value="never">{t("forever")}</option><option value="count">{t("a number of times")}</option><option value="until">{t("a date")}</option>
              </select>
              {ends.kind === "count" ? <input type="number" aria-label={t("Number of times")} min={1} max={999} value={ends.count} onInput={(input) => put({ ends: { kind: "count", count: Math.max(1, Number(input.currentTarget.value) || 1) } })} /> : null}
              {ends.kind === "until" ? <input type="date" aria-label={t("Last day")} min={form.startDay} value={ends.day} onInput={(input) => put({ ends: { kind: "until", day: input.currentTarget.value } })} /> : null}
            </div>
          )}
        </Field>
      )}
    </div>
  );
}
