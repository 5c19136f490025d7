"""Business days: their count between two dates, or the date so many of them away."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.language import WEEKDAYS

NAMES = tuple(name.lower() for name in WEEKDAYS)


def execute(args: dict[str, Any], context: Any) -> Any:
    start = parse_date(args["start"], "/start", context)
    weekend = frozenset(NAMES.index(name) for name in args["weekend"])
    if len(weekend) == 7:
        raise invalid("/weekend", "every day is in it; leave at least one out.")
    holidays = frozenset(
        parse_date(text, f"/holidays/{at}", context) for at, text in enumerate(args["holidays"])
    )
    if ("end" in args) == ("days" in args):
        raise invalid("/days", "give either `end` or `days`.")
    if "end" in args:
        end = parse_date(args["end"], "/end", context)
        count = count_between(start, end, weekend, holidays)
    else:
        count = args["days"]
        end = add_business_days(start, count, weekend, holidays)
    low, high = min(start, end), max(start, end)
    counted = sorted(
        day.isoformat() for day in holidays if low <= day <= high and day.weekday() not in weekend
    )
    return ok(
        {
            "start": start.isoformat(),
            "end": end.isoformat(),
            "business_days": count,
            "calendar_days": (end - start).days,
            "end_weekday": WEEKDAYS[end.weekday()],
            "end_is_business_day": end.weekday() not in weekend and end not in holidays,
            "holidays_in_between": counted[:366],
        }
    )


def parse_date(text: str, pointer: str, context: Any) -> date:
    if text.strip().lower() == "today":
        return context.now().date()  # type: ignore[no-any-return]
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise invalid(pointer, f"{text[:40]!r} is no date; write it like 2026-03-01.") from None


def count_between(
    start: date, end: date, weekend: frozenset[int], holidays: frozenset[date]
) -> int:
    """Count business days after `start` up to and with `end`; negative if `end` is earlier."""
    if end < start:
        # Going back, the days are those before `start` down to and with `end`.
        return -count_days(end, start - timedelta(1), weekend, holidays)
    return count_days(start + timedelta(1), end, weekend, holidays) if end > start else 0


def count_days(first: date, last: date, weekend: frozenset[int], holidays: frozenset[date]) -> int:
    """Count business days from `first` to `last`, both included."""
    total = (last - first).days + 1
    weeks, rest = divmod(total, 7)
    count = weeks * (7 - len(weekend))
    count += sum((first.weekday() + at) % 7 not in weekend for at in range(rest))
    return count - sum(first <= day <= last and day.weekday() not in weekend for day in holidays)


def add_business_days(
    start: date, days: int, weekend: frozenset[int], holidays: frozenset[date]
) -> date:
    step = timedelta(1 if days >= 0 else -1)
    here, left = start, abs(days)
    try:
        while left:
            here += step
            left -= here.weekday() not in weekend and here not in holidays
    except OverflowError:
        raise invalid("/days", "the result is outside the years 1 to 9999.") from None
    return here
