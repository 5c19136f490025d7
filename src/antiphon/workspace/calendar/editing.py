"""Edits of an event in its iCalendar text: what nobody asked to change stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.ics_text import (
    EventBlock,
    is_iana_zone,
    split_components,
    unfold_lines,
    wrap_calendar,
)
from antiphon.workspace.calendar.ics_writer import render_event
from antiphon.workspace.calendar.port import NewEvent, StoredEvent
from antiphon.workspace.calendar.recurrence import property_values
from antiphon.workspace.calendar.series import Series, build_series, instant_of, parse_components
from antiphon.workspace.calendar.slots import to_utc

_NAME = re.compile(r"[A-Za-z0-9-]+")
# What says when an event repeats, and when it does not.
_REPEATS = frozenset({"RRULE", "EXRULE", "RDATE", "EXDATE"})
_LAST = datetime(2200, 1, 1, tzinfo=UTC)


def stored_event(
    series: Series, calendar: str, zone: tzinfo, place: datetime | None
) -> StoredEvent | None:
    """An event, or one of its times, as a form shows it; None where there is no such time."""
    block, exceptions = _parts(series)
    (component,) = parse_components(block.text, series.zones)
    event = _described(series.uid, calendar, component, zone)
    exclude_occurrence = sum(len(each.dts) for each in property_values(component, "EXDATE"))
    event = replace(event, exceptions=len(exceptions) + exclude_occurrence)
    if place is None or not event.recurring:
        return event if place is None else None
    own = _at(exceptions, series.zones, zone, place)
    if own is not None:
        (component,) = parse_components(own.text, series.zones)
        event = _described(series.uid, calendar, component, zone)
    else:
        at = _occurrence(series, calendar, zone, place)
        if at is None:
            return None
        start, end = at
        where = event.start.tzinfo
        event = replace(event, start=start.astimezone(where), end=end.astimezone(where))
    return replace(event, recurrence=None, recurring=True, exceptions=0)


def edit_series(series: Series, event: NewEvent, zone: tzinfo, now: float) -> tuple[Series, int]:
    """A series with changed values, and the number of exceptions that were dropped.

    They are dropped when times or rule change: an exception belongs to a time of the old rule.
    """
    block, exceptions = _parts(series)
    before = stored_event(series, event.calendar, zone, None)
    assert before is not None
    text = _rewritten(block, before, event, now)
    lost = 0
    if is_rescheduled(before, event) or before.recurrence != event.recurrence:
        lost = before.exceptions
        text = _with(text, _REPEATS, _lines(event, now, {"RRULE"}))
        exceptions = []
    return _checked(series, [text, *(each.text for each in exceptions)]), lost


def edit_occurrence(
    series: Series, event: NewEvent, zone: tzinfo, place: datetime, now: float
) -> Series | None:
    """The series with one of its times changed; None where it has no such time."""
    before = stored_event(series, event.calendar, zone, place)
    if before is None:
        return None
    block, exceptions = _parts(series)
    own = _at(exceptions, series.zones, zone, place)
    others = [each.text for each in exceptions if each is not own]
    if own is None:
        # Times are always written: those of the series are its first one's.
        text = _with(block.text, _REPEATS, [_stamped("RECURRENCE-ID", block, series, place, zone)])
        text = _with(text, _TIMES, _lines(replace(event, recurrence=None), now, _TIMES))
        own = EventBlock(0, text)
    text = _rewritten(own, before, replace(event, recurrence=None), now)
    return _checked(series, [block.text, *others, text])


def exclude_occurrence(series: Series, zone: tzinfo, place: datetime, now: float) -> Series | None:
    """The series without one of its times (EXDATE); None where it has no such time."""
    if stored_event(series, "", zone, place) is None:
        return None
    block, exceptions = _parts(series)
    own = _at(exceptions, series.zones, zone, place)
    others = [each.text for each in exceptions if each is not own]
    text = _with(block.text, (), [_stamped("EXDATE", block, series, place, zone)])
    text = _with(text, _STAMPS, _stamps(block, now))
    return _checked(series, [text, *others])


def has_ended(series: Series, zone: tzinfo) -> bool:
    """Whether the series has no time left."""
    components = parse_components(series.events, series.zones)
    for component in components:
        for rule in property_values(component, "RRULE"):
            if not rule.get("COUNT") and not rule.get("UNTIL"):
                return False
    first = datetime.fromtimestamp(series.bounds()[0], UTC)
    return next(series.occurrences("", first, _LAST, zone), None) is None


def is_rescheduled(before: StoredEvent, event: NewEvent) -> bool:
    """Whether a change moves the event to another time, or to the same one in another zone."""
    if before.all_day and event.all_day:  # whatever zone the days were read in
        days = (before.start.date(), before.end.date())
        return days != (event.start.date(), event.end.date())
    other_zone = before.zone is not None and before.zone != (event.zone or "UTC")
    times = to_utc((before.start, before.end))
    return (
        before.all_day or event.all_day or other_zone or times != to_utc((event.start, event.end))
    )


def matches(stored: StoredEvent, event: NewEvent) -> bool:
    """Whether the stored event has every value of the requested one."""
    names = ("title", "description", "location", "status", "recurrence")
    same = all(getattr(stored, name) == getattr(event, name) for name in names)
    unmoved = same and not is_rescheduled(stored, event)
    return unmoved and set(stored.attendees) == set(event.attendees)


# -- parts -----------------------------------------------------------------------------------------

_TIMES = frozenset({"DTSTART", "DTEND", "DURATION"})
_STATUS = frozenset({"STATUS", "TRANSP"})
_STAMPS = frozenset({"SEQUENCE", "LAST-MODIFIED", "DTSTAMP"})


def _parts(series: Series) -> tuple[EventBlock, list[EventBlock]]:
    """The VEVENT of the series, and those of its exceptions. Raises CONFLICT without the first."""
    blocks = split_components(wrap_calendar(series.events).encode()).events
    own = [block for block in blocks if not block.value("RECURRENCE-ID")]
    if not own:
        raise ToolError(
            ErrorType.CONFLICT,
            "The file that this event came from has single times of a series, and not the series. "
            "It can be deleted, but not changed.",
        )
    return own[0], [block for block in blocks if block is not own[0]]


def _at(blocks: list[EventBlock], zones: str, zone: tzinfo, place: datetime) -> EventBlock | None:
    for block in blocks:
        (component,) = parse_components(block.text, zones)
        if instant_of(component["RECURRENCE-ID"].dt, zone) == place:
            return block
    return None


def _occurrence(
    series: Series, calendar: str, zone: tzinfo, place: datetime
) -> tuple[datetime, datetime] | None:
    near = series.occurrences(calendar, place, place + timedelta(minutes=1), zone)
    return next(((one.start, one.end) for one in near if one.place == place), None)


def _described(uid: str, calendar: str, component: Any, zone: tzinfo) -> StoredEvent:
    start, end = component["DTSTART"].dt, component.get("DTEND")
    all_day = not isinstance(start, datetime)
    own = zone if all_day or start.tzinfo is None else start.tzinfo
    begin = instant_of(start, zone).astimezone(own)
    if end is not None:
        finish = instant_of(end.dt, zone).astimezone(own)
    elif component.get("DURATION") is not None:
        finish = (begin.astimezone(UTC) + component["DURATION"].dt).astimezone(own)
    else:
        finish = begin + timedelta(days=1) if all_day else begin
    transparent = str(component.get("TRANSP", "")).upper() == "TRANSPARENT"
    tentative = str(component.get("STATUS", "")).upper() == "TENTATIVE"
    rules = property_values(component, "RRULE")
    return StoredEvent(
        calendar=calendar,
        title=str(component.get("SUMMARY", "")),
        start=begin,
        end=finish,
        zone=_zone_name(own),
        attendees=tuple(_address(each) for each in property_values(component, "ATTENDEE")),
        description=str(component.get("DESCRIPTION", "")),
        location=str(component.get("LOCATION", "")),
        recurrence=rules[0].to_ical().decode() if rules else None,
        url=str(component["URL"]) if component.get("URL") else None,
        all_day=all_day,
        status="free" if transparent else "tentative" if tentative else "busy",
        uid=uid,
        recurring=any(component.get(name) is not None for name in ("RRULE", "RDATE")),
    )


def _zone_name(zone: tzinfo) -> str | None:
    if zone == UTC:
        return "UTC"
    name = getattr(zone, "key", None)
    return name if isinstance(name, str) and is_iana_zone(name) else None


# -- text ------------------------------------------------------------------------------------------


def _rewritten(block: EventBlock, before: StoredEvent, event: NewEvent, now: float) -> str:
    names = set(_STAMPS)
    if before.title != event.title:
        names.add("SUMMARY")
    if before.description != event.description:
        names |= {"DESCRIPTION", "X-ALT-DESC"}
    if before.location != event.location:
        names.add("LOCATION")
    if before.status != event.status:
        names |= _STATUS
    if is_rescheduled(before, event):
        names |= _TIMES
    new = _stamps(block, now) + _lines(event, now, names - _STAMPS)
    gone = {each for each in before.attendees if each not in event.attendees}
    more = tuple(each for each in event.attendees if each not in before.attendees)
    new += _lines(replace(event, attendees=more), now, {"ATTENDEE"})
    return _with(block.text, names, new, lambda line: _invites(line, gone))


def _with(
    text: str,
    names: Collection[str],
    new: list[str],
    unwanted: Callable[[str], bool] = lambda _: False,
) -> str:
    """The text of an event without the properties of these names, and with new lines at its end."""
    found: list[str] = []
    depth, dropping = 0, False
    for line in text.split("\r\n")[:-1]:
        if line[:1] in (" ", "\t"):  # goes on with the line before
            if not dropping:
                found.append(line)
            continue
        match = _NAME.match(line)
        name = match[0].upper() if match else ""
        depth += name == "BEGIN"
        dropping = depth == 1 and name not in ("BEGIN", "END") and (name in names or unwanted(line))
        depth -= name == "END"
        if name == "END" and depth == 0:
            found += new
        if not dropping:
            found.append(line)
    return "".join(f"{line}\r\n" for line in found)


def _lines(event: NewEvent, now: float, names: Collection[str]) -> list[str]:
    """The lines of these properties, as a new event would have them."""
    lines = unfold_lines(render_event(event, "", now))
    found = []
    for line in lines:
        match = _NAME.match(line)
        if match and match[0].upper() in names:
            found.append(_folded(line))
    return found


def _folded(line: str) -> str:
    from icalendar.parser import Contentline

    content = Contentline(line)  # type: ignore[no-untyped-call]
    return str(content.to_ical().decode())  # type: ignore[no-untyped-call]


def _stamps(block: EventBlock, now: float) -> list[str]:
    count = block.value("SEQUENCE").strip()
    stamp = f"{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}"
    return [
        f"SEQUENCE:{int(count) + 1 if count.isdecimal() else 1}",
        f"LAST-MODIFIED:{stamp}",
        f"DTSTAMP:{stamp}",
    ]


def _stamped(name: str, block: EventBlock, series: Series, place: datetime, zone: tzinfo) -> str:
    """An EXDATE or RECURRENCE-ID of one time of a series, written in the form of its start."""
    (component,) = parse_components(block.text, series.zones)
    start = component["DTSTART"].dt
    line = next(each for each in unfold_lines(block.text) if re.match(r"DTSTART[;:]", each, re.I))
    head = line[len("DTSTART") : len(line) - len(block.value("DTSTART")) - 1]
    if not isinstance(start, datetime):
        return _folded(f"{name}{head}:{place.astimezone(zone):%Y%m%d}")
    local = place.astimezone(start.tzinfo or zone)
    return _folded(f"{name}{head}:{local:%Y%m%dT%H%M%S}{'Z' if start.tzinfo == UTC else ''}")


def _invites(line: str, addresses: Collection[str]) -> bool:
    if not line.upper().startswith("ATTENDEE"):
        return False
    said = line.casefold()
    return any(f"mailto:{address.casefold()}" in said for address in addresses)


def _checked(series: Series, texts: list[str]) -> Series:
    file = split_components(wrap_calendar("".join(texts), series.zones).encode())
    found, problems = build_series(series.uid, file.events, file.zones)
    if found is None:
        wrong = problems[0]
        raise ToolError(
            ErrorType.VALIDATION,
            f"Nothing was changed: {wrong.property}: {wrong.message}.",
            errors=[{"pointer": "", "message": wrong.message, "expected": "another value"}],
        )
    return found


def _address(value: Any) -> str:
    text = str(value)
    return text[7:] if text[:7].casefold() == "mailto:" else text
