"""Cron expressions: their meaning in words and the next times they fire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from antiphon import ok
from antiphon.toolkit import invalid

from .expression import CronExpression, parse_expression
from .wording import explain

# 29 February on a given weekday comes round within 28 years, 40 with a century between.
YEARS = 41


def execute(args: dict[str, Any], context: Any) -> Any:
    try:
        zone = ZoneInfo(args["timezone"])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        name = args["timezone"][:60]
        raise invalid("/timezone", f"{name!r} is no IANA time zone such as Europe/Paris.") from None
    expression = parse_expression(args["expression"])
    times = next_times(expression, context.now().astimezone(zone), zone, args["count"])
    return ok(
        {
            "expression": expression.text,
            "explanation": explain(expression),
            "next": [time.isoformat() for time in times],
            "timezone": args["timezone"],
        }
    )


def next_times(cron: CronExpression, now: datetime, zone: ZoneInfo, count: int) -> list[datetime]:
    found: list[datetime] = []
    day = now.date()
    last = day.replace(year=day.year + YEARS, day=1)
    while day <= last and len(found) < count:
        if cron.on_day(day):
            for hour in sorted(cron.hours):
                for minute in sorted(cron.minutes):
                    time = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
                    # A time that the clocks skip comes back changed from the way through UTC.
                    real = time.astimezone(UTC).astimezone(zone)
                    same = (real.hour, real.minute) == (hour, minute)
                    if time > now and same and len(found) < count:
                        found.append(time)
        day += timedelta(days=1)
    return found
