"""What handlers find under `context.calendar`: free and busy times, and making an event once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import (
    CALENDARS,
    CalendarSource,
    Made,
    NewEvent,
    Occurrence,
)
from antiphon.workspace.calendar.rules import rule_problem
from antiphon.workspace.calendar.slots import free_slots, in_utc, overlap
from antiphon.workspace.calendar.times import invalid, read_time, written, zone_named

MAX_DAYS = 31
DISTANT_PAST = timedelta(days=366)
# A recurring event is compared with what is there for so long.
LOOK_AHEAD = timedelta(days=31)
MOST_SHOWN = 200


class Calendar:
    """Calendars of one service as handlers see them. Every method raises ToolError, nothing else.

    `zone` is meant where a day is named without a time zone. `meeting_url` is the standing room
    for online meetings that invitations carry.
    """

    def __init__(
        self, source: CalendarSource, *, zone: str = "UTC", meeting_url: str | None = None
    ) -> None:
        self.source = source
        self._zone = zone_named(zone)
        self._meeting_url = meeting_url
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
    ) -> dict[str, Any]:
        """Events and free slots of a range, as the tool returns them.

        A range that the present lies in has slots from now on only.
        """
        zone = None if time_zone is None else zone_named(time_zone)
        since = read_time(start, "/start_date", zone, self._zone)
        until = read_time(end, "/end_date", zone, self._zone, end=True)
        _check_range(since, until, now)
        names = _named(calendars)
        ask = self.source.occurrences if details else self.source.busy
        found = await ask(user, names, since, until)
        found.sort(key=lambda one: (one.start, one.end, one.calendar, one.uid))
        shown = zone or since.tzinfo or UTC
        free_from, note = since, ""
        if until <= now:
            note = "The whole range lies in the past."
        elif since < now:
            free_from = _next_minute(now)
            note = f"Slots are given from now on ({written(free_from, shown)})."
        busy = [(one.start, one.end) for one in found if one.is_busy]
        least = timedelta(minutes=min_minutes)
        slots = free_slots(busy, free_from, until, least) if free_from < until else []
        data: dict[str, Any] = {
            "date_range": {"start": written(since, shown), "end": written(until, shown)},
            "existing_events": [_event(one, details, shown) for one in found[:MOST_SHOWN]],
            "available_slots": [
                {
                    "start": written(begin, shown),
                    "end": written(finish, shown),
                    "duration_minutes": int((finish - begin).total_seconds() // 60),
                }
                for begin, finish in slots[:MOST_SHOWN]
            ],
        }
        for count, noun in ((len(found), "events"), (len(slots), "slots")):
            if count > MOST_SHOWN:
                note += f" Of {count} {noun} the first {MOST_SHOWN} are listed; ask for less time."
        data["summary"] = _summary(found, data["available_slots"])
        if note:
            data["note"] = note.strip()
        return data

    async def create(
        self,
        user: str,
        key: str,
        *,
        now: datetime,
        title: str,
        start: str,
        end: str,
        attendees: Sequence[str] = (),
        time_zone: str | None = None,
        calendar: str = "primary",
        description: str = "",
        location: str = "",
        recurrence: str | None = None,
        meeting_link: bool = False,
        allow_overlap: bool = False,
    ) -> dict[str, Any]:
        """Makes one event for a key. The same key again gives the event that is there.

        Raises CONFLICT when the time is taken, with what is in the way, unless `allow_overlap`.
        """
        zone = None if time_zone is None else zone_named(time_zone)
        if not title.strip():
            raise invalid("/title", "it is blank", "what the event is about")
        since = read_time(start, "/start_time", zone, self._zone)
        until = read_time(end, "/end_time", zone, self._zone, end=True)
        begin, finish = in_utc((since, until))
        if finish <= begin:
            raise invalid(
                "/end_time",
                f"{written(until)} is not after start_time ({written(since)})",
                "a time after start_time",
            )
        (name,) = _named((calendar,))
        event = NewEvent(
            calendar=name,
            title=title.strip(),
            start=since,
            end=until,
            zone=getattr(zone, "key", None),
            attendees=tuple(dict.fromkeys(attendees)),
            description=description,
            location=location or (self._meeting_url or "" if meeting_link else ""),
            recurrence=await asyncio.to_thread(_checked_rule, recurrence, since),
            url=self._meeting_url if meeting_link else None,
        )
        shown = zone or since.tzinfo or UTC
        async with self._making:
            made = await self.source.find(user, name, key)
            if made is not None:
                return self._created(made, event, [], shown, now, meeting_link)
            if until <= now:
                raise invalid(
                    "/start_time",
                    f"the event is over already: it ends {written(until, shown)}, and now it is "
                    f"{written(now, shown)}",
                    "a time in the future",
                )
            in_the_way = await self._in_the_way(user, event)
            if in_the_way and not allow_overlap:
                raise _taken(in_the_way, shown)
            made = await self.source.create(user, event, key)
        return self._created(made, event, in_the_way, shown, now, meeting_link)

    async def events(
        self, user: str, start: datetime, end: datetime, calendars: Sequence[str] = CALENDARS
    ) -> list[dict[str, Any]]:
        """Every event between two times with its details, in order."""
        found = await self.source.occurrences(user, _named(calendars), start, end)
        found.sort(key=lambda one: (one.start, one.end, one.calendar, one.uid))
        return [{"uid": one.uid, **_event(one, True, start.tzinfo or UTC)} for one in found]

    async def close(self) -> None:
        await self.source.close()

    # -- inside

    async def _in_the_way(self, user: str, event: NewEvent) -> list[Occurrence]:
        """What overlaps the event, or its recurrences of the next weeks."""
        times = await asyncio.to_thread(_times, event)
        names = dict.fromkeys((event.calendar, "primary", "personal"))
        found = await self.source.busy(user, tuple(names), times[0][0], times[-1][1])
        busy = [one for one in found if any(overlap((one.start, one.end), t) for t in times)]
        return sorted(busy, key=lambda one: one.start)

    def _created(
        self,
        made: Made,
        event: NewEvent,
        in_the_way: Sequence[Occurrence],
        shown: tzinfo,
        now: datetime,
        meeting_link: bool,
    ) -> dict[str, Any]:
        warnings: list[str] = []
        if in_the_way:
            warnings.append(f"It overlaps with {_counted(len(in_the_way), 'other event')}.")
        if made.event.start < now:
            warnings.append("It has already begun.")
        if meeting_link and not self._meeting_url:
            warnings.append(
                "No link for an online meeting was added: none is configured "
                "(`calendar.meeting_url` of the settings)."
            )
        if event.attendees and made.invitations == "not_sent":
            warnings.append(
                "The attendees are noted, but nobody was told: the local calendar sends no mail."
            )
        return {
            "event_id": made.id,
            "calendar": event.calendar,
            "title": event.title,
            "start": written(made.event.start, shown),
            "end": written(made.event.end, shown),
            "attendees": list(event.attendees),
            "recurrence": event.recurrence,
            "meeting_link": event.url,
            "invitations": made.invitations,
            "link": made.link,
            "overlaps": [_event(one, False, shown) for one in in_the_way[:10]],
            "warnings": warnings,
        }


def _check_range(since: datetime, until: datetime, now: datetime) -> None:
    since, until = in_utc((since, until))
    if since >= until:
        raise invalid(
            "/start_date",
            "start_date must be before end_date",
            "a range that starts before it ends",
        )
    # A month in which clocks are changed has an hour more.
    if until - since > timedelta(days=MAX_DAYS, hours=1):
        raise invalid(
            "/end_date",
            f"Date range too large (max {MAX_DAYS} days)",
            f"a range of at most {MAX_DAYS} days; ask several times for more",
        )
    if until < now - DISTANT_PAST:
        raise invalid(
            "/end_date",
            f"the range ended more than a year ago ({written(until)})",
            "a range of the last year or of the future",
        )


def _named(calendars: Iterable[str]) -> tuple[str, ...]:
    """Each once; none means all."""
    names = tuple(dict.fromkeys(calendars)) or CALENDARS
    for name in names:
        if name not in CALENDARS:
            raise ToolError(
                ErrorType.VALIDATION,
                f"There is no calendar {name!r}; there are {', '.join(CALENDARS)}.",
                errors=[
                    {
                        "pointer": "/calendars",
                        "message": f"{name!r} is no calendar",
                        "expected": f"any of {', '.join(CALENDARS)}",
                    }
                ],
            )
    return names


def _checked_rule(text: str | None, start: datetime) -> str | None:
    if text is None:
        return None
    from icalendar import vRecur

    rule = text.strip().removeprefix("RRULE:")
    example = "a rule of RFC 5545, like FREQ=WEEKLY;BYDAY=MO;COUNT=10"
    try:
        read = vRecur.from_ical(rule)
    except ValueError as error:
        raise invalid("/recurrence", f"{text!r} is no recurrence rule ({error})", example) from None
    if problem := rule_problem(read, start):
        raise invalid("/recurrence", problem, example)
    return str(read.to_ical().decode())


def _times(event: NewEvent) -> list[tuple[datetime, datetime]]:
    if event.recurrence is None:
        return [(event.start, event.end)]
    from antiphon.workspace.calendar.series import Series
    from antiphon.workspace.calendar.writing import event_text, uid_of

    series = Series(uid_of(""), event.title, event_text(event, "", event.start.timestamp()))
    found = series.occurrences(event.calendar, event.start, event.start + LOOK_AHEAD, UTC)
    times = sorted((one.start, one.end) for one in found)
    return times or [(event.start, event.end)]


def _taken(in_the_way: Sequence[Occurrence], zone: tzinfo) -> ToolError:
    shown = "; ".join(
        f"{written(one.start, zone)} to {written(one.end, zone)} ({one.calendar})"
        for one in in_the_way[:3]
    )
    more = f"; and {len(in_the_way) - 3} more" if len(in_the_way) > 3 else ""
    return ToolError(
        ErrorType.CONFLICT,
        f"Nothing was created: this time is taken by {_counted(len(in_the_way), 'event')}: "
        f"{shown}{more}. Choose another time (calendar_get_availability), or set allow_overlap "
        "when the person wants both.",
        overlaps=[_event(one, False, zone) for one in in_the_way[:10]],
    )


def _event(one: Occurrence, details: bool, zone: tzinfo) -> dict[str, Any]:
    body: dict[str, Any] = {
        "start": written(one.start, zone),
        "end": written(one.end, zone),
        "status": one.status,
        "calendar": one.calendar,
        "title": one.title if details else None,
    }
    if details:
        body |= {
            "description": one.description,
            "location": one.location,
            "attendees": one.attendees,
            "all_day": one.all_day,
            "recurring": one.recurring,
        }
    return body


def _summary(found: Sequence[Occurrence], slots: Sequence[dict[str, Any]]) -> str:
    busy = sum(1 for one in found if one.is_busy)
    minutes = sum(slot["duration_minutes"] for slot in slots)
    return (
        f"{_counted(busy, 'busy period')}, {_counted(len(slots), 'available slot')} "
        f"({minutes} minutes total)"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _next_minute(moment: datetime) -> datetime:
    whole = moment.replace(second=0, microsecond=0)
    return whole if whole == moment else whole + timedelta(minutes=1)
