"""Calendar capability (`context.calendar`): free and busy times, and creating an event once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.meetings import Meeting, MeetingLinks
from antiphon.workspace.calendar.payloads import count_phrase, event_body, overlap_conflict, summary
from antiphon.workspace.calendar.port import (
    CALENDARS,
    CalendarSource,
    CreatedEvent,
    NewEvent,
    Occurrence,
    StoredEvent,
    WritableCalendar,
)
from antiphon.workspace.calendar.questions import event_question
from antiphon.workspace.calendar.slots import closed_periods, free_slots, periods_overlap
from antiphon.workspace.calendar.times import (
    format_time,
    invalid,
    is_date_only,
    parse_time,
    zone_named,
)
from antiphon.workspace.calendar.validation import calendar_names, check_range, parse_event

logger = logging.getLogger(__name__)

# A recurring event is compared with what is there for so long.
LOOK_AHEAD = timedelta(days=31)
MOST_SHOWN = 200


class Calendar:
    """Calendars of one service as handlers see them. Every method raises ToolError, nothing else.

    `zone` is meant where a day is named without a time zone. `meetings` makes the links of online
    meetings; None: there are none. `day` are the hours in which people are asked for whole days:
    nobody means midnight.
    """

    def __init__(
        self,
        source: CalendarSource,
        *,
        zone: str = "UTC",
        meetings: MeetingLinks | None = None,
        day: tuple[time, time] | None = None,
    ) -> None:
        self.source = source
        self.zone = zone_named(zone)
        self._meetings = meetings
        self._day = day
        # What is free must still be free when the event is made.
        self._making = asyncio.Lock()

    async def availability(
        self,
        user: str,
        start: str,
        end: str,
        *,
        now: datetime,
        time_zone: str | None = None,
        calendars: Sequence[str] = ("primary",),
        details: bool = False,
        min_minutes: int = 30,
        hours: tuple[time, time] | None = None,
        workdays: bool = False,
        usual_hours: bool = False,
    ) -> dict[str, Any]:
        """Events and free slots of a range, as the tool returns them.

        A range that the present lies in has slots from now on only. With `hours` and `workdays`
        only those between two hours of the day, and from Monday to Friday. With `usual_hours`
        a range of whole days has the slots of the usual hours of a day.
        """
        zone = None if time_zone is None else zone_named(time_zone)
        since = parse_time(start, "/start_date", zone, self.zone)
        until = parse_time(end, "/end_date", zone, self.zone, end=True)
        check_range(since, until, now)
        names = calendar_names(calendars)
        ask = self.source.occurrences if details else self.source.busy
        found = await ask(user, names, since, until)
        found.sort(key=lambda one: (one.start, one.end, one.calendar, one.uid))
        shown = zone or since.tzinfo or UTC
        free_from, note = since, ""
        if until <= now:
            note = "The whole range lies in the past."
        elif since < now:
            free_from = _next_minute(now)
            note = f"Slots are given from now on ({format_time(free_from, shown)})."
        if (
            usual_hours
            and hours is None
            and self._day
            and is_date_only(start)
            and is_date_only(end)
        ):
            hours = self._day
            between = f"{hours[0]:%H:%M} and {hours[1]:%H:%M}"
            note += f" Slots are between {between}; name hours for others."
        busy = [(one.start, one.end) for one in found if one.is_busy]
        busy += closed_periods(since, until, shown, hours, workdays)
        least = timedelta(minutes=min_minutes)
        slots = free_slots(busy, free_from, until, least) if free_from < until else []
        data: dict[str, Any] = {
            "date_range": {"start": format_time(since, shown), "end": format_time(until, shown)},
            "existing_events": [event_body(one, details, shown) for one in found[:MOST_SHOWN]],
            "available_slots": [
                {
                    "start": format_time(begin, shown),
                    "end": format_time(finish, shown),
                    "duration_minutes": int((finish - begin).total_seconds() // 60),
                }
                for begin, finish in slots[:MOST_SHOWN]
            ],
        }
        for count, noun in ((len(found), "events"), (len(slots), "slots")):
            if count > MOST_SHOWN:
                note += f" Of {count} {noun} the first {MOST_SHOWN} are listed; ask for less time."
        data["summary"] = summary(found, data["available_slots"])
        if note:
            data["note"] = note.strip()
        return data

    async def create(
        self,
        user: str,
        key: str,
        *,
        now: datetime,
        meeting_link: bool = False,
        allow_overlap: bool = False,
        details: bool = False,
        **fields: Any,
    ) -> dict[str, Any]:
        """Create one event for a key; the same key again returns the event that is there.

        `fields` describe the event (see `validation.parse_event`). Raises CONFLICT when the time
        is taken, with the overlapping events, unless `allow_overlap`; by title with `details`,
        for whoever may know.
        """
        event = await self.parse_event(**fields)
        shown = event.start.tzinfo or UTC
        async with self._making:
            made = await self.source.find(user, event.calendar, key)
            if made is not None:
                return self._created(made, event, [], now, meeting_link)
            _not_over(event, now)
            in_the_way = await self._overlapping(user, event, details)
            if in_the_way and not allow_overlap:
                raise overlap_conflict(in_the_way, shown, details)
            made = await self._create_with_meeting(user, event, key, meeting_link)
            overlaps = [event_body(one, details, shown) for one in in_the_way]
        return self._created(made, event, overlaps, now, meeting_link)

    def question(
        self,
        title: str,
        start: str,
        end: str,
        attendees: Sequence[str],
        *,
        time_zone: str | None = None,
        person_zone: str | None = None,
        recurrence: str | None = None,
    ) -> str:
        """The question whether an event may be added, in the person's time zone."""
        zone = self.zone if person_zone is None else zone_named(person_zone)
        given = zone if time_zone is None else zone_named(time_zone)
        repeats = recurrence is not None
        return event_question(
            *(title, start, end, attendees),
            zone=zone,
            given=given,
            repeats=repeats,
            named=person_zone is None,
        )

    def link_in_words(self, wanted: bool) -> str:
        """A sentence on the meeting link that a new event will have."""
        if not wanted:
            return "no"
        return "none is configured" if self._meetings is None else self._meetings.promise

    async def find_created(self, user: str, key: str, event: NewEvent, *, now: datetime) -> Any:
        """The response of `create` for the event of a key; None where there is none."""
        found = await self.source.find(user, event.calendar, key)
        return None if found is None else self._created(found, event, [], now, False)

    async def _create_with_meeting(
        self, user: str, event: NewEvent, key: str, meeting_link: bool
    ) -> CreatedEvent:
        """Create the meeting, then the event.

        In this order an event never promises a meeting that could not be had.
        """
        meetings = self._meetings
        if not meeting_link or meetings is None:
            return await self.source.create(user, event, key)
        if meetings.by_calendar:
            return await self.source.create(user, replace(event, conference=True), key)
        meeting = await meetings.create(event)
        room = meeting.url
        event = replace(event, location=event.location or room, url=room)
        try:
            return await self.source.create(user, event, key)
        except BaseException as error:
            unsure = isinstance(error, ToolError) and error.body["partialSideEffects"]
            if not unsure:  # an event that may be there keeps its meeting
                await self._delete_meeting(meetings, meeting)
            raise

    async def _delete_meeting(self, meetings: MeetingLinks, meeting: Meeting) -> None:
        try:
            await asyncio.shield(meetings.delete(meeting))
        except ToolError as error:
            logger.warning("meeting %s has no event and was not deleted: %s", meeting.id, error)

    # -- a person's own events

    @property
    def writable(self) -> WritableCalendar:
        """The service as a WritableCalendar. Raises ToolError PERMANENT where it is none."""
        if isinstance(self.source, WritableCalendar):
            return self.source
        raise ToolError(
            ErrorType.PERMANENT,
            f"These events are kept by {self.source.label}, and can only be changed there.",
        )

    async def parse_event(self, **event: Any) -> NewEvent:
        """Validate an event off the event loop; see `validation.parse_event`."""
        return await asyncio.to_thread(lambda: parse_event(default=self.zone, **event))

    async def change(
        self,
        user: str,
        before: StoredEvent,
        event: NewEvent,
        place: datetime | None,
        *,
        now: datetime,
        allow_overlap: bool = False,
    ) -> dict[str, Any]:
        """Changes an event with all its times, or the one at `place`: `overlaps`, `warnings`.

        `before` is the event as it was read. Raises CONFLICT where it is another one by now, and as
        `create` does, by name; VALIDATION for a time that is over.
        """
        moved = (before.start, before.end) != (event.start, event.end)
        if moved and event.recurrence is None:
            _not_over(event, now)
        shown = event.start.tzinfo or UTC
        async with self._making:
            in_the_way: list[Occurrence] = []
            # What it overlaps with already is known to whoever changes its title.
            if moved or (before.recurrence, before.status) != (event.recurrence, event.status):
                found = await self._overlapping(user, event, True)
                in_the_way = [one for one in found if one.uid != before.uid]
            if in_the_way and not allow_overlap:
                raise overlap_conflict(in_the_way, shown, True)
            lost = await self.writable.change(user, before.uid, event, place, before.version)
        if lost is None:
            raise ToolError(ErrorType.CONFLICT, "The event has been deleted meanwhile.")
        warnings = []
        if in_the_way:
            warnings.append(f"It overlaps with {count_phrase(len(in_the_way), 'other event')}.")
        if lost:
            warnings.append(
                f"{count_phrase(lost, 'time')} of the series that had been moved or left out "
                "follow the series again."
            )
        return {
            "overlaps": [event_body(one, True, shown) for one in in_the_way[:10]],
            "warnings": warnings,
        }

    async def occurrences(
        self, user: str, start: datetime, end: datetime, calendars: Sequence[str] = CALENDARS
    ) -> list[Occurrence]:
        """All occurrences between two times in order, of recurring events each."""
        found = await self.source.occurrences(user, calendar_names(calendars), start, end)
        return sorted(found, key=lambda one: (one.start, one.end, one.calendar, one.uid))

    async def events(
        self, user: str, start: datetime, end: datetime, calendars: Sequence[str] = CALENDARS
    ) -> list[dict[str, Any]]:
        """Every event between two times with its details, in order."""
        found = await self.occurrences(user, start, end, calendars)
        return [{"uid": one.uid, **event_body(one, True, start.tzinfo or UTC)} for one in found]

    async def close(self) -> None:
        """Close the service and the meeting service."""
        if self._meetings is not None:
            await self._meetings.close()
        await self.source.close()

    # -- inside

    async def _overlapping(self, user: str, event: NewEvent, details: bool) -> list[Occurrence]:
        """The events that overlap a new event, or its recurrences of the next weeks."""
        if event.status == "free":
            return []
        times = await asyncio.to_thread(_times, event)
        names = dict.fromkeys((event.calendar, "primary", "personal"))
        ask = self.source.occurrences if details else self.source.busy
        found = await ask(user, tuple(names), times[0][0], times[-1][1])
        own = (one for one in found if one.is_busy)
        busy = [one for one in own if any(periods_overlap((one.start, one.end), t) for t in times)]
        return sorted(busy, key=lambda one: one.start)

    def _created(
        self,
        made: CreatedEvent,
        event: NewEvent,
        overlaps: Sequence[dict[str, Any]],
        now: datetime,
        meeting_link: bool,
    ) -> dict[str, Any]:
        shown = event.start.tzinfo or UTC
        warnings: list[str] = []
        if overlaps:
            warnings.append(f"It overlaps with {count_phrase(len(overlaps), 'other event')}.")
        if made.event.start < now:
            warnings.append("It has already begun.")
        if meeting_link and made.event.url is None:
            why = "none is configured (`calendar.meeting` of the settings)"
            if self._meetings is not None:
                why = "the calendar service has not made one yet; look at the event later"
            warnings.append(f"No link for an online meeting was added: {why}.")
        if event.attendees and made.invitations == "not_sent":
            warnings.append(
                "The attendees are noted, but nobody was told: the local calendar sends no mail."
            )
        return {
            "event_id": made.id,
            "calendar": event.calendar,
            "title": event.title,
            "start": format_time(made.event.start, shown),
            "end": format_time(made.event.end, shown),
            "attendees": list(event.attendees),
            "recurrence": event.recurrence,
            "meeting_link": made.event.url,
            "invitations": made.invitations,
            "link": made.link,
            "overlaps": list(overlaps[:10]),
            "warnings": warnings,
        }


def _not_over(event: NewEvent, now: datetime) -> None:
    if event.end <= now:
        shown = event.start.tzinfo or UTC
        raise invalid(
            "/start_time",
            f"the event is over already: it ends {format_time(event.end, shown)}, and now it is "
            f"{format_time(now, shown)}",
            "a time in the future",
        )


def _times(event: NewEvent) -> list[tuple[datetime, datetime]]:
    if event.recurrence is None:
        return [(event.start, event.end)]
    from antiphon.workspace.calendar.ics_writer import event_uid, render_event
    from antiphon.workspace.calendar.series import Series

    series = Series(event_uid(""), event.title, render_event(event, "", event.start.timestamp()))
    found = series.occurrences(event.calendar, event.start, event.start + LOOK_AHEAD, UTC)
    times = sorted((one.start, one.end) for one in found)
    return times or [(event.start, event.end)]


def _next_minute(moment: datetime) -> datetime:
    whole = moment.replace(second=0, microsecond=0)
    return whole if whole == moment else whole + timedelta(minutes=1)
