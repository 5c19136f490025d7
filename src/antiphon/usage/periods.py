"""Periods of caps: days and months, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from antiphon.contracts.metering import CapPeriod

PERIODS: tuple[CapPeriod, ...] = ("day", "month")


def day_of(at: float) -> str:
    """Return the day of a time, as 2026-11-18."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def period_names(day: str) -> dict[CapPeriod, str]:
    """Return the day and the month that a day is in, as the store names them."""
    return {"day": day, "month": day[:7]}


def resets_at(period: CapPeriod, at: float) -> float:
    """Return when the period that a time is in will be over, in epoch seconds."""
    begin = datetime.fromtimestamp(at, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "day":
        return (begin + timedelta(days=1)).timestamp()
    first = begin.replace(day=1)
    return (first + timedelta(days=32)).replace(day=1).timestamp()


def in_words(at: float) -> str:
    """Return a time for a message."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
