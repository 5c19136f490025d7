"""Google Calendar over its REST API: free/busy, events, and making one under an id of our own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import time as clock
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import Made, NewEvent, Occurrence, Status
from antiphon.workspace.calendar.remote import NoAnswerError, Remote
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.writing import id_of

ADDRESS = "https://www.googleapis.com/calendar/v3"
TOKENS = "https://oauth2.googleapis.com/token"
_PAGE = 250
_PAGES = 20
_LIMITED = {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"}


@dataclass(frozen=True, slots=True)
class GoogleAccess:
    """An access token, or what a new one is got with when the old one has run out."""

    token: str | None = None
    refresh_token: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    token_url: str = TOKENS


class GoogleCalendar:
    """`names` says which of Google's calendars is meant by primary, team and personal.

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
        self._access = access
        self._token = access.token
        self._token_until: float | None = None
        self._refreshing = asyncio.Lock()
        self._names = dict(names or {"primary": "primary"})
        self._remote = Remote(base_url, ca_file=ca_file)
        self._remote.secrets += [
            secret
            for secret in (access.token, access.refresh_token, access.client_secret)
            if secret
        ]
        self._zone = zone_named(zone)

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        del user  # the access is one person's
        found: list[Occurrence] = []
        for name in self._known(calendars):
            params = {
                "timeMin": _stamp(start),
                "timeMax": _stamp(end),
                "singleEvents": "true",
                "orderBy": "startTime",
                "maxResults": str(_PAGE),
            }
            path = f"/calendars/{quote(self._names[name], safe='')}/events"
            for _ in range(_PAGES):
                body = await self._json("GET", path, params=params)
                for item in _list(body, "items"):
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
        names = {self._names[name]: name for name in self._known(calendars)}
        asked = {
            "timeMin": _stamp(start),
            "timeMax": _stamp(end),
            "items": [{"id": own} for own in names],
        }
        body = await self._json("POST", "/freeBusy", json=asked)
        answers = body.get("calendars")
        if not isinstance(answers, dict):
            raise self._remote.strange("no `calendars` in the answer to freeBusy")
        found: list[Occurrence] = []
        for own, name in names.items():
            answer = answers.get(own) or {}
            if errors := _list(answer, "errors"):
                reason = str(errors[0].get("reason", "unknown"))
                status = 404 if reason == "notFound" else 403
                raise self._remote.refused(
                    status, {}, f"{name}: {reason}", limited=reason in _LIMITED
                )
            for number, period in enumerate(_list(answer, "busy")):
                begin, finish = self._moment(period.get("start")), self._moment(period.get("end"))
                found.append(Occurrence(name, f"busy-{number}", begin, finish))
        return found

    async def find(self, user: str, calendar: str, key: str) -> Made | None:
        del user
        (name,) = self._known((calendar,))
        path = f"/calendars/{quote(self._names[name], safe='')}/events/{id_of(key)}"
        body = await self._json("GET", path, missing=True)
        return None if body is None else self._made(name, body)

    async def create(self, user: str, event: NewEvent, key: str) -> Made:
        (name,) = self._known((event.calendar,))
        path = f"/calendars/{quote(self._names[name], safe='')}/events"
        params = {"sendUpdates": "all"}
        try:
            body = await self._json("POST", path, params=params, json=_body(event, id_of(key)))
        except _Exists:
            made = await self.find(user, event.calendar, key)
            if made is None:
                raise ToolError(
                    ErrorType.CONFLICT,
                    "An event with this id was made and deleted again; it is not made twice.",
                ) from None
            return made
        except NoAnswerError as lost:
            # The event may be there although nobody said so; its id tells.
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
        made = self._made(name, body)
        if made is None:
            raise self._remote.strange("a new event is cancelled")
        return made

    async def close(self) -> None:
        await self._remote.close()

    # -- requests

    async def _json(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, str] | None = None,
        json: Any = None,
        missing: bool = False,
    ) -> Any:
        """The body. With `missing` None where there is nothing of that name."""
        url = f"{self._remote.base_url}{path}"
        for attempt in (1, 2):
            headers = {"authorization": f"Bearer {await self._bearer(fresh=attempt == 2)}"}
            status, told, content = await self._remote.ask(
                method, url, headers=headers, params=params, json=json
            )
            if status != 401 or not self._access.refresh_token:
                break
        if missing and status in (404, 410):
            return None
        body = _object(content)
        if status in (200, 201):
            if body is None:
                raise self._remote.strange("the body is no JSON object")
            return body
        error = (body or {}).get("error")
        error = error if isinstance(error, dict) else {}
        reasons = {str(each.get("reason")) for each in _list(error, "errors")}
        if status == 409 and method == "POST":
            raise _Exists
        raise self._remote.refused(
            status, told, str(error.get("message", "")), limited=bool(reasons & _LIMITED)
        )

    async def _bearer(self, *, fresh: bool) -> str:
        async with self._refreshing:
            over = self._token_until is not None and time.monotonic() > self._token_until
            if self._token and not fresh and not over:
                return self._token
            access = self._access
            if not access.refresh_token:
                if self._token:
                    return self._token
                raise ToolError(
                    ErrorType.AUTH,
                    "Google Calendar needs access: set `calendar.token`, or `refresh_token`, "
                    "`client_id` and `client_secret` under [calendar] of the settings.",
                )
            asked = {
                "grant_type": "refresh_token",
                "refresh_token": access.refresh_token,
                "client_id": access.client_id or "",
                "client_secret": access.client_secret or "",
            }
            status, told, content = await self._remote.ask("POST", access.token_url, data=asked)
            body = _object(content) or {}
            token = body.get("access_token")
            if status != 200 or not isinstance(token, str):
                said = str(body.get("error_description") or body.get("error") or "")
                raise self._remote.refused(401 if status in (200, 400) else status, told, said)
            self._token = token
            self._remote.secrets.append(token)
            lasts = body.get("expires_in")
            seconds = float(lasts) if isinstance(lasts, int | float) else 3600.0
            self._token_until = time.monotonic() + max(seconds - 60.0, 0.0)
            return token

    def _known(self, calendars: Sequence[str]) -> tuple[str, ...]:
        """The ones that are configured; all of them may be asked for, one must be there."""
        found = tuple(name for name in calendars if name in self._names)
        if not found:
            raise ToolError(
                ErrorType.VALIDATION,
                f"No calendar called {' or '.join(calendars)} is configured; there is "
                f"{', '.join(self._names)}.",
            )
        return found

    # -- shapes

    def _occurrence(self, name: str, item: Mapping[str, Any]) -> Occurrence | None:
        if item.get("status") == "cancelled":
            return None
        start, end = item.get("start"), item.get("end")
        if not isinstance(start, dict) or not isinstance(end, dict):
            raise self._remote.strange("an event without start or end")
        status: Status = "tentative" if item.get("status") == "tentative" else "busy"
        if item.get("transparency") == "transparent":
            status = "free"
        return Occurrence(
            calendar=name,
            uid=str(item.get("iCalUID") or item.get("id") or ""),
            start=self._moment(start),
            end=self._moment(end),
            status=status,
            title=str(item.get("summary") or ""),
            description=str(item.get("description") or ""),
            location=str(item.get("location") or ""),
            attendees=len(_list(item, "attendees")),
            all_day="date" in start,
            recurring="recurringEventId" in item or "recurrence" in item,
            days=self._days(start, end) if "date" in start else None,
            place=self._moment(item["originalStartTime"]) if "originalStartTime" in item else None,
        )

    def _moment(self, value: Any) -> datetime:
        """A time, or an object with a time or a day in it; in UTC."""
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
            raise self._remote.strange(f"{text!r} is no time") from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)

    def _days(self, start: Mapping[str, Any], end: Mapping[str, Any]) -> tuple[date, date]:
        """Google's end is the day after the last one."""
        try:
            first, after = (date.fromisoformat(str(each.get("date"))) for each in (start, end))
        except ValueError:
            raise self._remote.strange("an event of whole days has no days") from None
        return first, max(first, after - timedelta(days=1))

    def _made(self, name: str, body: Mapping[str, Any]) -> Made | None:
        one = self._occurrence(name, body)
        if one is None:
            return None
        link = body.get("htmlLink")
        return Made(str(body.get("id")), one, "sent", link if isinstance(link, str) else None)


class _Exists(Exception):
    """The id is taken."""


def _body(event: NewEvent, id: str) -> dict[str, Any]:
    zone = event.zone or "UTC"
    where = zone_named(zone)
    body: dict[str, Any] = {
        "id": id,
        "summary": event.title,
        "start": {"dateTime": event.start.astimezone(where).isoformat(), "timeZone": zone},
        "end": {"dateTime": event.end.astimezone(where).isoformat(), "timeZone": zone},
    }
    if event.all_day:
        body["start"] = {"date": event.start.date().isoformat()}
        body["end"] = {"date": event.end.date().isoformat()}
    if event.status == "free":
        body["transparency"] = "transparent"
    elif event.status == "tentative":
        body["status"] = "tentative"
    if event.attendees:
        body["attendees"] = [{"email": address} for address in event.attendees]
    if event.description or event.url:
        body["description"] = "\n\n".join(filter(None, (event.description, event.url)))
    if event.location:
        body["location"] = event.location
    if event.recurrence:
        body["recurrence"] = [f"RRULE:{event.recurrence}"]
    return body


def _stamp(moment: datetime) -> str:
    # Google ignores an end that is not after the start, so a fraction is not to be cut off.
    whole = moment.astimezone(UTC)
    if whole.microsecond:
        whole = whole.replace(microsecond=0) + timedelta(seconds=1)
    return whole.isoformat().replace("+00:00", "Z")


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None


def _list(body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = body.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
