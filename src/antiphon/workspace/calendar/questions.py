"""Question about a new event: one sentence that a person would say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from antiphon.text.calendar_names import MONTHS_SHORT, WEEKDAYS_SHORT

_NAMED = 2  # guests that are named; the others are counted


def event_question(
    title: str,
    start: str,
    end: str,
    attendees: Sequence[str],
    *,
    zone: tzinfo,
    given: tzinfo,
    repeats: bool = False,
    named: bool = False,
) -> str:
    """The question whether an event may be added, with its times in a person's zone; `given` is
    that of times without an offset. With `named` the zone is said, as it may not be theirs. Raises
    ValueError for a time that is none."""
    first, last = _moment(start, zone, given), _moment(end, zone, given)
    when = f"{_day(first)} {_clock(first)}"
    if last.date() == first.date():
        when += f"\u2013{_clock(last)}"
    else:
        when += f" to {_day(last)} {_clock(last)}"
    if named:
        when += f" {first.tzname()}"
    if repeats:
        when += ", repeating"
    name = title.translate(dict.fromkeys(map(ord, '\u201c\u201d"'), "'"))
    return f"Add \u201c{name}\u201d, {when}{_guests(attendees)}?"


def _guests(attendees: Sequence[str]) -> str:
    if not attendees:
        return ""
    named, more = list(attendees[:_NAMED]), len(attendees) - _NAMED
    if more > 0:
        named.append("1 other" if more == 1 else f"{more} others")
    head = f"{', '.join(named[:-1])} and " if len(named) > 1 else ""
    return f", and invite {head}{named[-1]}"


def _moment(text: str, zone: tzinfo, given: tzinfo) -> datetime:
    moment = datetime.fromisoformat(text.upper().replace(" ", "T"))
    return (moment.replace(tzinfo=given) if moment.tzinfo is None else moment).astimezone(zone)


def _day(moment: datetime) -> str:
    return f"{WEEKDAYS_SHORT[moment.weekday()]} {moment.day} {MONTHS_SHORT[moment.month - 1]}"


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M}"
