"""Google Calendar: free/busy, events, making one under an id of our own, and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock
from pathlib import Path
from typing import Any
from urllib.parse import quote

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.editing import matches
from antiphon.workspace.calendar.endpoint import (
    CalendarEndpoint,
    NoAnswerError,
    reconcile_lost_write,
    recover_lost_create,
)
from antiphon.workspace.calendar.google_events import meeting_link, new_body, patch, stored_event_of
from antiphon.workspace.calendar.google_requests import (
    LIMITED,
    DuplicateEventError,
    GoogleAccess,
    GoogleRequests,
    object_list,
)
from antiphon.workspace.calendar.ics_writer import event_id
from antiphon.workspace.calendar.port import (
    CreatedEvent,
    NewEvent,
    Occurrence,
    Place,
    Status,
    StoredEvent,
    Version,
)
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.validation import check_version, configured_names

ADDRESS = "https://www.googleapis.com/calendar/v3"
_PAGE = 250
_PAGES = 20
_TELL = {"sendUpdates": "all"}  # the attendees
_WITH_MEET = {"conferenceDataVersion": "1"}  # else `conferenceData` is passed over


class GoogleCalendar:
    """Google Calendar. `names` are Google's ids of the calendars primary, team and personal.

    Every method raises ToolError and nothing else.
    """

    label = "Google Calendar"

    def __init__(
        self,
        access: GoogleAccess,
        names: Mapping[str, str] | None = None,
        *,
        base_url: str = ADDRESS,
        ca_file: Path | None = None,
        zone: str = "UTC",
    ) -> None:
        self._names = dict(names or {"primary": "primary"})
        self._endpoint = CalendarEndpoint(base_url, ca_file=ca_file)
        self._google = GoogleRequests(self._endpoint, access)
        self._zone = zone_named(zone)

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        del user  # the access is one person's
        found: list[Occurrence] = []
        for name in configured_names(calendars, self._names):
            params = {
                "timeMin": _stamp(start),
                "timeMax": _stamp(end),
                "singleEvents": "true",
                "orderBy": "startTime",
                "maxResults": str(_PAGE),
            }
            path = self._path(name)
            for _ in range(_PAGES):
                body = await self._google.json("GET", path, params=params)
                for item in object_list(body, "items"):
                    one = self._occurrence(name, item)
                    if one is not None:
                        found.append(one)
                if not body.get("nextPageToken"):
                    break
                params["pageToken"] = str(body["nextPageToken"])
        return found

    async def busy(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        del user
        names = {self._names[name]: name for name in configured_names(calendars, self._names)}
        asked = {
            "timeMin": _stamp(start),
            "timeMax": _stamp(end),
            "items": [{"id": own} for own in names],
        }
        body = await self._google.json("POST", "/freeBusy", json=asked)
        answers = body.get("calendars")
        if not isinstance(answers, dict):
            raise self._endpoint.malformed("no `calendars` in the answer to freeBusy")
        found: list[Occurrence] = []
        for own, name in names.items():
            answer = answers.get(own) or {}
            if errors := object_list(answer, "errors"):
                reason = str(errors[0].get("reason", "unknown"))
                status = 404 if reason == "notFound" else 403
                raise self._endpoint.refused(
                    status, {}, f"{name}: {reason}", limited=reason in LIMITED
                )
            for number, period in enumerate(object_list(answer, "busy")):
                begin, finish = self._moment(period.get("start")), self._moment(period.get("end"))
                found.append(Occurrence(name, f"busy-{number}", begin, finish))
        return found

    async def find(self, user: str, calendar: str, key: str) -> CreatedEvent | None:
        del user
        (name,) = configured_names((calendar,), self._names)
        body = await self._google.json("GET", self._path(name, event_id(key)), missing=True)
        return None if body is None else self._made(name, body)

    async def create(self, user: str, event: NewEvent, key: str) -> CreatedEvent:
        (name,) = configured_names((event.calendar,), self._names)
        try:
            body = await self._google.json(
                "POST",
                self._path(name),
                params=_TELL | (_WITH_MEET if event.conference else {}),
                json=new_body(event, event_id(key)),
            )
        except DuplicateEventError:
            made = await self.find(user, event.calendar, key)
            if made is None:
                raise ToolError(
                    ErrorType.CONFLICT,
                    "An event with this id was made and deleted again; it is not made twice.",
                ) from None
            return made
        except NoAnswerError as lost:
            return await recover_lost_create(lost, lambda: self.find(user, event.calendar, key))
        made = self._made(name, body)
        if made is None:
            raise self._endpoint.malformed("a new event is cancelled")
        return made

    async def close(self) -> None:
        await self._endpoint.close()

    # -- changes

    async def read(
        self, user: str, calendar: str, uid: str, place: Place = None
    ) -> StoredEvent | None:
        del user
        found = await self._item(calendar, uid, place)
        if found is None:
            return None
        item, kept = found
        if place is None and kept.recurring:
            return replace(kept, exceptions=await self._exceptions(calendar, item))
        return kept

    async def change(
        self, user: str, uid: str, event: NewEvent, place: Place = None, version: Version = None
    ) -> int | None:
        """Change an event with all its times, or one of them; see WritableCalendar.change.

        What becomes of times that had been moved or left out is up to Google.
        """
        found = await self._item(event.calendar, uid, place)
        if found is None:
            return None
        item, before = found
        check_version(before.version, version)
        wanted = patch(item, before, event)
        if not wanted:
            return 0
        # Of a series that is changed as a whole, see whether it still has them all.
        counts = (
            place is None and before.recurring and ("start" in wanted or "recurrence" in wanted)
        )
        had = await self._exceptions(event.calendar, item) if counts else 0
        path = self._path(event.calendar, str(item["id"]))
        try:
            body = await self._google.json(
                "PATCH", path, params=_TELL, json=wanted, missing=True, etag=before.version
            )
            if body is None:
                return None
        except NoAnswerError as lost:
            await reconcile_lost_write(
                lost,
                lambda: self.read(user, event.calendar, uid, place),
                before.version,
                lambda there: there is not None and matches(there, event),
            )
        if not had:
            return 0
        return max(had - await self._exceptions(event.calendar, item), 0)

    async def remove(
        self, user: str, calendar: str, uid: str, place: Place = None, version: Version = None
    ) -> bool:
        """Delete an event with all its times, or one of them; see WritableCalendar.remove."""
        found = await self._item(calendar, uid, place)
        if found is None:
            return False
        item, before = found
        check_version(before.version, version)
        path = self._path(calendar, str(item["id"]))
        try:
            done = await self._google.json(
                "DELETE", path, params=_TELL, missing=True, etag=before.version
            )
        except NoAnswerError as lost:
            await reconcile_lost_write(
                lost,
                lambda: self.read(user, calendar, uid, place),
                before.version,
                lambda there: there is None,
            )
            return True
        return done is not None

    async def _item(
        self, calendar: str, uid: str, place: datetime | None
    ) -> tuple[dict[str, Any], StoredEvent] | None:
        """An event or one of its times, as Google has it and as a form shows it, or None."""
        (name,) = configured_names((calendar,), self._names)
        item = await self._google.json("GET", self._path(name, uid), missing=True)
        one = None if item is None else self._occurrence(name, item)
        if item is None or one is None:
            return None
        if place is not None:
            if not one.recurring:
                return None
            item, one = await self._instance(name, uid, place, one)
            if item is None or one is None:
                return None
        if not item.get("etag"):
            raise self._endpoint.malformed("the event has no etag, so changes could not be noticed")
        return item, stored_event_of(item, one, self._zone)

    async def _instance(
        self, name: str, uid: str, place: datetime, series: Occurrence
    ) -> tuple[dict[str, Any] | None, Occurrence | None]:
        own = place.astimezone(self._zone)
        at = own.date().isoformat() if series.all_day else _stamp(place)
        path = f"{self._path(name, uid)}/instances"
        body = await self._google.json("GET", path, params={"originalStart": at}, missing=True)
        for item in object_list(body or {}, "items"):
            one = self._occurrence(name, item)
            if one is not None and one.place == place:
                return item, one
        return None, None

    async def _exceptions(self, calendar: str, series: Mapping[str, Any]) -> int:
        """The number of times of a series that were moved, changed or left out."""
        # Without singleEvents: the series itself, and those that are no longer as it says.
        params = {"iCalUID": str(series.get("iCalUID", "")), "maxResults": str(_PAGE)}
        body = await self._google.json("GET", self._path(calendar), params=params)
        return sum(
            each.get("recurringEventId") == series["id"] for each in object_list(body, "items")
        )

    # -- names

    def _path(self, name: str, id: str | None = None) -> str:
        events = f"/calendars/{quote(self._names[name], safe='')}/events"
        return events if id is None else f"{events}/{quote(id, safe='')}"

    # -- shapes

    def _occurrence(self, name: str, item: Mapping[str, Any]) -> Occurrence | None:
        if item.get("status") == "cancelled":
            return None
        start, end = item.get("start"), item.get("end")
        if not isinstance(start, dict) or not isinstance(end, dict):
            raise self._endpoint.malformed("an event without start or end")
        status: Status = "tentative" if item.get("status") == "tentative" else "busy"
        if item.get("transparency") == "transparent":
            status = "free"
        return Occurrence(
            calendar=name,
            uid=str(item.get("recurringEventId") or item.get("id") or ""),
            start=self._moment(start),
            end=self._moment(end),
            status=status,
            title=str(item.get("summary") or ""),
            description=str(item.get("description") or ""),
            location=str(item.get("location") or ""),
            attendees=len(object_list(item, "attendees")),
            all_day="date" in start,
            recurring="recurringEventId" in item or "recurrence" in item,
            days=self._days(start, end) if "date" in start else None,
            place=self._moment(item["originalStartTime"]) if "originalStartTime" in item else None,
            url=meeting_link(item),
        )

    def _moment(self, value: Any) -> datetime:
        """A time, or an object with a time or a day in it, as a moment in UTC."""
        zone: tzinfo = self._zone
        text = value
        if isinstance(value, dict):
            text = value.get("dateTime") or value.get("date")
            if isinstance(value.get("timeZone"), str):
                zone = zone_named(value["timeZone"])
        try:
            if isinstance(text, str) and len(text) == 10:
                moment = datetime.combine(date.fromisoformat(text), clock())
            else:
                moment = datetime.fromisoformat(str(text))
        except ValueError:
            raise self._endpoint.malformed(f"{text!r} is no time") from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)

    def _days(self, start: Mapping[str, Any], end: Mapping[str, Any]) -> tuple[date, date]:
        """The first and last day of an event; Google's end is the day after the last one."""
        try:
            first, after = (date.fromisoformat(str(each.get("date"))) for each in (start, end))
        except ValueError:
            raise self._endpoint.malformed("an event of whole days has no days") from None
        return first, max(first, after - timedelta(days=1))

    def _made(self, name: str, body: Mapping[str, Any]) -> CreatedEvent | None:
        one = self._occurrence(name, body)
        if one is None:
            return None
        link = body.get("htmlLink")
        return CreatedEvent(
            str(body.get("id")), one, "sent", link if isinstance(link, str) else None
        )


def _stamp(moment: datetime) -> str:
    # Google ignores an end that is not after the start, so a fraction is not to be cut off.
    whole = moment.astimezone(UTC)
    if whole.microsecond:
        whole = whole.replace(microsecond=0) + timedelta(seconds=1)
    return whole.isoformat().replace("+00:00", "Z")
