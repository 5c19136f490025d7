"""Difference between two dates or moments: by the calendar and in full units."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Any

from antiphon import ok
from antiphon.toolkit.moments import find_zone, parse_moment


def execute(args: dict[str, Any], context: Any) -> Any:
    zone = find_zone(args["timezone"])
    now = context.now()
    start, start_timed = parse_moment(args["start"], "/start", zone, now)
    end, end_timed = parse_moment(args["end"], "/end", zone, now)
    elapsed = end.astimezone(UTC) - start.astimezone(UTC)
    timed = start_timed or end_timed
    backwards = elapsed < timedelta(0)
    first, last = (end, start) if backwards else (start, end)
    years, months, days, rest = by_calendar(first, last)
    total = (end.date() - start.date()).days
    data: dict[str, Any] = {
        "direction": "backwards" if backwards else "forwards" if elapsed else "same",
        "days": total,
        "years": years,
        "months": months,
        "remaining_days": days,
        "weeks": abs(total) // 7,
        "weeks_remaining_days": abs(total) % 7,
        "inclusive_days": abs(total) + 1,
        "seconds": elapsed.total_seconds(),
        "hours": round(elapsed.total_seconds() / 3600, 4),
        "summary": describe(years, months, days, rest if timed else timedelta(0)),
    }
    return ok(data)


def by_calendar(first: datetime, last: datetime) -> tuple[int, int, int, timedelta]:
    """Return whole years, months and days by the wall clock, and the time that is left."""
    start, end = first.replace(tzinfo=None), last.replace(tzinfo=None)
    if end < start:  # within the hour that the clocks show twice
        return 0, 0, 0, last.astimezone(UTC) - first.astimezone(UTC)
    months = (end.year - start.year) * 12 + end.month - start.month
    if shifted(start, months) > end:
        months -= 1
    left = end - shifted(start, months)
    return months // 12, months % 12, left.days, left - timedelta(left.days)


def shifted(moment: datetime, months: int) -> datetime:
    """Add months; the 31st becomes the last day of a shorter month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    day = min(moment.day, monthrange(year, month + 1)[1])
    return datetime.combine(date(year, month + 1, day), moment.time())


def describe(years: int, months: int, days: int, rest: timedelta) -> str:
    minutes, seconds = divmod(int(rest.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    amounts = {
        "year": years,
        "month": months,
        "day": days,
        "hour": hours,
        "minute": minutes,
        "second": seconds,
    }
    parts = [f"{count} {name}{'s' * (count != 1)}" for name, count in amounts.items() if count]
    if not parts:
        return "0 days"
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
