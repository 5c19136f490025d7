"""Validation of calendar requests: events, ranges and versions, before anything is done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta, tzinfo

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import CALENDARS, NewEvent, Status
from antiphon.workspace.calendar.rule_validation import rule_problem
from antiphon.workspace.calendar.slots import to_utc
from antiphon.workspace.calendar.times import format_time, invalid, parse_time, zone_named

MAX_DAYS = 31
DISTANT_PAST = timedelta(days=366)


def parse_event(
    *,
    default: tzinfo,
    title: str,
    start: str,
    end: str,
    attendees: Sequence[str] = (),
    time_zone: str | None = None,
    calendar: str = "primary",
    description: str = "",
    location: str = "",
    recurrence: str | None = None,
    all_day: bool = False,
    status: Status = "busy",
) -> NewEvent:
    """The validated event. Blocks while its rule is followed. Raises ToolError VALIDATION."""
    zone = None if time_zone is None else zone_named(time_zone)
    if not title.strip():
        raise invalid("/title", "it is blank", "what the event is about")
    if all_day:
        for pointer, text in (("/start_time", start), ("/end_time", end)):
            if len(text.strip()) > 10:
                raise invalid(pointer, "it has an hour, but all_day is set", "a day, 2026-01-13")
    since = parse_time(start, "/start_time", zone, default)
    until = parse_time(end, "/end_time", zone, default, end=True)
    begin, finish = to_utc((since, until))
    if finish <= begin:
        raise invalid(
            "/end_time",
            f"{format_time(until)} is not after start_time ({format_time(since)})",
            "a time after start_time",
        )
    (name,) = calendar_names((calendar,))
    return NewEvent(
        calendar=name,
        title=title.strip(),
        start=since,
        end=until,
        zone=getattr(zone, "key", None),
        attendees=tuple(dict.fromkeys(attendees)),
        description=description,
        location=location,
        recurrence=_checked_rule(recurrence, since),
        all_day=all_day,
        status=status,
    )


def check_version(there: str, seen: str | None) -> None:
    """Raises CONFLICT where the event was changed since it was read."""
    if seen is not None and seen != there:
        raise version_conflict()


def version_conflict() -> ToolError:
    """CONFLICT for an event that was changed since it was read."""
    return ToolError(
        ErrorType.CONFLICT,
        "Nothing was changed: the event was changed elsewhere in the meantime. Open it again, and "
        "make your change to what is there now.",
    )


def check_range(since: datetime, until: datetime, now: datetime) -> None:
    """Raises VALIDATION for a range that is empty, too long or long past."""
    since, until = to_utc((since, until))
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
            f"the range ended more than a year ago ({format_time(until)})",
            "a range of the last year or of the future",
        )


def calendar_names(calendars: Iterable[str]) -> tuple[str, ...]:
    """The names of calendars, each once; all of them where none is named."""
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


def configured_names(calendars: Sequence[str], configured: Collection[str]) -> tuple[str, ...]:
    """Those of the calendars that a service has configured. Raises VALIDATION where it has none."""
    found = tuple(name for name in calendars if name in configured)
    if not found:
        raise ToolError(
            ErrorType.VALIDATION,
            f"No calendar called {' or '.join(calendars)} is configured; there is "
            f"{', '.join(configured)}.",
        )
    return found


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
