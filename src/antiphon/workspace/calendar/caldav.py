"""Calendars on a CalDAV server: a report of a time range, events put there, and changes to them.

A change is put back where the event lies, and only over the version that it was made from.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import HttpResponse
from antiphon.workspace.calendar import editing
from antiphon.workspace.calendar.dav_xml import (
    CALDAV,
    DavResponse,
    DavXmlError,
    parse_multistatus,
    parse_precondition,
)
from antiphon.workspace.calendar.endpoint import (
    CalendarEndpoint,
    NoAnswerError,
    reconcile_lost_write,
    recover_lost_create,
)
from antiphon.workspace.calendar.ics_text import split_components, unescape_text, wrap_calendar
from antiphon.workspace.calendar.ics_writer import event_id, event_uid, merge_zones, render_event
from antiphon.workspace.calendar.port import (
    CreatedEvent,
    NewEvent,
    Occurrence,
    Place,
    StoredEvent,
    Version,
)
from antiphon.workspace.calendar.series import Series, build_series
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.validation import check_version, configured_names, version_conflict

_QUERY = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    f'<C:calendar-query xmlns:D="DAV:" xmlns:C="{CALDAV}">'
    "<D:prop><D:getetag/><C:calendar-data/></D:prop>"
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
    "{wanted}"
    "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
)
_BETWEEN = '<C:time-range start="{start}" end="{end}"/>'
_NAMED = (
    '<C:prop-filter name="UID"><C:text-match collation="i;octet">{uid}</C:text-match>'
    "</C:prop-filter>"
)
_ICS = "text/calendar; charset=utf-8"


@dataclass(frozen=True, slots=True)
class _Resource:
    """A calendar object on the server: its URL, its ETag, and its event with exceptions.

    `alone`: the object holds no other event.
    """

    url: str
    etag: str
    series: Series
    alone: bool


class CalDavCalendar:
    """Calendars of a CalDAV server.

    `collections` are their addresses by primary, team and personal; they may be relative to `url`.
    Either a user and a password, or a token. Every method raises ToolError and nothing else.
    """

    label = "the CalDAV calendar"

    def __init__(
        self,
        url: str,
        collections: Mapping[str, str] | None = None,
        *,
        username: str | None = None,
        password: str | None = None,
        token: str | None = None,
        ca_file: Path | None = None,
        zone: str = "UTC",
        now: Callable[[], float] = time.time,
    ) -> None:
        auth = (username, password) if username and password else None
        self._endpoint = CalendarEndpoint(url, auth=auth, ca_file=ca_file)
        self._headers = {"authorization": f"Bearer {token}"} if token and not auth else {}
        if token:
            self._endpoint.secrets.append(token)
        base = url if url.endswith("/") else f"{url}/"
        named = dict(collections or {"primary": ""})
        self._collections = {
            name: urljoin(base, f"{place.rstrip('/')}/" if place else "")
            for name, place in named.items()
        }
        self._zone = zone_named(zone)
        self._now = now

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        del user  # the access is one person's
        found: list[Occurrence] = []
        between = _BETWEEN.format(start=_stamp(start, 0), end=_stamp(end, 1))
        for name in configured_names(calendars, self._collections):
            for each in await self._report(name, between):
                found += await asyncio.to_thread(self._expand, name, each.data, start, end)
        return found

    async def busy(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        return [one for one in await self.occurrences(user, calendars, start, end) if one.is_busy]

    async def find(self, user: str, calendar: str, key: str) -> CreatedEvent | None:
        del user
        (name,) = configured_names((calendar,), self._collections)
        response = await self._request("GET", self._place(name, key), {})
        if response.status in (404, 410):
            return None
        if response.status != 200:
            raise self._endpoint.refused(response.status, response.headers, "")
        series = await asyncio.to_thread(self._series, response.body.decode("utf-8", "replace"))
        if not series:
            raise self._endpoint.malformed("the event is not as it was put there")
        return self._made(name, series[0], self._place(name, key))

    async def create(self, user: str, event: NewEvent, key: str) -> CreatedEvent:
        (name,) = configured_names((event.calendar,), self._collections)
        text = await asyncio.to_thread(render_event, event, key, self._now())
        content = wrap_calendar(*await asyncio.to_thread(merge_zones, [(text, "")])).encode()
        # Only where nothing is: the same key again must not overwrite what somebody changed.
        headers = {"content-type": _ICS, "if-none-match": "*"}
        place = self._place(name, key)
        try:
            response = await self._request("PUT", place, headers, content)
        except NoAnswerError as lost:
            return await recover_lost_create(lost, lambda: self.find(user, event.calendar, key))
        if response.status not in (200, 201, 204, 412):
            raise self._endpoint.refused(response.status, response.headers, "")
        there = (
            await self.find(user, event.calendar, key)
            if response.status == 412
            else self._made(name, Series(event_uid(key), event.title, text), place)
        )
        if there is None:
            raise ToolError(
                ErrorType.CONFLICT, "The event was made before and has been cancelled since."
            )
        return there

    async def close(self) -> None:
        await self._endpoint.close()

    # -- changes

    async def read(
        self, user: str, calendar: str, uid: str, place: Place = None
    ) -> StoredEvent | None:
        del user
        there = await self._resource(calendar, uid)
        if there is None:
            return None
        kept = await asyncio.to_thread(
            editing.stored_event, there.series, calendar, self._zone, place
        )
        return None if kept is None else replace(kept, version=there.etag)

    async def change(
        self, user: str, uid: str, event: NewEvent, place: Place = None, version: Version = None
    ) -> int | None:
        """Change an event with all its times, or one of them; see WritableCalendar.change."""
        there = await self._resource(event.calendar, uid)
        if there is None:
            return None
        check_version(there.etag, version)

        def work() -> tuple[Series | None, int]:
            series, now = there.series, self._now()
            if place is None:
                return editing.edit_series(series, event, self._zone, now)
            return editing.edit_occurrence(series, event, self._zone, place, now), 0

        new, lost_times = await asyncio.to_thread(work)
        if new is None:
            return None
        try:
            return lost_times if await self._put(there, new) else None
        except NoAnswerError as lost:
            await reconcile_lost_write(
                lost,
                lambda: self.read(user, event.calendar, uid, place),
                there.etag,
                lambda kept: kept is not None and editing.matches(kept, event),
            )
            return lost_times

    async def remove(
        self, user: str, calendar: str, uid: str, place: Place = None, version: Version = None
    ) -> bool:
        """Delete an event with all its times, or one of them; see WritableCalendar.remove."""
        there = await self._resource(calendar, uid)
        if there is None:
            return False
        check_version(there.etag, version)
        left: Series | None = None
        if place is not None:
            left = await asyncio.to_thread(
                editing.exclude_occurrence, there.series, self._zone, place, self._now()
            )
            if left is None:
                return False
            if await asyncio.to_thread(editing.has_ended, left, self._zone):
                left = None
        try:
            return await self._put(there, left)
        except NoAnswerError as lost:
            await reconcile_lost_write(
                lost,
                lambda: self.read(user, calendar, uid, place),
                there.etag,
                lambda kept: kept is None,
            )
            return True

    async def _put(self, there: _Resource, series: Series | None) -> bool:
        """Replace a calendar object, or delete it where `series` is None.

        False where the object is not there any more. Raises CONFLICT where it was changed
        meanwhile.
        """
        if not there.alone:
            raise ToolError(
                ErrorType.CONFLICT,
                f"Nothing was changed: {self._endpoint.where} keeps this event in one file with "
                "others, which would be lost. Change it there.",
            )
        guard = {"if-match": there.etag}
        if series is None:
            response = await self._request("DELETE", there.url, guard)
        else:
            parts = [(series.events, series.zones)]
            content = wrap_calendar(*await asyncio.to_thread(merge_zones, parts)).encode()
            headers = {"content-type": _ICS, **guard}
            response = await self._request("PUT", there.url, headers, content)
        status = response.status
        if status == 412:
            raise version_conflict()
        if status in (404, 410):
            return False
        if status not in (200, 201, 204):
            condition = parse_precondition(response.body)
            raise self._endpoint.refused(status, response.headers, condition, changing=True)
        return True

    async def _resource(self, calendar: str, uid: str) -> _Resource | None:
        """The calendar object of a UID; None where there is none."""
        (name,) = configured_names((calendar,), self._collections)
        wanted = _NAMED.format(uid=escape(unescape_text(uid)))
        for each in await self._report(name, wanted):
            found = await asyncio.to_thread(self._series, each.data)
            # The server looks for a part of the text.
            own = next((series for series in found if series.uid == uid), None)
            if own is not None:
                return _Resource(
                    self._address(name, each.href), self._version(each), own, len(found) == 1
                )
        return None

    def _address(self, name: str, href: str) -> str:
        collection = self._collections[name]
        url = urljoin(collection, href)
        if urlsplit(url)[:2] != urlsplit(collection)[:2]:  # it would be sent the password
            raise self._endpoint.malformed("an event lies on another host")
        return url

    def _version(self, each: DavResponse) -> str:
        if not each.etag:
            raise self._endpoint.malformed(
                "an event has no getetag, so changes could not be noticed"
            )
        # What lies between may call it weak, because it packs bodies; the server knows it without.
        return each.etag.removeprefix("W/")

    # -- inside

    async def _report(self, name: str, wanted: str) -> list[DavResponse]:
        response = await self._request(
            "REPORT",
            self._collections[name],
            {"depth": "1", "content-type": "application/xml; charset=utf-8"},
            _QUERY.format(wanted=wanted).encode(),
        )
        if response.status != 207:
            raise self._endpoint.refused(response.status, response.headers, "")
        try:
            return parse_multistatus(response.body)
        except DavXmlError as error:
            raise self._endpoint.malformed(f"its XML cannot be read: {error}") from None

    async def _request(
        self, method: str, url: str, headers: dict[str, str], content: bytes | None = None
    ) -> HttpResponse:
        return await self._endpoint.request(
            method, url, headers={**self._headers, **headers}, content=content
        )

    def _place(self, name: str, key: str) -> str:
        return f"{self._collections[name]}{event_id(key)}.ics"

    def _series(self, text: str) -> list[Series]:
        """The events of one calendar object.

        Raises ToolError where one of them cannot be followed.
        """
        file = split_components(text.encode())
        uids: dict[str, list[int]] = {}
        for place, block in enumerate(file.events):
            uids.setdefault(block.value("UID"), []).append(place)
        found: list[Series] = []
        problems = list(file.problems)
        for uid, places in uids.items():
            series, wrong = build_series(uid, [file.events[place] for place in places], file.zones)
            problems += wrong
            if series is not None:
                found.append(series)
        if problems:
            raise ToolError(
                ErrorType.PERMANENT,
                f"An event on {self._endpoint.where} cannot be read, so it is not known when you "
                f"are free: {problems[0]}. Correct it there.",
                events=[problem.to_dict() for problem in problems],
            )
        return found

    def _expand(self, name: str, data: str, start: datetime, end: datetime) -> list[Occurrence]:
        return [
            one
            for series in self._series(data)
            for one in series.occurrences(name, start, end, self._zone)
        ]

    def _made(self, name: str, series: Series, place: str) -> CreatedEvent | None:
        """The created event with its first occurrence; None where it was cancelled."""
        since = datetime.fromtimestamp(series.bounds()[0], UTC)
        found = series.occurrences(name, since, since + timedelta(days=400), self._zone)
        first = min(found, key=lambda one: one.start, default=None)
        return None if first is None else CreatedEvent(series.uid, first, "by_server", place)


def _stamp(moment: datetime, more: int) -> str:
    return f"{moment.astimezone(UTC) + timedelta(seconds=more):%Y%m%dT%H%M%SZ}"
