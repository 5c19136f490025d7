"""Unix time conversion: to a date and time in any zone, and back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction
from typing import Any

from antiphon import ToolError, ok
from antiphon.toolkit import invalid
from antiphon.toolkit.language import WEEKDAYS
from antiphon.toolkit.moments import find_zone

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NUMBER = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,9})?")
UNITS = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}


def execute(args: dict[str, Any], context: Any) -> Any:
    zone = find_zone(args["timezone"])
    text = args["value"].strip()
    notes: list[str] = []
    if text.lower() == "now":
        moment, unit = context.now().astimezone(UTC), "s"
    elif NUMBER.fullmatch(text):
        moment, unit = from_epoch(text, args["unit"])
    else:
        moment, unit = from_text(text, zone, notes), "s"
    try:
        local = moment.astimezone(zone)
    except (OverflowError, ValueError):
        raise out_of_range() from None
    microseconds = (moment - EPOCH) // timedelta(microseconds=1)
    return ok(
        {
            "utc": moment.isoformat().replace("+00:00", "Z"),
            "local": local.isoformat(),
            "timezone": args["timezone"],
            "weekday": WEEKDAYS[local.weekday()],
            "seconds": microseconds // 10**6,
            "milliseconds": microseconds // 1000,
            "microseconds": microseconds,
            "unit": unit,
            "daylight_saving": bool(local.dst()),
            "notes": notes,
        }
    )


def from_epoch(text: str, unit: str) -> tuple[datetime, str]:
    number = Fraction(text)
    if unit == "auto":
        # Today's seconds have ten digits; three more for each finer unit.
        digits = len(str(abs(int(number))))
        unit = "s" if digits <= 11 else "ms" if digits <= 14 else "us" if digits <= 17 else "ns"
    microseconds = number * 10**6 / UNITS[unit]
    try:
        return EPOCH + timedelta(
            microseconds=microseconds.numerator // microseconds.denominator
        ), unit
    except OverflowError:
        raise out_of_range() from None


def from_text(text: str, zone: tzinfo, notes: list[str]) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is not None:
            return found.astimezone(UTC)
        local = found.replace(tzinfo=zone)
        moment = local.astimezone(UTC)
        other = local.replace(fold=1).astimezone(UTC)
    except ValueError:
        raise invalid(
            "/value",
            f"{text[:60]!r} is neither a number nor a date and time; write 1767225600, "
            "2026-01-01T00:00:00Z or now.",
        ) from None
    except OverflowError:
        raise out_of_range() from None
    if moment.astimezone(zone).replace(tzinfo=None) != found:
        notes.append(
            "The clocks skip that time; it is read as if they had not been put forward yet."
        )
    elif other != moment:
        notes.append("The clocks show that time twice; the first one is meant.")
    return moment


def out_of_range() -> ToolError:
    return invalid("/value", "that is outside the years 1 to 9999; is the unit right?")
