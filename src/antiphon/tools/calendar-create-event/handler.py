"""Calendar event creation: one event for each call, with a meeting link where one is configured."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok


def preview(args: dict[str, Any], context: Any) -> dict[str, str]:
    calendar = context.calendar
    question = calendar.question(
        *(args["title"], args["start_time"], args["end_time"], args["attendees"]),
        time_zone=args.get("time_zone"),
        person_zone=context.session.time_zone,
        recurrence=args.get("recurrence"),
    )
    return {"": question, "include_zoom_link": calendar.link_in_words(args["include_zoom_link"])}


async def execute(args: dict[str, Any], context: Any) -> Any:
    data = await context.calendar.create(
        context.session.user,
        context.idempotency_key,
        now=context.now(),
        **_event(args, context),
        meeting_link=args["include_zoom_link"],
        allow_overlap=args["allow_overlap"],
    )
    return ok(data)


async def reconcile(key: str, args: dict[str, Any], context: Any) -> Any:
    """Ask the calendar whether the event was made; its id is derived from the idempotency key."""
    calendar = context.calendar
    event = await calendar.parse_event(**_event(args, context))
    made = await calendar.find_created(context.session.user, key, event, now=context.now())
    if made is not None:
        return ok(made)
    return fail(
        ErrorType.TRANSIENT,
        "The server stopped before the event was made. Nothing was created; ask for it again.",
    )


def _event(args: dict[str, Any], context: Any) -> dict[str, Any]:
    return {
        "title": args["title"],
        "start": args["start_time"],
        "end": args["end_time"],
        "attendees": args["attendees"],
        "time_zone": args.get("time_zone") or context.session.time_zone,
        "calendar": args["calendar"],
        "description": args["description"],
        "location": args["location"],
        "recurrence": args.get("recurrence"),
    }
