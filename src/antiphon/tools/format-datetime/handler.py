"""Date-time formatting in a time zone, language and style; pure but for the injected time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from antiphon import ok

from .locales import LOCALES
from .moments import whole_minute_offset
from .parser import EPOCH, parse_in_range
from .styles import render
from .zones import find_zone


async def execute(args: dict[str, Any], context: Any) -> Any:
    zone = find_zone(args["timezone"])
    clock = getattr(context, "now", None)
    now = clock() if callable(clock) else datetime.now(UTC)
    locale = LOCALES[args["locale"]]
    moment = parse_in_range(args, "value", zone, now)
    base = parse_in_range(args, "relative_to", zone, now)
    at = whole_minute_offset(moment.at)
    formatted = render(args["style"], moment, base, at, locale)
    notes = list(moment.notes)
    if at.replace(tzinfo=None) != moment.at.replace(tzinfo=None):
        notes.append("The zone's offset at that time has seconds; iso shows it to the minute.")
    if args["style"] == "time" and not moment.has_time:
        notes.append("The value has no time of day: midnight is assumed.")
    seconds = (moment.at - EPOCH) / timedelta(seconds=1)
    data: dict[str, Any] = {
        "formatted": formatted,
        "iso": at.isoformat(),
        "timezone": args["timezone"],
        "utc_offset": at.isoformat()[-6:],
        "epoch": int(seconds) if seconds.is_integer() else seconds,
        "weekday": locale.days[moment.at.weekday()],
        "is_dst": bool(moment.at.dst()),
    }
    if notes:
        data["note"] = " ".join(notes)
    return ok(data)
