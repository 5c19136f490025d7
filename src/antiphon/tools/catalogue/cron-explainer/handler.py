"""Cron expressions: their meaning in words and the next times they fire."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.cron import CronError, explain_cron, next_times, parse_cron


def execute(args: dict[str, Any], context: Any) -> Any:
    try:
        zone = ZoneInfo(args["timezone"])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        name = args["timezone"][:60]
        raise invalid("/timezone", f"{name!r} is no IANA time zone such as Europe/Paris.") from None
    try:
        expression = parse_cron(args["expression"])
    except CronError as error:
        raise invalid("/expression", str(error)) from None
    times = next_times(expression, context.now(), zone, args["count"])
    return ok(
        {
            "expression": expression.text,
            "explanation": explain_cron(expression),
            "next": [time.isoformat() for time in times],
            "timezone": args["timezone"],
        }
    )
