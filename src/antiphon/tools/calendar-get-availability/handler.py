"""Calendar availability: the events in a range of time and the free slots between them."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    data = await context.calendar.availability(
        context.session.user,
        args["start_date"],
        args["end_date"],
        now=context.now(),
        time_zone=args.get("time_zone") or context.session.time_zone,
        calendars=args["calendars"],
        details=args["include_details"],
        min_minutes=args["min_duration_minutes"],
        usual_hours=True,
    )
    if args["include_details"] and data["existing_events"]:
        context.note_source("events of the calendar")  # invitations of others are among them
    return ok(data)
