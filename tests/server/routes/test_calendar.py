"""The calendar over HTTP, in a real store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from tests.workspace.calendar_servers import Dav
from tests.workspace.http_server import in_thread

PROBLEM = "application/problem+json"
ZONE = "Europe/Berlin"
YEAR = "2031"


@pytest.fixture(scope="module")
def berlin(serve: Any) -> Iterator[Any]:
    """A server whose calendar is in Berlin."""
    with serve.running(serve.app(calendar={"time_zone": ZONE})) as client:
        yield client


@pytest.fixture
def calendar(berlin: Any) -> Iterator[Any]:
    """Nothing is in it, before and after."""
    yield berlin
    for found in {event["id"] for event in listed(berlin)}:
        assert delete(berlin, found).status == 200


def body(title: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    return {
        "title": title,
        "start_time": f"{YEAR}-{start}",
        "end_time": f"{YEAR}-{end}",
        "time_zone": ZONE,
        **more,
    }


def make(client: Any, *parts: str, **more: Any) -> dict[str, Any]:
    reply = client.post("/api/calendar/events", body(*parts, **more))
    assert reply.status == 201, reply.body
    event: dict[str, Any] = reply.json["event"]
    return event


def put(client: Any, id: str, event: dict[str, Any], query: str = "", **headers: str) -> Any:
    place = f"/api/calendar/events/{quote(id, safe='')}{query}"
    sent = {"Content-Type": "application/json", **_named(headers)}
    return client.send("PUT", place, sent, json.dumps(event).encode())


def delete(client: Any, id: str, query: str = "", **headers: str) -> Any:
    place = f"/api/calendar/events/{quote(id, safe='')}{query}"
    return client.send("DELETE", place, _named(headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def listed(client: Any, start: str = "03-01", end: str = "03-31") -> list[dict[str, Any]]:
    reply = client.get(f"/api/calendar/events?start={YEAR}-{start}&end={YEAR}-{end}")
    assert reply.status == 200, reply.body
    events: list[dict[str, Any]] = reply.json["events"]
    return events


def upload(client: Any, text: str, query: str = "") -> Any:
    return client.send(
        "POST", f"/api/calendar/import{query}", {"Content-Type": "text/calendar"}, text.encode()
    )


def file(*events: str) -> str:
    parts = "".join(f"BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n" for event in events)
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{parts}END:VCALENDAR\r\n"


# -- events ----------------------------------------------------------------------------------------


def test_an_event_is_made_found_changed_and_deleted(calendar: Any) -> None:
    assert listed(calendar) == []
    made = make(calendar, "Tea", "03-04T10:00", "03-04T11:00", location="Attic")
    assert made["start"] == f"{YEAR}-03-04T10:00:00+01:00"
    (found,) = listed(calendar)
    assert (found["id"], found["location"], found["recurring"]) == (made["id"], "Attic", False)
    place = f"/api/calendar/events/{quote(made['id'], safe='')}"
    assert calendar.get(place).json == made
    moved = put(calendar, made["id"], body("Coffee", "03-05T10:00", "03-05T11:00")).json
    assert moved["event"]["title"] == "Coffee"
    assert [each["start"][:10] for each in listed(calendar)] == [f"{YEAR}-03-05"]
    assert delete(calendar, made["id"]).json == {"deleted": made["id"], "occurrence": None}
    assert listed(calendar) == []
    gone = calendar.get(place)
    assert (gone.status, gone.media_type) == (404, PROBLEM)
    lines = calendar.get("/api/audit?limit=1000").json["lines"]
    noted = [line for line in lines if (line.get("details") or {}).get("event") == made["id"]]
    assert [line["event"] for line in noted] == ["calendar_event_saved"] * 2 + [
        "calendar_event_deleted"
    ]


def test_a_key_makes_one_event(calendar: Any) -> None:
    event = body("Tea", "03-04T10:00", "03-04T11:00")
    ids = {
        calendar.post("/api/calendar/events", event, Idempotency_Key="one").json["event"]["id"]
        for _ in range(2)
    }
    assert [each["id"] for each in listed(calendar)] == list(ids)


def test_a_series_is_expanded_and_changed_as_a_whole_or_at_one_time(calendar: Any) -> None:
    weekly = {"recurrence": "FREQ=WEEKLY;COUNT=4"}
    made = make(calendar, "Talk", "03-06T09:00", "03-06T10:00", **weekly)
    places = [each["occurrence"] for each in listed(calendar)]
    assert len(places) == 4
    once = f"?occurrence={quote(places[1])}"
    event = body("Talk", "03-14T16:00", "03-14T17:00")
    assert put(calendar, made["id"], {**event, **weekly}, once).status == 422
    assert put(calendar, made["id"], event, once).status == 200
    assert delete(calendar, made["id"], f"?occurrence={quote(places[2])}").status == 200
    days = [each["start"][5:16] for each in listed(calendar)]
    assert days == ["03-06T09:00", "03-14T16:00", "03-27T09:00"]
    read = calendar.get(f"/api/calendar/events/{quote(made['id'], safe='')}{once}").json
    assert (read["start"][5:16], read["recurrence"], read["recurring"]) == (days[1], None, True)
    whole = body("Talk", "03-06T08:00", "03-06T09:00", **weekly)
    saved = put(calendar, made["id"], whole).json
    assert saved["warnings"] == [
        "2 times of the series that had been moved or left out follow the series again."
    ]
    assert {each["start"][11:16] for each in listed(calendar)} == {"08:00"}
    assert len(listed(calendar)) == 4
    # Clocks go forward on the 30th; the hour on the wall stays.
    assert delete(calendar, made["id"], "?occurrence=2031-01-01T00:00:00Z").status == 404


def test_whole_days_have_days_and_leave_time_free_if_wanted(calendar: Any) -> None:
    made = make(calendar, "Fair", "03-10", "03-11", all_day=True, status="free")
    assert (made["start"], made["end"]) == (f"{YEAR}-03-10", f"{YEAR}-03-11")
    (found,) = listed(calendar)
    assert (found["start"], found["end"], found["status"]) == (made["start"], made["end"], "free")
    make(calendar, "Tea", "03-10T10:00", "03-10T11:00")
    # The same days seen from elsewhere are the same days.
    far = f"/api/calendar/events?start={YEAR}-03-10&end={YEAR}-03-12&time_zone=Asia/Tokyo"
    assert calendar.get(far).json["events"][0]["start"] == made["start"]


def test_what_is_in_the_way_is_named_and_may_be_overlapped(calendar: Any) -> None:
    make(calendar, "Tea", "03-04T10:00", "03-04T11:00")
    event = body("Coffee", "03-04T10:30", "03-04T11:30")
    refused = calendar.post("/api/calendar/events", event)
    assert (refused.status, refused.media_type) == (409, PROBLEM)
    assert [each["title"] for each in refused.json["overlaps"]] == ["Tea"]
    assert "'Tea'" in refused.json["detail"]
    allowed = calendar.post("/api/calendar/events", {**event, "allow_overlap": True}).json
    assert [each["title"] for each in allowed["overlaps"]] == ["Tea"]
    # A change of words is no new overlap, a change of time is.
    made = allowed["event"]["id"]
    assert put(calendar, made, {**event, "title": "Cocoa"}).status == 200
    assert put(calendar, made, body("Cocoa", "03-04T10:15", "03-04T11:00")).status == 409
    assert put(calendar, made, body("Cocoa", "03-04T12:00", "03-04T13:00")).status == 200


@pytest.mark.parametrize(
    ("changes", "pointer", "words"),
    [
        ({"start_time": "2020-01-01T10:00", "end_time": "2020-01-01T11:00"}, "/start_time", "over"),
        ({"end_time": f"{YEAR}-03-04T09:00"}, "/end_time", "not after start_time"),
        ({"time_zone": "Europe/Atlantis"}, "/time_zone", "no time zone"),
        ({"time_zone": None}, "/start_time", "neither its offset nor a time zone"),
        (
            {"start_time": f"{YEAR}-03-30T02:30", "end_time": f"{YEAR}-03-30T04:00"},
            "/start_time",
            "does not exist in Europe/Berlin",
        ),
        (
            {"start_time": f"{YEAR}-10-26T02:30", "end_time": f"{YEAR}-10-26T04:00"},
            "/start_time",
            "happens twice",
        ),
        ({"start_time": f"{YEAR}-02-30T10:00"}, "/start_time", "no calendar has"),
        ({"recurrence": "FREQ=SOMETIMES"}, "/recurrence", "SOMETIMES"),
        ({"title": "  "}, "/title", "blank"),
        ({"all_day": True}, "/start_time", "all_day"),
    ],
)
def test_what_cannot_be_says_what_is_wrong_and_where(
    client: Any, changes: dict[str, Any], pointer: str, words: str
) -> None:
    event = {**body("Tea", "03-04T10:00", "03-04T11:00"), **changes}
    reply = client.post("/api/calendar/events", event)
    assert (reply.status, reply.media_type) == (422, PROBLEM)
    assert words in reply.json["detail"]
    assert reply.json["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize(
    "query",
    [
        "start=2031-01-01&end=2030-01-01",
        "start=2031-01-01&end=2031-12-31",
        "start=soon&end=2031-12-31",
        "start=2031-01-01&end=2031-01-02&time_zone=Moon",
        "start=2031-01-01&end=2031-01-02&calendar=secret",
        "start=2031-01-01",
    ],
)
def test_a_range_that_is_none_is_refused(client: Any, query: str) -> None:
    reply = client.get(f"/api/calendar/events?{query}")
    assert (reply.status, reply.media_type) == (422, PROBLEM)


def test_an_event_that_is_not_there_is_a_problem(client: Any) -> None:
    event = body("Tea", "03-04T10:00", "03-04T11:00")
    for missing in ("primary:none", "nowhere:x", "x"):
        assert put(client, missing, event).status == 404
        assert delete(client, missing).status == 404


# -- files -----------------------------------------------------------------------------------------


def test_a_file_goes_in_and_comes_out_again(calendar: Any) -> None:
    # A name of an event may be anything, a path too.
    one = f"UID:a/b c@example.com\r\nSUMMARY:Tea\r\nDTSTART:{YEAR}0304T100000Z\r\nX-OWN:kept"
    assert upload(calendar, file(one), "?calendar=team").json["added"] == 1
    assert upload(calendar, file(one), "?calendar=team").json["unchanged"] == 1
    (found,) = listed(calendar)
    assert (found["calendar"], found["title"]) == ("team", "Tea")
    assert found["id"] == "team:a/b c@example.com"
    out = calendar.get("/api/calendar/export?calendar=team")
    assert (out.media_type, "X-OWN:kept\r\n" in out.body.decode()) == ("text/calendar", True)
    assert 'filename="team.ics"' in out.headers["content-disposition"]
    assert b"VEVENT" not in calendar.get("/api/calendar/export").body
    assert delete(calendar, found["id"]).status == 200
    assert listed(calendar) == []


def test_a_broken_file_says_the_line_and_imports_nothing(calendar: Any) -> None:
    good = f"UID:good\r\nSUMMARY:Good\r\nDTSTART:{YEAR}0304T100000Z"
    bad = f"UID:bad\r\nSUMMARY:Bad\r\nDTSTART:{YEAR}0304T100000Z\r\nDTEND:{YEAR}0303T100000Z"
    refused = upload(calendar, file(good, bad))
    assert (refused.status, refused.media_type) == (422, PROBLEM)
    (problem,) = refused.json["events"]
    assert (problem["line"], problem["title"], problem["property"]) == (9, "Bad", "DTEND")
    assert listed(calendar) == []
    skipped = upload(calendar, file(good, bad), "?skip_broken=true").json
    assert (skipped["added"], len(skipped["skipped"])) == (1, 1)
    assert "no iCalendar" in upload(calendar, "hello").json["detail"]
    assert calendar.post("/api/calendar/import", {}).status == 415


def test_a_file_may_be_larger_than_other_bodies(calendar: Any) -> None:
    long = f"SUMMARY:long\r\nDESCRIPTION:{'x' * 30_000}\r\nDTSTART:{YEAR}0304T100000Z"
    events = [f"UID:{number}\r\n{long}" for number in range(10)]
    assert upload(calendar, file(*events)).json["added"] == 10
    head = (
        f"POST /api/calendar/import HTTP/1.1\r\nHost: 127.0.0.1:{calendar.port}\r\n"
        f"Content-Type: text/calendar\r\nContent-Length: {10 * 1024 * 1024 + 1}\r\n\r\n"
    )
    assert calendar.raw(head.encode()).startswith(b"HTTP/1.1 413 ")


# -- free time -------------------------------------------------------------------------------------


def test_free_time_is_found_between_the_hours_that_count(calendar: Any) -> None:
    make(calendar, "Tea", "03-07T10:00", "03-07T11:00")  # a Friday
    ask = f"start={YEAR}-03-07&end={YEAR}-03-10&time_zone={ZONE}"
    hours = "&day_start=09:00&day_end=12:00&workdays=true&min_minutes=60"
    found = calendar.get(f"/api/calendar/availability?{ask}{hours}").json
    assert [slot["start"][5:16] for slot in found["available_slots"]] == [
        *("03-07T09:00", "03-07T11:00", "03-10T09:00"),
    ]
    assert [slot["duration_minutes"] for slot in found["available_slots"]] == [60, 60, 180]
    assert [event["title"] for event in found["existing_events"]] == ["Tea"]
    whole = calendar.get(f"/api/calendar/availability?{ask}").json["available_slots"]
    assert [slot["start"][5:16] for slot in whole] == ["03-07T00:00", "03-07T11:00"]
    for wrong in ("&day_start=12:00&day_end=09:00", "&day_start=25:00", "&min_minutes=1"):
        assert calendar.get(f"/api/calendar/availability?{ask}{wrong}").status == 422


# -- somebody else's change ------------------------------------------------------------------------


def test_what_was_changed_since_it_was_read_is_not_written_over(calendar: Any) -> None:
    made = make(calendar, "Tea", "03-04T10:00", "03-04T11:00")
    place = f"/api/calendar/events/{quote(made['id'], safe='')}"
    seen = calendar.get(place).json["version"]
    coffee = body("Coffee", "03-04T10:00", "03-04T11:00")
    assert put(calendar, made["id"], coffee, If_Match=f'"{seen}"').status == 200
    for reply in (
        put(calendar, made["id"], body("Cocoa", "03-04T10:00", "03-04T11:00"), If_Match=seen),
        delete(calendar, made["id"], If_Match=seen),
    ):
        assert (reply.status, reply.media_type) == (412, PROBLEM)
        assert "changed elsewhere in the meantime" in reply.json["detail"]
    now = calendar.get(place).json
    assert now["title"] == "Coffee"
    assert delete(calendar, made["id"], If_Match=now["version"]).status == 200


# -- a calendar that others keep -------------------------------------------------------------------


@pytest.fixture
def dav(serve: Any) -> Iterator[tuple[Any, Dav]]:
    """A server whose events lie on a CalDAV server, and that one."""
    kept = Dav()
    with in_thread(kept.answer) as url:
        settings = {"url": f"{url}/dav/", "username": "ada", "password": "sesame"}
        app = serve.app(calendar={"service": "caldav", "time_zone": ZONE, **settings})
        with serve.running(app) as client:
            yield client, kept


def test_events_that_others_keep_are_changed_and_deleted_there(dav: tuple[Any, Dav]) -> None:
    client, kept = dav
    page = client.get(f"/api/calendar/events?start={YEAR}-03-01&end={YEAR}-03-31").json
    assert (page["kept_by"], page["changeable"], page["files"]) == (
        *("the CalDAV calendar", True, False),
    )
    made = make(client, "Talk", "03-06T09:00", "03-06T10:00", recurrence="FREQ=WEEKLY;COUNT=3")
    places = [each["occurrence"] for each in listed(client)]
    once = f"?occurrence={quote(places[1])}"
    moved = put(client, made["id"], body("Moved", "03-14T16:00", "03-14T17:00"), once)
    assert moved.status == 200, moved.body
    assert delete(client, made["id"], f"?occurrence={quote(places[2])}").status == 200
    assert [f"{each['start'][5:16]} {each['title']}" for each in listed(client)] == [
        *("03-06T09:00 Talk", "03-14T16:00 Moved"),
    ]
    # Somebody changes it at the server while the form is open here.
    form = client.get(f"/api/calendar/events/{quote(made['id'], safe='')}").json
    ((path, data),) = kept.files.items()
    kept.files[path] = data.replace(b"SUMMARY:Talk", b"SUMMARY:Lecture")
    late = put(
        *(client, made["id"], body("Speech", "03-06T09:00", "03-06T10:00")),
        If_Match=form["version"],
    )
    assert (late.status, late.media_type) == (412, PROBLEM)
    assert b"SUMMARY:Lecture" in kept.files[path]
    kept.read_only = True
    refused = delete(client, made["id"])
    assert (refused.status, refused.media_type) == (403, PROBLEM)
    assert "does not let you change this event" in refused.json["detail"]
    kept.read_only = False
    assert delete(client, made["id"]).status == 200
    assert kept.files == {}


def test_files_go_in_and_out_where_the_events_are_kept(dav: tuple[Any, Dav]) -> None:
    client, _ = dav
    for reply in (upload(client, file()), client.get("/api/calendar/export")):
        assert (reply.status, reply.media_type) == (400, PROBLEM)
        assert "the CalDAV calendar" in reply.json["detail"]
