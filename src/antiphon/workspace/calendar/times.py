"""Time parsing: ISO 8601 with an offset, or beside the name of a time zone."""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from antiphon.contracts import ErrorType, ToolError

_SHAPE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[Tt ](?P<clock>\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?P<offset>[Zz]|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)
EXPECTED = (
    "an ISO 8601 time with its offset, like 2026-01-13T14:00:00+01:00, or one without an offset "
    "beside time_zone, like 2026-01-13T14:00 with Europe/Berlin"
)


def invalid(pointer: str, message: str, expected: str = EXPECTED) -> ToolError:
    """VALIDATION for a parameter that fits the schema and still cannot be used."""
    name = pointer.removeprefix("/")
    return ToolError(
        ErrorType.VALIDATION,
        f"{name}: {message}; expected {expected}.",
        errors=[{"pointer": pointer, "message": message, "expected": expected}],
    )


def is_date_only(text: str) -> bool:
    """Whether a text is a date without a time of day."""
    shape = _SHAPE.fullmatch(text.strip())
    return shape is not None and shape["clock"] is None


def zone_named(name: str, pointer: str = "/time_zone") -> tzinfo:
    """The time zone of an IANA name. Raises ToolError VALIDATION when there is none."""
    if name.upper() in ("UTC", "Z", "GMT"):
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise invalid(
            pointer,
            f"{name!r} is no time zone",
            "an IANA name, like Europe/Berlin, America/New_York or UTC",
        ) from None


def local_zone() -> str:
    """The time zone of this machine; UTC when it does not say."""
    candidates = [os.environ.get("TZ", "").removeprefix(":")]
    try:
        where = str(Path("/etc/localtime").resolve())
    except OSError:
        where = ""
    candidates.append(where.partition("zoneinfo/")[2])
    for name in candidates:
        if name:
            try:
                return ZoneInfo(name).key
            except (KeyError, ValueError, OSError):
                continue
    return "UTC"


def parse_time(
    text: str, pointer: str, zone: tzinfo | None, default: tzinfo, *, end: bool = False
) -> datetime:
    """Parse a time. Raises ToolError VALIDATION, which says what is wrong.

    A day alone is its midnight, or with `end` the midnight after it. A text without an offset is
    meant in `zone`, else in `default`; a day alone never has an offset of its own.
    """
    shape = _SHAPE.fullmatch(text.strip())
    if shape is None:
        raise invalid(pointer, f"{_short(text)} is no ISO 8601 time")
    try:
        day = date.fromisoformat(shape["day"])
        clock = time.fromisoformat(shape["clock"].replace(",", ".")) if shape["clock"] else None
        if clock is None:
            day = day + timedelta(days=1) if end else day
            clock = time()
        moment = datetime.combine(day, clock)
        if shape["offset"]:
            offset = shape["offset"].upper()
            moment = moment.replace(tzinfo=_offset(offset))
    except (ValueError, OverflowError):
        raise invalid(pointer, f"{_short(text)} is a time that no calendar has") from None
    if moment.tzinfo is not None:
        _in_reach(moment, pointer)
        return moment if zone is None else moment.astimezone(zone)
    if zone is None and shape["clock"]:
        raise invalid(pointer, f"{_short(text)} says neither its offset nor a time zone")
    placed = moment.replace(tzinfo=zone or default)
    _in_reach(placed, pointer)
    if shape["clock"]:
        _happens_once(placed, pointer)
    return placed.astimezone(UTC).astimezone(zone or default)


def format_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """A moment in ISO 8601 with an offset, `Z` for UTC."""
    shown = moment if zone is None else moment.astimezone(zone)
    text = shown.isoformat(timespec="seconds")
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _offset(text: str) -> tzinfo:
    if text == "Z":
        return UTC
    found = datetime.fromisoformat(f"2000-01-01T00:00{text}").tzinfo
    assert found is not None
    return UTC if found.utcoffset(None) == timedelta(0) else found


def _in_reach(moment: datetime, pointer: str) -> None:
    if not 1900 <= moment.year <= 2200:
        raise invalid(pointer, f"the year {moment.year} is out of reach", "a year of 1900 to 2200")


def _happens_once(moment: datetime, pointer: str) -> None:
    """Raises VALIDATION for an hour that a change of clocks leaves out or repeats."""
    back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    shown = f"{moment:%Y-%m-%dT%H:%M}"
    if back.replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise invalid(
            pointer,
            f"{shown} does not exist in {moment.tzinfo}: the clocks go forward over it",
            f"another time, such as {back:%Y-%m-%dT%H:%M}",
        )
    later = moment.replace(fold=1)
    if later.utcoffset() != moment.utcoffset():
        raise invalid(
            pointer,
            f"{shown} happens twice in {moment.tzinfo}: the clocks go back over it",
            f"it with its offset, {format_time(moment)} or {format_time(later)}",
        )


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
