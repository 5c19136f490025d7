"""Calendars on a CalDAV server: reports of a time range, and events put under a name of our own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urljoin
from xml.parsers import expat

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.ics_text import cut, wrapped
from antiphon.workspace.calendar.port import Made, NewEvent, Occurrence
from antiphon.workspace.calendar.remote import NoAnswerError, Remote
from antiphon.workspace.calendar.series import Series, read_series
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.writing import event_text, id_of, uid_of, with_zones

_CALDAV = "urn:ietf:params:xml:ns:caldav"
_QUERY = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    f'<C:calendar-query xmlns:D="DAV:" xmlns:C="{_CALDAV}">'
    "<D:prop><D:getetag/><C:calendar-data/></D:prop>"
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
    '<C:time-range start="{start}" end="{end}"/>'
    "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
)
_ICS = "text/calendar; charset=utf-8"


class CalDavCalendar:
    """`collections` are the addresses of calendars, by primary, team and personal.

    They may be relative to `url`. Either a user and a password, or a token. Every method raises
    ToolError and nothing else.
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
        self._remote = Remote(url, auth=auth, ca_file=ca_file)
        self._headers = {"authorization": f"Bearer {token}"} if token and not auth else {}
        if token:
            self._remote.secrets.append(token)
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
        body = _QUERY.format(start=_stamp(start, 0), end=_stamp(end, 1)).encode()
        for name in self._known(calendars):
            status, headers, content = await self._ask(
                "REPORT",
                self._collections[name],
                {"depth": "1", "content-type": "application/xml; charset=utf-8"},
                body,
            )
            if status != 207:
                raise self._remote.refused(status, headers, "")
            for data in self._calendar_data(content):
                found += await asyncio.to_thread(self._expand, name, data, start, end)
        return found

    async def busy(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        return [one for one in await self.occurrences(user, calendars, start, end) if one.is_busy]

    async def find(self, user: str, calendar: str, key: str) -> Made | None:
        del user
        (name,) = self._known((calendar,))
        status, headers, content = await self._ask("GET", self._place(name, key), {})
        if status in (404, 410):
            return None
        if status != 200:
            raise self._remote.refused(status, headers, "")
        series = await asyncio.to_thread(self._series, content.decode("utf-8", "replace"))
        if not series:
            raise self._remote.strange("the event is not as it was put there")
        return self._made(name, series[0], self._place(name, key))

    async def create(self, user: str, event: NewEvent, key: str) -> Made:
        (name,) = self._known((event.calendar,))
        text = await asyncio.to_thread(event_text, event, key, self._now())
        content = wrapped(*await asyncio.to_thread(with_zones, [(text, "")])).encode()
        # Only where nothing is: the same key again must not overwrite what somebody changed.
        headers = {"content-type": _ICS, "if-none-match": "*"}
        place = self._place(name, key)
        try:
            status, told, _ = await self._ask("PUT", place, headers, content)
        except NoAnswerError as lost:
            try:
                made = await self.find(user, event.calendar, key)
            except ToolError:
                raise ToolError(
                    ErrorType.TRANSIENT,
                    f"{lost.message} The event may have been created all the same; look before it "
                    "is created again.",
                    partial_side_effects=True,
                ) from lost
            if made is not None:
                return made
            raise
        if status not in (200, 201, 204, 412):
            raise self._remote.refused(status, told, "")
        there = (
            await self.find(user, event.calendar, key)
            if status == 412
            else self._made(name, Series(uid_of(key), event.title, text), place)
        )
        if there is None:
            raise ToolError(
                ErrorType.CONFLICT, "The event was made before and has been cancelled since."
            )
        return there

    async def close(self) -> None:
        await self._remote.close()

    # -- inside

    async def _ask(
        self, method: str, url: str, headers: dict[str, str], content: bytes | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        return await self._remote.ask(
            method, url, headers={**self._headers, **headers}, content=content
        )

    def _place(self, name: str, key: str) -> str:
        return f"{self._collections[name]}{id_of(key)}.ics"

    def _known(self, calendars: Sequence[str]) -> tuple[str, ...]:
        found = tuple(name for name in calendars if name in self._collections)
        if not found:
            raise ToolError(
                ErrorType.VALIDATION,
                f"No calendar called {' or '.join(calendars)} is configured; there is "
                f"{', '.join(self._collections)}.",
            )
        return found

    def _calendar_data(self, content: bytes) -> list[str]:
        try:
            return _texts(content, f"{_CALDAV} calendar-data")
        except (expat.ExpatError, _Refused) as error:
            raise self._remote.strange(f"its XML cannot be read: {error}") from None

    def _series(self, text: str) -> list[Series]:
        """The events of one resource; raises when the server has one that cannot be followed."""
        file = cut(text.encode())
        uids: dict[str, list[int]] = {}
        for place, block in enumerate(file.events):
            uids.setdefault(block.value("UID"), []).append(place)
        found: list[Series] = []
        problems = list(file.problems)
        for uid, places in uids.items():
            series, wrong = read_series(uid, [file.events[place] for place in places], file.zones)
            problems += wrong
            if series is not None:
                found.append(series)
        if problems:
            raise ToolError(
                ErrorType.PERMANENT,
                f"An event on {self._remote.where} cannot be read, so it is not known when you are "
                f"free: {problems[0]}. Correct it there.",
                events=[problem.to_dict() for problem in problems],
            )
        return found

    def _expand(self, name: str, data: str, start: datetime, end: datetime) -> list[Occurrence]:
        return [
            one
            for series in self._series(data)
            for one in series.occurrences(name, start, end, self._zone)
        ]

    def _made(self, name: str, series: Series, place: str) -> Made | None:
        """None: it was cancelled."""
        since = datetime.fromtimestamp(series.bounds()[0], UTC)
        found = series.occurrences(name, since, since + timedelta(days=400), self._zone)
        first = min(found, key=lambda one: one.start, default=None)
        return None if first is None else Made(series.uid, first, "by_server", place)


def _stamp(moment: datetime, more: int) -> str:
    return f"{moment.astimezone(UTC) + timedelta(seconds=more):%Y%m%dT%H%M%SZ}"


class _Refused(Exception):
    """XML that nobody needs and that can be made to take for ever."""


def _texts(content: bytes, element: str) -> list[str]:
    """What stands in every element of that name. Documents that define entities are refused."""
    found: list[str] = []
    open_text: list[str] | None = None

    def doctype(*_: object) -> None:
        raise _Refused("it defines a document type")

    def start(name: str, _attributes: object) -> None:
        nonlocal open_text
        if name == element:
            open_text = []

    def end(name: str) -> None:
        nonlocal open_text
        if name == element and open_text is not None:
            found.append("".join(open_text))
            open_text = None

    def text(piece: str) -> None:
        if open_text is not None:
            open_text.append(piece)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.Parse(content, True)
    return found
