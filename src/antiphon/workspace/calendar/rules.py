"""Whether a recurrence rule says something that can be followed, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

MOST_PER_DAY = 24
# Rules repeat with the calendar; what has not happened once in so many years never does.
YEARS = 40

_OFTEN = ("SECONDLY", "MINUTELY")
_FREQUENCIES = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
# Least and largest value, and whether it may be counted from the end.
_RANGES: Mapping[str, tuple[int, int, bool]] = {
    "BYSECOND": (0, 60, False),
    "BYMINUTE": (0, 59, False),
    "BYHOUR": (0, 23, False),
    "BYMONTHDAY": (1, 31, True),
    "BYYEARDAY": (1, 366, True),
    "BYWEEKNO": (1, 53, True),
    "BYMONTH": (1, 12, False),
    "BYSETPOS": (1, 366, True),
}
_KNOWN = {*_RANGES, "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST", "RSCALE", "SKIP"}


def rule_problem(rule: Mapping[str, list[Any]], start: date) -> str | None:
    """What is wrong with the rule of an event that starts then; None when it can be followed."""
    values = {name.upper(): list(given) for name, given in rule.items()}
    if unknown := sorted(name for name in values if name not in _KNOWN and name[:2] != "X-"):
        return f"{', '.join(unknown)} is no part of a recurrence rule"
    if any(str(scale).upper() != "GREGORIAN" for scale in values.get("RSCALE", ())):
        return "only rules of the Gregorian calendar can be followed"
    frequency = str(values.get("FREQ", [""])[0]).upper()
    if not frequency:
        return "FREQ is missing, so nothing says how often it repeats"
    if frequency in _OFTEN:
        return f"FREQ={frequency} repeats more often than a calendar can show"
    if frequency not in _FREQUENCIES:
        return f"FREQ={frequency} is none of {', '.join(_FREQUENCIES)}"
    for name in ("INTERVAL", "COUNT"):
        for value in values.get(name, ()):
            if value < 1:
                return f"{name}={value} must be 1 or more"
    if "COUNT" in values and "UNTIL" in values:
        return "it has both COUNT and UNTIL; only one of them may say where it ends"
    for name, (least, most, backwards) in _RANGES.items():
        for value in values.get(name, ()):
            size = abs(int(value)) if backwards else int(value)
            if not least <= size <= most:
                return f"{name}={value} is out of range; it is {least} to {most}"
    until = values.get("UNTIL", [None])[0]
    if until is not None and _utc(until) < _utc(start) - timedelta(days=1):
        return f"UNTIL ({until:%Y-%m-%d}) lies before its start ({start:%Y-%m-%d})"
    return _never_or_too_often(values, start)


def _never_or_too_often(values: Mapping[str, list[Any]], start: date) -> str | None:
    from dateutil.rrule import rrulestr  # type: ignore[import-untyped,unused-ignore]
    from icalendar import vRecur

    endless = {name: given for name, given in values.items() if name not in ("COUNT", "UNTIL")}
    text = vRecur(endless).to_ical().decode()  # type: ignore[no-untyped-call]
    begin = datetime(start.year, start.month, start.day)
    if isinstance(start, datetime):
        begin = start.replace(tzinfo=None)
    try:
        rule = rrulestr(text, dtstart=begin)
        for years in (1, YEARS):
            within = rule.replace(until=begin + timedelta(days=366 * years))
            most = MOST_PER_DAY * 366 if years == 1 else 1
            found = sum(1 for _ in islice(within, most + 1))
            if years == 1 and found > most:
                return f"it happens more than {MOST_PER_DAY} times a day"
            if found:
                return None
    except (ValueError, IndexError, TypeError, KeyError, OverflowError) as error:
        return f"it cannot be followed ({error})"
    return "it never happens"


def _utc(moment: date) -> datetime:
    """Near enough to tell days apart: a time without a zone counts as UTC."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
