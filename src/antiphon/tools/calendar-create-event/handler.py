"""Creates one calendar event for each call, however often the call is run again."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    data = await context.calendar.create(
        context.session.user,
        context.idempotency_key,
        now=context.now(),
        title=args["title"],
        start=args["start_time"],
        end=args["end_time"],
        attendees=args["attendees"],
        time_zone=args.get("time_zone") or context.session.time_zone,
        calendar=args["calendar"],
        description=args["description"],
        location=args["location"],
        recurrence=args.get("recurrence"),
        meeting_link=args["include_zoom_link"],
        allow_overlap=args["allow_overlap"],
    )
    return ok(data)
