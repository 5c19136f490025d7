"""Parsing of dates and times as people give them, in a time zone."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .errors import invalid

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    r"(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)


def find_zone(name: str) -> tzinfo:
    """Return the time zone of that IANA name; raise the VALIDATION error of `/timezone`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise invalid(
            "/timezone", f"there is no time zone {name[:60]!r}; write it like Europe/Berlin or UTC."
        ) from None


def parse_moment(text: str, pointer: str, zone: tzinfo, now: datetime) -> tuple[datetime, bool]:
    """Return the moment in the zone, and whether the text gave a time of day.

    The text is an ISO 8601 date or date-time, or now, today, tomorrow or yesterday. Raises the
    VALIDATION error of `pointer` for anything else.
    """
    word = text.strip()
    if word.lower() in ("now", "today", "tomorrow", "yesterday"):
        here = now.astimezone(zone)
        if word.lower() == "now":
            return here, True
        days = {"today": 0, "tomorrow": 1, "yesterday": -1}[word.lower()]
        return datetime.combine(here.date() + timedelta(days), time(), zone), False
    try:
        if _DAY.fullmatch(word):
            start = datetime.combine(date.fromisoformat(word), time(), zone)
            start.astimezone(UTC)  # raises at the ends of time
            return start, False
        if _MOMENT.fullmatch(word):
            found = datetime.fromisoformat(word.upper().replace("Z", "+00:00"))
            aware = found.replace(tzinfo=zone) if found.tzinfo is None else found.astimezone(zone)
            aware.astimezone(UTC)
            return aware, True
    except (ValueError, OverflowError) as error:
        raise invalid(pointer, f"{word!r} is no date: {error}.") from None
    raise invalid(
        pointer,
        f"{word[:60]!r} is no date; write 2026-03-01, 2026-03-01T09:30 (with +01:00 or Z if it "
        "has a zone of its own), today or now.",
    )


def is_skipped(moment: datetime) -> bool:
    """Return whether the local time does not exist because the clocks were put forward over it."""
    back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    return back.replace(tzinfo=None) != moment.replace(tzinfo=None)
