"""Response bodies of calendar tools and routes: events, free slots and conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import Occurrence
from antiphon.workspace.calendar.times import format_time


def overlap_conflict(in_the_way: Sequence[Occurrence], zone: tzinfo, details: bool) -> ToolError:
    """CONFLICT that lists the overlapping events; by title with `details`, for the person."""
    shown = "; ".join(
        (f"{one.title!r}, " if details and one.title else "")
        + f"{format_time(one.start, zone)} to {format_time(one.end, zone)} ({one.calendar})"
        for one in in_the_way[:3]
    )
    more = f"; and {len(in_the_way) - 3} more" if len(in_the_way) > 3 else ""
    what = f"this time is taken by {count_phrase(len(in_the_way), 'event')}: {shown}{more}"
    message = (
        f"Nothing was saved: {what}. Choose another time, or allow the overlap."
        if details
        else f"Nothing was created: {what}. Choose another time (calendar_get_availability), or "
        "set allow_overlap when the person wants both."
    )
    return ToolError(
        ErrorType.CONFLICT,
        message,
        overlaps=[event_body(one, details, zone) for one in in_the_way[:10]],
    )


def event_body(one: Occurrence, details: bool, zone: tzinfo) -> dict[str, Any]:
    """One occurrence as JSON; what it is about only with `details`."""
    body: dict[str, Any] = {
        "start": format_time(one.start, zone),
        "end": format_time(one.end, zone),
        "status": one.status,
        "calendar": one.calendar,
        "title": one.title if details else None,
    }
    if details:
        body |= {
            "description": one.description,
            "location": one.location,
            "attendees": one.attendees,
            "all_day": one.all_day,
            "recurring": one.recurring,
        }
    return body


def summary(found: Sequence[Occurrence], slots: Sequence[dict[str, Any]]) -> str:
    """A line that counts busy periods, free slots and their minutes."""
    busy = sum(1 for one in found if one.is_busy)
    minutes = sum(slot["duration_minutes"] for slot in slots)
    return (
        f"{count_phrase(busy, 'busy period')}, {count_phrase(len(slots), 'available slot')} "
        f"({minutes} minutes total)"
    )


def count_phrase(count: int, noun: str) -> str:
    """A count with its noun in singular or plural."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
