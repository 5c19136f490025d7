"""Dates, times and durations in words that leave no doubt about the day or the time zone."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo

from antiphon.text.calendar_names import MONTHS, WEEKDAYS

_T = TypeVar("_T", date, datetime, time)

_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?", re.A
)
_TIME = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?", re.A)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.A)
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_DURATION = re.compile(
    rf"P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?",
    re.A,
)
_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")


def find_zone(name: str) -> tzinfo:
    """The time zone of that IANA name. Raises ValueError when there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError):
        raise ValueError(
            f"{name!r} is not a time zone; use an IANA name such as Europe/Berlin"
        ) from None


def time_in_words(format: str, text: str, zone: tzinfo) -> str | None:
    """A text of one of JSON Schema's formats for times; None when it is of no such format.

    Moments are moved to `zone`; a text that names no real moment is not read.
    """
    show = _FORMATS.get(format)
    return show(text, zone) if show else None


def _read(text: str, pattern: re.Pattern[str], parse: Callable[[str], _T]) -> _T | None:
    if not pattern.fullmatch(text):
        return None
    try:
        return parse(text.upper())
    except ValueError:
        return None


def _show_date_time(text: str, zone: tzinfo) -> str | None:
    moment = _read(text, _DATE_TIME, datetime.fromisoformat)
    if moment is None:
        return None
    if moment.tzinfo is not None:
        with suppress(OverflowError):  # at the ends of the calendar it keeps the offset it has
            moment = moment.astimezone(zone)
    return f"{_day(moment)}, {_clock(moment.timetz())} {_offset(moment)}"


def _show_date(text: str, _zone: tzinfo) -> str | None:
    day = _read(text, _DATE, date.fromisoformat)
    return None if day is None else _day(day)


def _show_time(text: str, _zone: tzinfo) -> str | None:
    moment = _read(text, _TIME, time.fromisoformat)
    if moment is None:
        return None
    return f"{_clock(moment)} {_offset(moment)}" if moment.tzinfo else _clock(moment)


def _show_duration(text: str, _zone: tzinfo) -> str | None:
    found = _DURATION.fullmatch(text)
    if not found:
        return None
    amounts = [part and re.sub(r"\A0+(?=\d)", "", part) for part in found.groups()]
    parts = [
        f"{amount} {unit}" if amount == "1" else f"{amount} {unit}s"
        for amount, unit in zip(amounts, _UNITS, strict=True)
        if amount
    ]
    return " ".join(parts) or None


def _day(moment: date) -> str:
    return f"{WEEKDAYS[moment.weekday()]} {moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def _clock(moment: time) -> str:
    """Hours and minutes; seconds and their fraction only where there are any."""
    shown = f"{moment.hour:02}:{moment.minute:02}"
    if moment.second or moment.microsecond:
        shown += f":{moment.second:02}"
    if moment.microsecond:
        shown += f".{moment.microsecond:06}".rstrip("0")
    return shown


def _offset(moment: datetime | time) -> str:
    offset = moment.utcoffset()
    if offset is None:
        return "(no time zone given)"
    seconds = round(offset.total_seconds())
    if not seconds:
        return "UTC"
    hours, rest = divmod(abs(seconds), 3600)
    shown = f"UTC{'-' if seconds < 0 else '+'}{hours:02}:{rest // 60:02}"
    return f"{shown}:{rest % 60:02}" if rest % 60 else shown


_FORMATS: dict[str, Callable[[str, tzinfo], str | None]] = {
    "date-time": _show_date_time,
    "date": _show_date,
    "time": _show_time,
    "duration": _show_duration,
}
