"""Recurrence rule validation: whether an RRULE can be followed, and if not, why."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from math import prod
from typing import Any

MOST_PER_DAY = 24
# What has not happened once in so many years never does: days and weekdays repeat after 28.
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
_ONLY_WITH: Mapping[str, tuple[str, ...]] = {
    "BYWEEKNO": ("YEARLY",),
    "BYYEARDAY": ("YEARLY", "HOURLY"),
    "BYMONTHDAY": ("YEARLY", "MONTHLY", "DAILY", "HOURLY"),
}
_STEPS = {"HOURLY": timedelta(hours=1), "DAILY": timedelta(days=1), "WEEKLY": timedelta(days=7)}
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_KNOWN = {*_RANGES, "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST", "RSCALE", "SKIP"}


def rule_problem(rule: Mapping[str, list[Any]], start: date) -> str | None:
    """What is wrong with the rule of an event with this start; None when it can be followed."""
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
    return _misplaced(values, frequency) or _never_or_too_often(values, frequency, start)


def _misplaced(values: Mapping[str, list[Any]], frequency: str) -> str | None:
    """The parts of a rule that RFC 5545 forbids beside a frequency."""
    for name, allowed in _ONLY_WITH.items():
        if name in values and frequency not in allowed:
            return f"{name} cannot go with FREQ={frequency}"
    if frequency not in ("MONTHLY", "YEARLY"):
        for day in values.get("BYDAY", ()):
            if str(day)[:-2]:
                return f"BYDAY={day} counts days of a month, but FREQ is {frequency}"
        several = {"WEEKLY": ("BYDAY",), "HOURLY": ()}.get(frequency, ())
        several += ("BYMINUTE", "BYSECOND") + (() if frequency == "HOURLY" else ("BYHOUR",))
        most = prod(len(set(map(str, values.get(name, [0])))) for name in several)
        if any(abs(int(place)) > most for place in values.get("BYSETPOS", ())):
            return f"BYSETPOS is larger than {most}, which is all that one period has"
    return None


def _never_or_too_often(values: Mapping[str, list[Any]], frequency: str, start: date) -> str | None:
    from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
    from icalendar import vRecur

    endless = {name: given for name, given in values.items() if name not in ("COUNT", "UNTIL")}
    text = vRecur(endless).to_ical().decode()  # type: ignore[no-untyped-call]
    begin = datetime(start.year, start.month, start.day)
    if isinstance(start, datetime):
        begin = start.replace(tzinfo=None)
    if frequency in _STEPS and not _fits_some_time(values, frequency, begin):
        return "it never happens"
    try:
        # The library looks until the year 9999 for what never comes. The calendar repeats after
        # 400 years, so the last 400 of them tell as much as all.
        late = begin.replace(year=begin.year + 400 * ((9999 - begin.year) // 400))
        if frequency not in _STEPS and next(iter(rrulestr(text, dtstart=late)), None) is None:
            return "it never happens"
        within = rrulestr(text, dtstart=begin).replace(until=begin + timedelta(days=366))
        if sum(1 for _ in islice(within, MOST_PER_DAY * 366 + 1)) > MOST_PER_DAY * 366:
            return f"it happens more than {MOST_PER_DAY} times a day"
    except (ValueError, IndexError, TypeError, KeyError, OverflowError) as error:
        return f"it cannot be followed ({error})"
    return None


def _fits_some_time(values: Mapping[str, list[Any]], frequency: str, begin: datetime) -> bool:
    """Whether one step of a short frequency meets the day and the hour that the rule wants."""
    months = {int(each) for each in values.get("BYMONTH", ())}
    of_month = {int(each) for each in values.get("BYMONTHDAY", ())}
    of_year = {int(each) for each in values.get("BYYEARDAY", ())}
    weekdays = {_WEEKDAYS.index(str(each)[-2:].upper()) for each in values.get("BYDAY", ())}
    hours = {int(each) for each in values.get("BYHOUR", ())} if frequency == "HOURLY" else set()
    step = _STEPS[frequency] * int(values.get("INTERVAL", [1])[0])
    # Days of one week belong together; the week may begin up to six days before its day.
    near = range(-6, 7) if frequency == "WEEKLY" else (0,)

    def fits(moment: datetime) -> bool:
        if months and moment.month not in months:
            return False
        if weekdays and moment.weekday() not in weekdays:
            return False
        if of_month or of_year:
            days = calendar.monthrange(moment.year, moment.month)[1]
            if of_month and not {moment.day, moment.day - days - 1} & of_month:
                return False
            place = moment.timetuple().tm_yday
            length = 366 if calendar.isleap(moment.year) else 365
            if of_year and not {place, place - length - 1} & of_year:
                return False
        return not hours or moment.hour in hours

    moment = begin
    last = begin + timedelta(days=366 * YEARS)
    while moment < last:
        if any(fits(moment + timedelta(days=day)) for day in near):
            return True
        moment += step
    return False


def _utc(moment: date) -> datetime:
    """A moment in UTC, near enough to tell days apart: a time without a zone counts as UTC."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
