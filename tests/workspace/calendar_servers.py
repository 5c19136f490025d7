"""Calendar services on loopback, as far as the adapters speak to them."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, date, datetime
from typing import Any
from xml.sax.saxutils import escape, unescape
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
from tests.workspace.http_server import Answer, HangUp, Request

from antiphon.workspace.calendar.ics_text import split_components

BASIC = "Basic " + base64.b64encode(b"ada:sesame").decode()


class Dav:
    """A CalDAV server that keeps .ics files in collections. `faults` are answers given before
    anything is looked at; with `lost` it does what it is asked, and hangs up."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.requests: list[Request] = []
        self.faults: list[Answer] = []
        self.lost = False
        self.allowed = BASIC
        self.read_only = False
        self.host = ""  # in front of the addresses of events
        self.tags = True

    async def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.headers.get("authorization") != self.allowed:
            return Answer(401, b"", {"www-authenticate": "Basic"})
        if self.faults:
            return self.faults.pop(0)
        path = request.path
        match request.method:
            case "REPORT":
                assert request.headers["depth"] == "1"
                return Answer(207, self.multistatus(path, request.body.decode()))
            case "GET":
                found = self.files.get(path)
                return Answer(404) if found is None else Answer(200, found)
            case "PUT" | "DELETE":
                return self.write(request)
        return Answer(405)

    def write(self, request: Request) -> Answer:
        path, wanted = request.path, request.headers.get("if-match")
        if request.headers.get("if-none-match") == "*" and path in self.files:
            return Answer(412)
        if wanted is not None and (path not in self.files or wanted != self.tag(path)):
            return Answer(412)
        if self.read_only:
            body = b'<D:error xmlns:D="DAV:"><D:need-privileges/></D:error>'
            return Answer(403, body, {"content-type": "application/xml"})
        if request.method == "PUT":
            self.files[path] = request.body
        elif self.files.pop(path, None) is None:
            return Answer(404)
        if self.lost:
            self.lost = False
            raise HangUp
        return Answer(204)

    def tag(self, path: str) -> str:
        return f'"{hashlib.sha256(self.files[path]).hexdigest()[:12]}"'

    def multistatus(self, collection: str, query: str) -> bytes:
        named = re.search(r'<C:prop-filter name="UID"><C:text-match[^>]*>(.*?)</', query)
        assert named or "time-range" in query
        parts = "".join(
            f"<D:response><D:href>{escape(self.host + path)}</D:href><D:propstat><D:prop>"
            + (f"<D:getetag>{escape(self.tag(path))}</D:getetag>" if self.tags else "")
            + f"<cal:calendar-data>{escape(data.decode())}</cal:calendar-data></D:prop>"
            "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
            for path, data in self.files.items()
            if path.startswith(collection)
            if named is None or _has_uid(data, unescape(named[1]))
        )
        return (
            '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" '
            f'xmlns:cal="urn:ietf:params:xml:ns:caldav">{parts}</D:multistatus>'
        ).encode()


def _has_uid(data: bytes, part: str) -> bool:
    return any(part in block.value("UID") for block in split_components(data).events)


class Google:
    """What Google keeps: events, and of series what is another than the rule says, under the id of
    that time. `faults` are answers given before anything is looked at."""

    def __init__(self) -> None:
        self.events: dict[str, list[dict[str, Any]]] = {"primary": [], "crew@example.com": []}
        self.requests: list[Request] = []
        self.faults: list[Answer | None] = []
        self.lost = False  # do what is asked, then hang up
        self.token = "good-token"
        self.page = 100
        self.changes = 0
        self.read_only = False

    async def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.path == "/token":
            sent = request.body.decode()
            if "refresh_token=refresh" not in sent or "client_secret=secret" not in sent:
                return Answer(400, {"error": "invalid_grant"})
            return Answer(200, {"access_token": "good-token", "expires_in": 3600})
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return Answer(401, {"error": {"code": 401, "message": "Invalid Credentials"}})
        if self.faults and (fault := self.faults.pop(0)) is not None:
            return fault
        if request.path == "/freeBusy":
            return self.free_busy(request.json)
        _, _, calendar, _, *rest = request.path.split("/")
        if calendar not in self.events:
            return Answer(404, {"error": {"code": 404, "message": "Not Found"}})
        return self.events_of(request, self.events[calendar], rest)

    def events_of(self, request: Request, events: list[dict[str, Any]], rest: list[str]) -> Answer:
        if request.method == "POST":
            body = request.json
            if request.query.get("conferenceDataVersion") == "1" and "conferenceData" in body:
                body["hangoutLink"] = "https://meet.google.example/abc"
            return self.insert(body, events)
        if rest:
            return self.one_of(request, events, rest)
        if "iCalUID" in request.query:
            uid = request.query["iCalUID"]
            return Answer(200, {"items": [each for each in events if each.get("iCalUID") == uid]})
        assert request.query["singleEvents"] == "true"
        low, high = (datetime.fromisoformat(request.query[n]) for n in ("timeMin", "timeMax"))
        found = [
            one
            for event in events
            if "recurringEventId" not in event
            for one in self.times_of(event, events)
            if one.get("status") == "cancelled"
            or (_at(one["start"]) < high and _at(one["end"]) > low)
        ]
        first = int(request.query.get("pageToken", "0"))
        body: dict[str, Any] = {"items": found[first : first + self.page]}
        if first + self.page < len(found):
            body["nextPageToken"] = str(first + self.page)
        return Answer(200, body)

    def insert(self, body: dict[str, Any], events: list[dict[str, Any]]) -> Answer:
        if any(event["id"] == body["id"] for event in events):
            return Answer(409, {"error": {"code": 409, "message": "already exists"}})
        uid = f"{body['id']}@google.com"
        event = {"status": "confirmed", **body, "iCalUID": uid}
        event = self.stamped({**event, "htmlLink": "https://calendar.example/e"})
        events.append(event)
        if self.lost:
            self.lost = False
            raise HangUp
        return Answer(200, event)

    def one_of(self, request: Request, events: list[dict[str, Any]], rest: list[str]) -> Answer:
        missing = Answer(404, {"error": {"code": 404, "message": "Not Found"}})
        wanted_id = rest[0]
        kept = next((event for event in events if event["id"] == wanted_id), None)
        if rest[1:] == ["instances"]:
            if kept is None:
                return missing
            at = request.query["originalStart"]
            wanted = _at({"date" if len(at) == 10 else "dateTime": at})
            times = self.times_of(kept, events)
            items = [each for each in times if _at(each["originalStartTime"]) == wanted]
            return Answer(200, {"items": items})
        found = kept or self.time_called(wanted_id, events)
        if found is None:
            return missing
        if request.method == "GET":
            return Answer(200, found)
        if found.get("status") == "cancelled":
            return Answer(410, {"error": {"code": 410, "message": "Resource has been deleted"}})
        if request.headers.get("if-match") != found["etag"]:
            return Answer(412, {"error": {"code": 412, "message": "Precondition Failed"}})
        if self.read_only:
            reason = {"reason": "forbiddenForNonOrganizer"}
            words = "Shared properties can only be changed by the organizer of the event."
            return Answer(403, {"error": {"code": 403, "message": words, "errors": [reason]}})
        if request.method == "DELETE":
            new = self.stamped({**found, "status": "cancelled"})
        else:
            new = self.stamped(_merged(found, request.json))
            if "recurrence" in request.json and kept is not None:  # exceptions go with the rule
                events[:] = [each for each in events if each.get("recurringEventId") != wanted_id]
        events[:] = [new if each["id"] == wanted_id else each for each in events]
        if kept is None:
            events.append(new)
        if self.lost:
            self.lost = False
            raise HangUp
        return Answer(204) if request.method == "DELETE" else Answer(200, new)

    def stamped(self, event: dict[str, Any]) -> dict[str, Any]:
        self.changes += 1
        return {**event, "etag": f'"{self.changes}"'}

    def times_of(self, event: dict[str, Any], events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """An event at each of its times."""
        if not event.get("recurrence"):
            return [event]
        start, end = event["start"], event["end"]
        zone = ZoneInfo(start.get("timeZone") or "Europe/Berlin")
        first = _at(start).astimezone(zone).replace(tzinfo=None)
        rule = rrulestr(event["recurrence"][0], dtstart=first)
        found = []
        for at in rule[:50]:
            own_id = f"{event['id']}_{at.replace(tzinfo=zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"
            own = next((each for each in events if each["id"] == own_id), None)
            begin = at.replace(tzinfo=zone)
            length = _at(end) - _at(start)
            original = _written(begin, start)
            one = {
                **{name: value for name, value in event.items() if name != "recurrence"},
                "id": own_id,
                "recurringEventId": event["id"],
                "originalStartTime": original,
                "start": original,
                "end": _written(begin + length, start),
            }
            found.append(own or one)
        return [each for each in found if each.get("status") != "cancelled"]

    def time_called(self, id: str, events: list[dict[str, Any]]) -> dict[str, Any] | None:
        series = next((each for each in events if each["id"] == id.rpartition("_")[0]), None)
        times = [] if series is None else self.times_of(series, events)
        return next((each for each in times if each["id"] == id), None)

    def free_busy(self, asked: dict[str, Any]) -> Answer:
        found: dict[str, Any] = {}
        low, high = (datetime.fromisoformat(asked[name]) for name in ("timeMin", "timeMax"))
        for item in asked["items"]:
            if item["id"] not in self.events:
                found[item["id"]] = {"errors": [{"domain": "global", "reason": "notFound"}]}
                continue
            busy = [
                {name: event[name]["dateTime"] for name in ("start", "end")}
                for event in self.events[item["id"]]
                if "dateTime" in event["start"] and event.get("transparency") != "transparent"
                if datetime.fromisoformat(event["start"]["dateTime"]) < high
                and datetime.fromisoformat(event["end"]["dateTime"]) > low
            ]
            found[item["id"]] = {"busy": busy}
        return Answer(200, {"calendars": found})


def _merged(event: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A patch: objects are merged, null takes away."""
    new = dict(event)
    for name, value in change.items():
        if value is None:
            new.pop(name, None)
        elif isinstance(value, dict):
            new[name] = _merged(new.get(name, {}), value)
        else:
            new[name] = value
    return new


def _at(value: dict[str, Any]) -> datetime:
    if "date" in value:
        return datetime.combine(date.fromisoformat(value["date"]), datetime.min.time(), _BERLIN)
    return datetime.fromisoformat(value["dateTime"])


def _written(moment: datetime, like: dict[str, Any]) -> dict[str, Any]:
    if "date" in like:
        return {"date": moment.date().isoformat()}
    return {"dateTime": moment.isoformat(), "timeZone": like.get("timeZone", "UTC")}


_BERLIN = ZoneInfo("Europe/Berlin")
