/** One event: what it is, and ways to change or delete it. */
import { useCallback, useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { Badge, Button, Problem, Shown } from "../../ui/kit";
import { Markdown } from "../../ui/markdown";
import { deleteEvent, loadEvent, type CalendarEvent, type EventDetail } from "./api";
import { clashWords, titleOf, type Clashes } from "./chip";
import { zoneHere, type Day } from "./dates";
import { EventForm } from "./form";
import { ruleInWords } from "./rules";
import { weekdayLong, whenInWords } from "./words";

interface Props {
  id: string;
  occurrence: string | null;
  /** As the list has it; it may be older than what the server knows. */
  listed: CalendarEvent | null;
  changeable: boolean;
  keptBy: string;
  clashes: Clashes;
  day: Day;
  onClose: () => void;
  onChanged: () => void;
}

export function EventDialog(props: Props) {
  const { id, occurrence, listed, changeable, onClose, onChanged } = props;
  const [editing, edit] = useState<"once" | "all" | null>(null);
  const whole = useLoad((signal) => (changeable ? loadEvent(id, null, signal) : Promise.resolve(null)), [id, changeable]);
  const once = useLoad((signal) => (changeable && occurrence ? loadEvent(id, occurrence, signal) : Promise.resolve(null)), [id, occurrence, changeable]);
  const event = editing === "all" ? whole.data : occurrence ? once.data : whole.data;
  if (editing && event) {
    return (
      <EventForm event={event} once={editing === "once"} day={props.day} minutes={60} onClose={() => edit(null)}
        onSaved={() => { toast(t("Saved."), { kind: "good" }); onChanged(); }} />
    );
  }
  if (!changeable) {
    return (
      <Dialog title={listed ? titleOf(listed) : t("Event")} onClose={onClose}>
        {listed ? <Facts event={listed} clash={clashWords(listed, props.clashes)} rule="" people={listed.attendees ? plural(listed.attendees, "{count} person", "{count} people") : ""} /> : null}
        <p class="hint">{t("Stored in {place}. Change it there.", { place: props.keptBy })}</p>
      </Dialog>
    );
  }
  const loaded = occurrence ? once : whole;
  return (
    <Dialog title={listed ? titleOf(listed) : event ? titleOf(event) : t("Event")} onClose={onClose}>
      {loaded.error && !loaded.data ? <Problem error={loaded.error} /> : (
        <Shown of={loaded}>
          {(found) => found ? (
            <Details event={found} whole={whole.data} clash={listed ? clashWords(listed, props.clashes) : ""}
              onEdit={edit} onDeleted={onChanged} />
          ) : null}
        </Shown>
      )}
    </Dialog>
  );
}

function Details({ event, whole, clash, onEdit, onDeleted }: {
  event: EventDetail; whole: EventDetail | null; clash: string; onEdit: (how: "once" | "all") => void; onDeleted: () => void;
}) {
  const [asking, ask] = useState(false);
  const [busy, work] = useState(false);
  // The button that was pressed is gone: the next key is for the one that does no harm.
  const safe = useCallback((group: HTMLElement | null) => group?.querySelector("button")?.focus(), []);
  const series = event.recurring && event.occurrence !== null;
  const rule = whole?.recurring ? ruleInWords(whole.recurrence, whole.start.slice(0, 10), whole.time_zone ?? "UTC", weekdayLong(whole.start.slice(0, 10))) : "";
  const remove = async (occurrence: string | null) => {
    work(true);
    try {
      // All of a series has a version of its own, where each of its times has.
      await deleteEvent(occurrence === null && whole ? whole : event, occurrence);
      toast(occurrence ? t("This occurrence was removed from the series.") : t("{event} deleted.", { event: titleOf(event) }), { kind: "good" });
      onDeleted();
    } catch (error) {
      toast(said(error), { kind: "bad" });
      work(false);
    }
  };
  return (
    <>
      <Facts event={event} clash={clash} rule={rule} people={event.attendees.join(", ")} zone={event.time_zone} url={event.url} />
      {asking ? (
        <div class="row cal-acts" role="group" aria-label={t("Delete")} ref={safe}>
          <p class="cal-ask">{series ? t("Delete this occurrence or the whole series?") : t("Delete permanently?")}</p>
          <span class="spring" />
          <Button onClick={() => ask(false)}>{t("Cancel")}</Button>
          {series ? <Button kind="danger" busy={busy} onClick={() => remove(event.occurrence)}>{t("Delete occurrence")}</Button> : null}
          <Button kind="danger" busy={busy} onClick={() => remove(null)}>{series ? t("Delete series") : t("Delete")}</Button>
        </div>
      ) : (
        <div class="row cal-acts">
          <Button needs="workspace.write" kind="danger" icon="trash" onClick={() => ask(true)}>{t("Delete")}</Button>
          <span class="spring" />
          {series ? <Button needs="workspace.write" icon="edit" onClick={() => onEdit("once")}>{t("Edit occurrence")}</Button> : null}
          <Button needs="workspace.write" icon="edit" kind={series ? "plain" : "primary"} disabled={!whole} onClick={() => onEdit("all")}>{series ? t("Edit series") : t("Edit")}</Button>
        </div>
      )}
    </>
  );
}

function Facts({ event, clash, rule, people, zone, url }: {
  event: Pick<CalendarEvent, "start" | "end" | "all_day" | "location" | "description" | "calendar" | "status" | "recurring">;
  clash: string; rule: string; people: string; zone?: string | null; url?: string | null;
}) {
  const foreign = zone && !event.all_day && zone !== zoneHere();
  return (
    <div class="cal-facts">
      <p><Icon name="clock" size={16} /><span>{whenInWords(event)}{foreign ? <small class="hint"> {t("(created in {zone})", { zone })}</small> : null}</span></p>
      {rule ? <p><Icon name="refresh" size={16} /><span>{rule}</span></p> : null}
      {event.location ? <p><Icon name="place" size={16} /><span>{event.location}</span></p> : null}
      {people ? <p><Icon name="people" size={16} /><span>{people}</span></p> : null}
      {url ? <p><Icon name="external" size={16} /><a href={url} target="_blank" rel="noopener noreferrer">{url}</a></p> : null}
      <p class="row"><Badge>{event.calendar}</Badge>{event.status === "busy" ? null : <Badge>{event.status}</Badge>}{clash ? <Badge kind="warn">{clash}</Badge> : null}</p>
      {event.description ? <Markdown text={event.description} /> : null}
    </div>
  );
}
