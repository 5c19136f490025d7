"""Events as Google Calendar writes them: made from ours, read as a form shows them, and changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from antiphon.workspace.calendar.editing import is_rescheduled
from antiphon.workspace.calendar.port import NewEvent, Occurrence, StoredEvent
from antiphon.workspace.calendar.times import zone_named

_RULE = "RRULE:"
_LINK = "antiphonMeetingLink"


def new_body(event: NewEvent, id: str) -> dict[str, Any]:
    """The body with which Google creates an event."""
    body: dict[str, Any] = {"id": id, "summary": event.title, **_times(event)}
    if event.status == "free":
        body["transparency"] = "transparent"
    elif event.status == "tentative":
        body["status"] = "tentative"
    if event.attendees:
        body["attendees"] = [{"email": address} for address in event.attendees]
    if event.description or event.url:
        body["description"] = "\n\n".join(filter(None, (event.description, event.url)))
    if event.url:
        body["extendedProperties"] = {"private": {_LINK: event.url}}
    if event.conference:
        wish = {"requestId": id, "conferenceSolutionKey": {"type": "hangoutsMeet"}}
        body["conferenceData"] = {"createRequest": wish}
    if event.location:
        body["location"] = event.location
    if event.recurrence:
        body["recurrence"] = [f"{_RULE}{event.recurrence}"]
    return body


def meeting_link(item: Mapping[str, Any]) -> str | None:
    """The link of the online meeting: Google's own, or the one that the event was made with."""
    private = (item.get("extendedProperties") or {}).get("private") or {}
    link = item.get("hangoutLink") or private.get(_LINK)
    return link if isinstance(link, str) else None


def stored_event_of(item: Mapping[str, Any], one: Occurrence, zone: tzinfo) -> StoredEvent:
    """A Google event as a form shows it; `one` is its occurrence, and days are meant in `zone`."""
    name = item["start"].get("timeZone")
    own = zone_named(name) if isinstance(name, str) and not one.all_day else zone
    rules = [line[len(_RULE) :] for line in _lines(item) if line.upper().startswith(_RULE)]
    return StoredEvent(
        calendar=one.calendar,
        title=one.title,
        start=one.start.astimezone(own),
        end=one.end.astimezone(own),
        zone=str(getattr(own, "key", "UTC")),
        attendees=tuple(str(each["email"]) for each in _attendees(item)),
        description=one.description,
        location=one.location,
        recurrence=rules[0] if rules else None,
        url=meeting_link(item),
        all_day=one.all_day,
        status=one.status,
        uid=one.uid,
        recurring=one.recurring,
        version=str(item.get("etag") or ""),
    )


def patch(item: Mapping[str, Any], before: StoredEvent, event: NewEvent) -> dict[str, Any]:
    """The fields that a change alters; Google keeps the rest, responses of attendees too."""
    texts = {
        "summary": (before.title, event.title),
        "description": (before.description, event.description),
        "location": (before.location, event.location),
    }
    body: dict[str, Any] = {name: new for name, (old, new) in texts.items() if old != new}
    if before.status != event.status:
        body["transparency"] = "transparent" if event.status == "free" else "opaque"
        body["status"] = "tentative" if event.status == "tentative" else "confirmed"
    if before.attendees != event.attendees:
        known = {str(each["email"]): each for each in _attendees(item)}
        body["attendees"] = [known.get(each, {"email": each}) for each in event.attendees]
    other_times = is_rescheduled(before, event)
    if other_times:
        # Null: an event of whole days may become one of hours, and the other way round.
        unwanted = "dateTime" if event.all_day else "date"
        body |= {name: {**at, unwanted: None} for name, at in _times(event).items()}
    # Days that were left out or added by hand belong to the times of the old rule.
    if before.recurrence != event.recurrence or (other_times and before.recurrence):
        body["recurrence"] = [f"{_RULE}{event.recurrence}"] if event.recurrence else None
    return body


def _times(event: NewEvent) -> dict[str, dict[str, Any]]:
    both = {"start": event.start, "end": event.end}
    if event.all_day:
        return {name: {"date": at.date().isoformat()} for name, at in both.items()}
    zone = event.zone or "UTC"
    where = zone_named(zone)
    return {
        name: {"dateTime": at.astimezone(where).isoformat(), "timeZone": zone}
        for name, at in both.items()
    }


def _lines(item: Mapping[str, Any]) -> list[str]:
    found = item.get("recurrence")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _attendees(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = item.get("attendees")
    listed = found if isinstance(found, list) else []
    return [each for each in listed if isinstance(each, Mapping) and each.get("email")]
