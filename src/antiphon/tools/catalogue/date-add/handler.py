"""Date arithmetic: years, months, days and hours added to a date or taken from it."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.language import WEEKDAYS
from antiphon.toolkit.moments import find_zone, is_skipped, parse_moment


def execute(args: dict[str, Any], context: Any) -> Any:
    zone = find_zone(args["timezone"])
    start, timed = parse_moment(args["start"], "/start", zone, context.now())
    amounts = {name: args[name] for name in ("hours", "minutes", "seconds")}
    notes: list[str] = []
    try:
        by_date = add_calendar(start, args, notes)
        # Hours are real time; days and months keep the time on the clock.
        passed = by_date.astimezone(UTC) + timedelta(**amounts)
        end = passed.astimezone(zone)
    except (OverflowError, ValueError):
        raise invalid("/start", "the result is outside the years 1 to 9999.") from None
    if is_skipped(by_date):
        notes.append("The clocks skip that time of day then; the result is as far after the gap.")
    timed = timed or any(amounts.values())
    return ok(
        {
            "result": end.isoformat() if timed else end.date().isoformat(),
            "date": end.date().isoformat(),
            "weekday": WEEKDAYS[end.weekday()],
            "days_from_start": (end.date() - start.date()).days,
            "notes": notes,
        }
    )


def add_calendar(start: datetime, args: dict[str, Any], notes: list[str]) -> datetime:
    months = start.year * 12 + start.month - 1 + args["years"] * 12 + args["months"]
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError
    last = monthrange(year, month + 1)[1]
    if start.day > last:
        notes.append(f"The month has no day {start.day}; its last day, {last}, was taken.")
    moved = start.replace(year=year, month=month + 1, day=min(start.day, last))
    return moved + timedelta(days=args["weeks"] * 7 + args["days"])
