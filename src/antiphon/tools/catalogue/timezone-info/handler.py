"""Time zone facts from the time zone database: offsets, changes and conversions."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from antiphon import ErrorType, ToolError, ok

DAYS = 400


def execute(args: dict[str, Any], context: Any) -> Any:
    moment = moment_of(args["at"]) if "at" in args else context.now()
    moment = moment.astimezone(UTC).replace(microsecond=0)
    zones = []
    for index, name in enumerate(args["timezones"]):
        zone = find_zone(name, f"/timezones/{index}")
        there = moment.astimezone(zone)
        change = next_change(moment, zone)
        zones.append(
            {
                "name": zone.key,
                "time": there.isoformat(),
                "abbreviation": there.tzname() or "",
                "utc_offset": offset(there),
                "is_dst": bool(there.dst()),
                "next_change": change.isoformat() if change else None,
                "next_offset": offset(change.astimezone(zone)) if change else None,
            }
        )
    times = ", ".join(f"{one['name']}: {one['time'][11:16]}" for one in zones)
    return ok({"at": moment.isoformat(), "zones": zones, "summary": f"{times}."})


def moment_of(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text.replace("z", "Z"))
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"/at: {text[:40]!r} is no time that can be used."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/at") from None


@cache
def index_zones() -> dict[str, str]:
    """Return every zone by its name and by the name of its city, as people write them."""
    found: dict[str, str] = {}
    for name in sorted(available_timezones() - {"localtime", "Factory", "posixrules"}):
        found[name.casefold()] = name
    for name in sorted(found.values()):
        if "/" in name and not name.startswith(("Etc/", "SystemV/", "US/")):
            found.setdefault(name.rpartition("/")[2].casefold(), name)
    return found


def find_zone(text: str, pointer: str) -> ZoneInfo:
    wanted = "_".join(text.split()).casefold()
    known = index_zones()
    if wanted in known:
        return ZoneInfo(known[wanted])
    near = [known[one] for one in difflib.get_close_matches(wanted, known, n=3, cutoff=0.75)]
    hint = f" Nearest: {', '.join(dict.fromkeys(near))}." if near else ""
    message = f"{pointer}: {text[:60]!r} is no time zone; use a name such as Europe/Paris.{hint}"
    raise ToolError(ErrorType.VALIDATION, message, pointer=pointer, nearest=near)


def next_change(moment: datetime, zone: ZoneInfo) -> datetime | None:
    """Find the first second with another offset by bisecting the day in which it changes."""
    current = moment.astimezone(zone).utcoffset()
    try:
        for day in range(1, DAYS + 1):
            late = moment + timedelta(days=day)
            if late.astimezone(zone).utcoffset() != current:
                early = late - timedelta(days=1)
                while late - early > timedelta(seconds=1):
                    middle = early + (late - early) // 2
                    if middle.astimezone(zone).utcoffset() == current:
                        early = middle
                    else:
                        late = middle
                return late.replace(microsecond=0)
    except OverflowError:
        return None
    return None


def offset(moment: datetime) -> str:
    return moment.isoformat()[-6:]
