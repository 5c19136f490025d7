"""Date-time parser: a date, a time, a date-time or an epoch number."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from antiphon.toolkit import invalid

from .moments import Moment, from_instant, from_local, whole_minute_offset

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EPOCH_MIN, EPOCH_MAX = -62_135_596_800, 253_402_300_799
MILLISECONDS_FROM = 100_000_000_000
FORMS = (
    "Use an ISO 8601 date-time (2026-03-03T14:30:00Z), a date (2026-03-03), "
    "a time (17:05 or 17:05+02:00), an epoch number or 'now'."
)

_SECONDS = r"(?::?(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
_TIME = rf"(?P<hour>\d{{2}})(?::?(?P<minute>\d{{2}}){_SECONDS})?"
# Alone, a time needs its colon: four bare digits are a year to most readers.
_CLOCK = rf"(?P<hour>\d{{2}}):(?P<minute>\d{{2}}){_SECONDS}"
_OFFSET = r"(?P<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?"
_DATE = r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})|(?P<compact>\d{8})"
DATE_TIME = re.compile(rf"(?:{_DATE})(?:[Tt ]{_TIME}\s?{_OFFSET})?", re.ASCII)
TIME_ONLY = re.compile(rf"[Tt]?{_CLOCK}\s?{_OFFSET}", re.ASCII)
NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,12})?", re.ASCII)
WEEK_OR_ORDINAL = re.compile(r"\d{4}-?W\d{2}.*|\d{4}-\d{3}(?:[Tt ].*)?", re.ASCII)
WIDE_YEAR = re.compile(r"[+-]\d{4,}-\d{2}.*|\d{5,}-\d{2}-\d{2}.*", re.ASCII)


def parse_in_range(args: dict[str, Any], field: str, zone: ZoneInfo, now: datetime) -> Moment:
    try:
        moment = parse_moment(args[field], f"/{field}", zone, now, args["epoch_unit"])
        whole_minute_offset(moment.at)
    except OverflowError:
        raise invalid(
            f"/{field}",
            f"{args[field]!r} falls outside the years 0001 to 9999 in {zone.key}. "
            "Use a value inside that range.",
        ) from None
    return moment


def parse_moment(
    value: str | float, pointer: str, zone: ZoneInfo, now: datetime, unit: str
) -> Moment:
    if not isinstance(value, str):
        return parse_epoch(Decimal(str(value)), pointer, zone, unit)
    text = value.strip()
    if text.casefold() == "now":
        return Moment(now.astimezone(zone), True, [])
    if NUMBER.fullmatch(text) and not (
        unit == "auto" and text.isdigit() and len(text) in (4, 6, 8)
    ):
        return parse_epoch(Decimal(text), pointer, zone, unit)
    if text.isascii() and text.isdigit():
        raise invalid(
            pointer,
            f"{value!r} could be a date or an epoch. Write a date with hyphens (2026-03-03), or "
            "set `epoch_unit`.",
        )
    if WEEK_OR_ORDINAL.fullmatch(text):
        raise invalid(
            pointer, f"{value!r} is a week or ordinal date. Give year, month and day: 2026-03-03."
        )
    if WIDE_YEAR.fullmatch(text):
        raise invalid(pointer, f"{value!r} is outside the years 0001 to 9999.")
    match = DATE_TIME.fullmatch(text) or TIME_ONLY.fullmatch(text)
    if match is None:
        raise invalid(pointer, f"{value!r} is not a date or time that is understood. {FORMS}")
    return parse_iso(match, value, pointer, zone, now)


def parse_epoch(number: Decimal, pointer: str, zone: ZoneInfo, unit: str) -> Moment:
    in_ms = unit == "milliseconds" or (unit == "auto" and abs(number) >= MILLISECONDS_FROM)
    seconds = number / 1000 if in_ms else number
    if not EPOCH_MIN <= seconds <= EPOCH_MAX:
        read_as = "milliseconds" if in_ms else "seconds"
        raise invalid(
            pointer,
            f"{number} read as epoch {read_as} is outside the years 0001 to 9999. Microseconds "
            "and nanoseconds must be divided down to milliseconds or seconds.",
        )
    at = EPOCH + timedelta(microseconds=int(seconds * 1_000_000))
    notes = ["The epoch was read as milliseconds."] if in_ms and unit == "auto" else []
    return from_instant(at, zone, notes)


def parse_iso(
    match: re.Match[str], value: str, pointer: str, zone: ZoneInfo, now: datetime
) -> Moment:
    part = match.groupdict()
    clock = parse_clock(part, value, pointer)
    offset = parse_offset(part["offset"], value, pointer)
    notes = []
    if "year" in part:
        compact = part["compact"]
        numbers = (
            (compact[:4], compact[4:6], compact[6:])
            if compact
            else (part["year"], part["month"], part["day"])
        )
        year, month, dom = (int(n) for n in numbers)
        if year == 0:
            raise invalid(pointer, f"{value!r}: there is no year 0; years run from 0001 to 9999.")
        try:
            day = date(year, month, dom)
        except ValueError:
            raise invalid(
                pointer, f"{value!r} is not a real date: check the month and day."
            ) from None
    else:
        day = now.astimezone(offset or zone).date()
        notes.append(f"No date was given: {day.isoformat()} (today) is assumed.")
    local = datetime.combine(day, clock or time())
    if offset is not None:
        return from_instant(local.replace(tzinfo=offset), zone, notes)
    return from_local(local, zone, clock is not None, notes)


def parse_clock(part: dict[str, str | None], value: str, pointer: str) -> time | None:
    if part["hour"] is None:
        return None
    hour, minute, second = (int(part[name] or 0) for name in ("hour", "minute", "second"))
    if second == 60:
        raise invalid(
            pointer, f"{value!r} is a leap second, which clocks here do not have. Use second 59."
        )
    if hour == 24:
        raise invalid(pointer, f"{value!r}: write hour 24 as 00:00 of the next day.")
    if hour > 23 or minute > 59 or second > 59:
        raise invalid(
            pointer, f"{value!r} is not a real time: hours 00-23, minutes and seconds 00-59."
        )
    return time(hour, minute, second, int(f"{part['fraction'] or '':0<6}"[:6]))


def parse_offset(text: str | None, value: str, pointer: str) -> tzinfo | None:
    if not text:
        return None
    if text in "Zz":
        return UTC
    digits = text[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if hours > 23 or minutes > 59:
        raise invalid(pointer, f"{value!r}: the offset {text} is not between -23:59 and +23:59.")
    shift = timedelta(hours=hours, minutes=minutes)
    return timezone(-shift if text[0] == "-" else shift)
