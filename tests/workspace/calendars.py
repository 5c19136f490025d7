"""What the tests of calendars share: a local calendar in memory, and .ics files in a few words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from antiphon.storage import Store
from antiphon.workspace.calendar import Calendar, LocalCalendar, NewEvent, Occurrence

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)  # a Monday


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def ics(*events: str, head: str = "") -> bytes:
    """A file with these events, each the lines of one."""
    parts = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:test\n{head}{parts}END:VCALENDAR\n".encode()


@asynccontextmanager
async def within(zone: str = "Europe/Berlin", url: str = "sqlite://") -> AsyncIterator[Any]:
    """Runs a scenario over a local calendar that nothing is in."""
    async with Store.open(url) as store:
        yield LocalCalendar(store, zone)


async def found(
    calendar: LocalCalendar, start: str, end: str, names: tuple[str, ...] = ("primary",)
) -> list[Occurrence]:
    everything = await calendar.occurrences("ada", names, utc(start), utc(end))
    return sorted(everything, key=lambda one: (one.start, one.title))


def times(occurrences: list[Occurrence]) -> list[str]:
    return [f"{one.start:%m-%d %H:%M} {one.end:%m-%d %H:%M}" for one in occurrences]


async def make(calendar: Calendar, key: str = "k", **changes: Any) -> dict[str, Any]:
    event = {
        "title": "Design review",
        "start": "2026-01-13T14:00:00Z",
        "end": "2026-01-13T15:00:00Z",
        "attendees": ["ana@example.com"],
        "now": NOW,
    }
    return await calendar.create("ada", key, **{**event, **changes})


DAY = timedelta(days=1)
TEA = NewEvent("primary", "Tea", utc("2026-01-13T14:00:00"), utc("2026-01-13T15:00:00"))
