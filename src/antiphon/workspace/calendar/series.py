"""Event series: the VEVENTs of one UID, what is wrong with them, and when they happen."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from antiphon.workspace.calendar.ics_text import (
    EventBlock,
    IcsProblem,
    is_iana_zone,
    referenced_zones,
    rename_zone,
    unfold_lines,
    wrap_calendar,
)
from antiphon.workspace.calendar.port import Occurrence, Status
from antiphon.workspace.calendar.recurrence import instances, property_values
from antiphon.workspace.calendar.rule_validation import rule_problem
from antiphon.workspace.calendar.slots import periods_overlap

# A problem in any of these changes when an event happens; others are kept as they are written.
_TIMES = ("DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "RRULE", "EXRULE", "RDATE", "EXDATE")
# So many characters may a line of an event have. Files from elsewhere hold anything.
_MOST = {"SUMMARY": 2_000, "LOCATION": 5_000, "UID": 1_000, "URL": 5_000}
_MOST_OTHERS = 100_000
_DAY = timedelta(days=1)
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
# What the libraries raise over calendars that they cannot follow.
_TROUBLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


@dataclass(frozen=True, slots=True)
class Series:
    """The VEVENTs of one UID and the zones they need, as text."""

    uid: str
    title: str
    events: str
    zones: str = ""

    def occurrences(
        self, calendar: str, start: datetime, end: datetime, zone: tzinfo
    ) -> Iterator[Occurrence]:
        """The occurrences that overlap a range; `zone` is meant where an event names none."""
        components = parse_components(self.events, self.zones)
        for component, begin, finish, place in _expanded(components, start, end, zone):
            status = _status(component)
            period = (begin, finish)
            inside = periods_overlap(period, (start, end)) or (
                begin == finish and start <= begin < end
            )
            if status is not None and inside:
                all_day = not isinstance(component["DTSTART"].dt, datetime)
                yield Occurrence(
                    calendar=calendar,
                    uid=self.uid,
                    start=begin,
                    end=finish,
                    status=status,
                    title=_text(component, "SUMMARY"),
                    description=_text(component, "DESCRIPTION"),
                    location=_text(component, "LOCATION"),
                    attendees=len(property_values(component, "ATTENDEE")),
                    all_day=all_day,
                    recurring=len(components) > 1 or _repeats(components[0]),
                    days=_days(begin, finish, zone) if all_day else None,
                    place=None if place is None else instant_of(place, zone),
                    url=_text(component, "URL") or None,
                )

    def bounds(self) -> tuple[float, float | None]:
        """The earliest start and the latest end in epoch seconds, in whatever zone it is meant."""
        starts: list[datetime] = []
        ends: list[datetime] = []
        endless = False
        for component in parse_components(self.events, self.zones):
            begin = instant_of(component["DTSTART"].dt, UTC)
            starts.append(begin)
            ends.append(_end(component, begin, UTC))
            for rule in property_values(component, "RRULE"):
                until = rule.get("UNTIL")
                if until:
                    last = instant_of(until[0], UTC)
                    ends.append(last + (ends[-1] - begin))
                else:
                    endless = True
            endless = endless or bool(property_values(component, "RDATE"))
        last_second = None if endless else (max(ends) + 2 * _DAY).timestamp()
        return (min(starts) - 2 * _DAY).timestamp(), last_second


def build_series(
    uid: str, blocks: list[EventBlock], zones: Mapping[str, str]
) -> tuple[Series | None, list[IcsProblem]]:
    """The series of a UID, or None and what is wrong with its events."""
    text = "".join(block.text for block in blocks)
    # A name that everybody knows means what everybody means by it.
    own = [name for name in referenced_zones(text) if name in zones and not is_iana_zone(name)]
    needed = "".join(zones[name] for name in own)
    series = Series(uid, blocks[0].title, text, needed)
    problems: list[IcsProblem] = []
    for block in blocks:
        found = _problems(block, needed)
        problems += [IcsProblem(block.line, uid, block.title, *one) for one in found]
    if not problems:
        first = blocks[0]
        if trouble := _cannot_follow(parse_components(text, needed)):
            problems.append(IcsProblem(first.line, uid, first.title, "RRULE", trouble))
    return (None if problems else series), problems


@lru_cache(maxsize=2048)
def parse_components(events: str, zones: str) -> tuple[Any, ...]:
    """The icalendar components of VEVENT texts. Raises ValueError when they cannot be parsed."""
    from icalendar import Calendar

    text = wrap_calendar(events, zones)
    if zones:
        # The library keeps one zone for a name for ever; files may mean different ones by it.
        mark = hashlib.sha256(zones.encode()).hexdigest()[:12]
        for name in referenced_zones(events):
            if f"TZID:{name}\r\n" in zones:
                text = rename_zone(text, name, f"{name} {mark}")
    try:
        return tuple(Calendar.from_ical(text).walk("VEVENT"))
    except (AttributeError, TypeError, LookupError, ArithmeticError) as error:
        # The library meets a parameter of a wrong form and lets what it meets come out.
        raise ValueError(
            "a property or one of its parameters is of a form that it may not have"
        ) from error


# -- what may be wrong -------------------------------------------------------------------------


def _problems(block: EventBlock, zones: str) -> list[tuple[str, str]]:
    if too_long := _too_long(block):
        return too_long
    try:
        (component,) = parse_components(block.text, zones)
    except ValueError as error:
        return [("VEVENT", f"it cannot be read ({error})")]
    broken = [(name, str(said)) for name, said in component.errors if name in _TIMES]
    if broken:
        return broken
    return list(_wrong_times(component)) or list(_wrong_rules(component))


def _too_long(block: EventBlock) -> list[tuple[str, str]]:
    for line in unfold_lines(block.text):
        name = re.split("[:;]", line, maxsplit=1)[0].upper()
        most = _MOST.get(name, _MOST_OTHERS)
        if len(line) > most:
            said = f"it has {len(line):,} characters; at most {most:,} are taken"
            return [(name[:40], said)]
    return []


def _wrong_times(component: Any) -> Iterator[tuple[str, str]]:
    start = component.get("DTSTART")
    if start is None:
        yield "DTSTART", "it is missing, so nothing says when the event starts"
        return
    for name in ("DTSTART", "DTEND", "DURATION", "RECURRENCE-ID"):
        if isinstance(component.get(name), list):
            yield name, "it is there more than once"
            return
    for name in ("DTSTART", "DTEND", "RECURRENCE-ID"):
        value = component.get(name)
        if value is None:
            continue
        moment, zone = getattr(value, "dt", None), value.params.get("TZID")
        if not isinstance(moment, date):
            yield name, "it is neither a day nor a time"
            return
        if isinstance(moment, datetime) and moment.tzinfo is None and zone:
            yield name, f"the time zone {zone!r} is neither known nor described in the file"
        if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
            yield name, f"the year {moment.year} is not one of {_FIRST_YEAR} to {_LAST_YEAR}"
    yield from _wrong_length(component, start.dt)


def _wrong_length(component: Any, start: date) -> Iterator[tuple[str, str]]:
    end, duration = component.get("DTEND"), component.get("DURATION")
    length = getattr(duration, "dt", None)
    if end is not None:
        if isinstance(end.dt, datetime) != isinstance(start, datetime):
            yield "DTEND", "one of start and end is a day, the other a time"
        elif instant_of(end.dt, UTC) < instant_of(start, UTC):
            yield "DTEND", "the event ends before it starts"
    elif duration is not None and not isinstance(length, timedelta):
        yield "DURATION", "it is no length of time"
    elif length is not None and length < timedelta(0):
        yield "DURATION", "the event ends before it starts"


def _wrong_rules(component: Any) -> Iterator[tuple[str, str]]:
    for rule in property_values(component, "RRULE"):
        if not isinstance(rule, Mapping):
            yield "RRULE", "it is no rule of a repetition"
        elif problem := rule_problem(rule, component["DTSTART"].dt):
            yield "RRULE", problem


def _cannot_follow(components: tuple[Any, ...]) -> str | None:
    """The error of expanding a series for a year, so that no query meets it; None without one."""
    begin = min(instant_of(component["DTSTART"].dt, UTC) for component in components)
    try:
        for _ in _expanded(components, begin - _DAY, begin + 366 * _DAY, UTC):
            pass
    except _TROUBLE as error:
        return f"it cannot be followed ({error})"
    return None


# -- when it happens ---------------------------------------------------------------------------


def _expanded(
    components: tuple[Any, ...], start: datetime, end: datetime, zone: tzinfo
) -> Iterator[tuple[Any, datetime, datetime, date | None]]:
    """The occurrences near a range: component, start and end in UTC, and place in the series."""
    if len(components) == 1 and not _repeats(components[0]):
        component = components[0]
        begin = instant_of(component["DTSTART"].dt, zone)
        yield component, begin, _end(component, begin, zone), None
        return
    for each in instances(components, start, end):
        begin = instant_of(each.start, zone)
        finish = _end(each.component, begin, zone) if each.length is None else begin + each.length
        yield each.component, begin, finish, each.place


def _end(component: Any, begin: datetime, zone: tzinfo) -> datetime:
    """The end in UTC. A duration is exact, but whole days are days of the calendar."""
    start, end = component["DTSTART"].dt, component.get("DTEND")
    duration = component.get("DURATION")
    if end is not None:
        if not isinstance(start, datetime):
            return _days_on(begin, max((end.dt - start).days, 1), zone)
        return begin + (instant_of(end.dt, zone) - instant_of(start, zone))
    if duration is not None:
        length: timedelta = duration.dt
        if length.seconds:
            return begin + length
        own = start.tzinfo if isinstance(start, datetime) and start.tzinfo else zone
        return _days_on(begin, length.days, own)
    return begin if isinstance(start, datetime) else _days_on(begin, 1, zone)


def _days(begin: datetime, finish: datetime, zone: tzinfo) -> tuple[date, date]:
    """The first and the last day between two midnights."""
    first = begin.astimezone(zone).date()
    return first, max(first, finish.astimezone(zone).date() - _DAY)


def _days_on(begin: datetime, days: int, zone: tzinfo) -> datetime:
    return (begin.astimezone(zone) + timedelta(days=days)).astimezone(UTC)


def instant_of(moment: date, zone: tzinfo) -> datetime:
    """A moment in UTC. A day is its midnight; a time without a zone is meant in `zone`."""
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    return moment.astimezone(UTC)


def _repeats(component: Any) -> bool:
    return any(component.get(name) is not None for name in ("RRULE", "RDATE", "RECURRENCE-ID"))


def _status(component: Any) -> Status | None:
    """The status of an event; None where it is cancelled."""
    status = _text(component, "STATUS").upper()
    if status == "CANCELLED":
        return None
    if _text(component, "TRANSP").upper() == "TRANSPARENT":
        return "free"
    return "tentative" if status == "TENTATIVE" else "busy"


def _text(component: Any, name: str) -> str:
    found = property_values(component, name)
    return str(found[0]) if found else ""
