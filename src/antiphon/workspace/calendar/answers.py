"""What is told of events and of free time, as tools and routes return it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import Occurrence
from antiphon.workspace.calendar.times import written


def taken(in_the_way: Sequence[Occurrence], zone: tzinfo, details: bool) -> ToolError:
    """CONFLICT with what is in the way. With `details` it is told by name, to the person."""
    shown = "; ".join(
        (f"{one.title!r}, " if details and one.title else "")
        + f"{written(one.start, zone)} to {written(one.end, zone)} ({one.calendar})"
        for one in in_the_way[:3]
    )
    more = f"; and {len(in_the_way) - 3} more" if len(in_the_way) > 3 else ""
    what = f"this time is taken by {counted(len(in_the_way), 'event')}: {shown}{more}"
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
    body: dict[str, Any] = {
        "start": written(one.start, zone),
        "end": written(one.end, zone),
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
    busy = sum(1 for one in found if one.is_busy)
    minutes = sum(slot["duration_minutes"] for slot in slots)
    return (
        f"{counted(busy, 'busy period')}, {counted(len(slots), 'available slot')} "
        f"({minutes} minutes total)"
    )


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
