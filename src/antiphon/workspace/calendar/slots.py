"""Free slots: the gaps that busy periods leave in a range."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo

Period = tuple[datetime, datetime]


def to_utc(period: Period) -> Period:
    """A period in UTC; Python compares two times of one zone by their wall clock."""
    return period[0].astimezone(UTC), period[1].astimezone(UTC)


def merge_periods(periods: Iterable[Period]) -> list[Period]:
    """The union of periods, in UTC and in order; empty ones are left out."""
    found: list[Period] = []
    for start, end in sorted(to_utc(period) for period in periods):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def free_slots(
    busy: Iterable[Period], start: datetime, end: datetime, least: timedelta
) -> list[Period]:
    """The gaps of at least `least` in a range, in UTC and in order."""
    start, end = to_utc((start, end))
    slots: list[Period] = []
    free_from = start
    for busy_start, busy_end in merge_periods(busy):
        if busy_end <= start:
            continue
        if busy_start >= end:
            break
        if busy_start > free_from and busy_start - free_from >= least:
            slots.append((free_from, busy_start))
        free_from = busy_end
    if end > free_from and end - free_from >= least:
        slots.append((free_from, end))
    return slots


def closed_periods(
    start: datetime, end: datetime, zone: tzinfo, hours: tuple[time, time] | None, workdays: bool
) -> list[Period]:
    """The periods of a range outside of these hours of the day, or on a weekend, in a zone."""
    found: list[Period] = []
    if hours is None and not workdays:
        return found
    day = start.astimezone(zone).date()
    while (begin := _at(day, time(), zone)) < end:
        after = _at(day + timedelta(days=1), time(), zone)
        if workdays and day.weekday() > 4:
            found.append((begin, after))
        elif hours is not None:
            found += [(begin, _at(day, hours[0], zone)), (_at(day, hours[1], zone), after)]
        day += timedelta(days=1)
    return found


def _at(day: date, clock: time, zone: tzinfo) -> datetime:
    return datetime.combine(day, clock, zone).astimezone(UTC)


def periods_overlap(one: Period, other: Period) -> bool:
    """Whether two periods share time; one that begins when the other ends does not."""
    one, other = to_utc(one), to_utc(other)
    return one[0] < other[1] and other[0] < one[1]
