"""iCalendar writer: a new event as text, and several together with the zones they name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from antiphon.workspace.calendar.ics_text import (
    EventBlock,
    is_iana_zone,
    referenced_zones,
    rename_zone,
)
from antiphon.workspace.calendar.port import NewEvent

_ZONE = re.compile(r"BEGIN:VTIMEZONE\r\n(?:(?!BEGIN:VTIMEZONE).)*?END:VTIMEZONE\r\n", re.DOTALL)


def event_id(key: str) -> str:
    """The id of the event that is created with a key, of characters that every service takes."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def event_uid(key: str) -> str:
    """The UID of the event that is created with a key."""
    return f"{event_id(key)}@antiphon"


def render_event(event: NewEvent, key: str, now: float) -> str:
    """The VEVENT text of a new event."""
    from icalendar import Event, vCalAddress, vRecur

    written = Event()
    stamp = datetime.fromtimestamp(now, UTC).replace(microsecond=0)
    written.add("uid", event_uid(key))
    written.add("dtstamp", stamp)
    written.add("created", stamp)
    zone: tzinfo = ZoneInfo(event.zone) if event.zone else UTC
    start, end = event.start.astimezone(zone), event.end.astimezone(zone)
    if event.all_day:
        # Days have no zone: they were read in this one, and are midnights there.
        written.add("dtstart", event.start.date())
        written.add("dtend", event.end.date())
    else:
        if start.fold or end.fold:
            # The second of two equal hours: local time alone would mean the first.
            start, end = start.astimezone(UTC), end.astimezone(UTC)
        written.add("dtstart", start)
        written.add("dtend", end)
    written.add("summary", event.title)
    if event.description:
        written.add("description", event.description)
    if event.location:
        written.add("location", event.location)
    if event.url:
        written.add("url", event.url)
    if event.recurrence:
        written.add("rrule", vRecur.from_ical(event.recurrence))
    if event.status == "free":
        written.add("transp", "TRANSPARENT")
    elif event.status == "tentative":
        written.add("status", "TENTATIVE")
    for address in event.attendees:
        written.add("attendee", vCalAddress(f"mailto:{address}"))
    text: str = written.to_ical().decode()
    return text


def merge_zones(parts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Events of several sources in one text, and the zones they name, each name meaning one zone.

    Two sources may describe different zones under one name; the later one is renamed.
    """
    events: list[str] = []
    zones: dict[str, str] = {}
    for text, described in parts:
        own = {EventBlock(0, zone).value("TZID"): zone for zone in _ZONE.findall(described)}
        for name in referenced_zones(text):
            zone = _standard(name) or own.get(name, "")
            if not zone:
                continue
            if zones.get(name, zone) == zone:
                zones[name] = zone
                continue
            other = _free_name(name, zone, zones)
            text = rename_zone(text, name, other)
            zones[other] = rename_zone(zone, name, other)
        events.append(text)
    return "".join(events), "".join(zones.values())


@cache
def _standard(name: str) -> str:
    """The VTIMEZONE of an IANA zone; empty for any other name."""
    from icalendar import Timezone

    if not is_iana_zone(name):
        return ""
    text: str = Timezone.from_tzid(name).to_ical().decode()
    return text


def _free_name(name: str, zone: str, zones: dict[str, str]) -> str:
    number = 2
    while True:
        other = f"{name} ({number})"
        if zones.get(other) in (None, rename_zone(zone, name, other)):
            return other
        number += 1
