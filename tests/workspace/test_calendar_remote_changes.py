"""Events that others keep are changed and deleted there, and never over somebody else's change."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.workspace.calendar_servers import Dav, Google
from tests.workspace.calendars import NOW, ics, make, times, utc
from tests.workspace.http_server import Answer, HangUp, Request, serving

from antiphon import ErrorType, ToolError
from antiphon.workspace.calendar import Calendar, NewEvent, WritableCalendar
from antiphon.workspace.calendar.caldav import CalDavCalendar
from antiphon.workspace.calendar.google import GoogleCalendar
from antiphon.workspace.calendar.google_requests import GoogleAccess
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.validation import parse_event

pytestmark = pytest.mark.real_time

BERLIN = zone_named("Europe/Berlin")
MONTHS = (utc("2026-01-01T00:00:00"), utc("2026-05-01T00:00:00"))
Remote = CalDavCalendar | GoogleCalendar
Server = Dav | Google
Scenario = Callable[[Any, Any], Awaitable[None]]
Attempt = Callable[[], Awaitable[Any]]
SERVICES = pytest.mark.parametrize("service", ["caldav", "google"])


@asynccontextmanager
async def opened(service: str, answer: Any) -> Any:
    async with serving(answer) as url:
        calendar: Remote
        if service == "caldav":
            calendar = CalDavCalendar(
                f"{url}/dav/ada/",
                {"primary": "work"},
                username="ada",
                password="sesame",
                zone="Europe/Berlin",
            )
        else:
            access = GoogleAccess(token="good-token")
            calendar = GoogleCalendar(access, base_url=url, zone="Europe/Berlin")
        try:
            yield calendar
        finally:
            await calendar.close()


@asynccontextmanager
async def against(service: str) -> AsyncIterator[Any]:
    server: Server = Dav() if service == "caldav" else Google()
    async with opened(service, server.answer) as calendar:
        assert isinstance(calendar, WritableCalendar)
        yield calendar, server


def event(**changes: Any) -> NewEvent:
    """The review with something else in it."""
    body: dict[str, Any] = {
        "title": "Review",
        "start": "2026-03-16T09:00",
        "end": "2026-03-16T10:00",
        "time_zone": "Europe/Berlin",
        "attendees": ["ana@example.com"],
    }
    return parse_event(default=BERLIN, **{**body, **changes})


async def made(calendar: Remote, **changes: Any) -> str:
    """The id of the review that is there."""
    return (await calendar.create("ada", event(**changes), "k")).event.uid


async def starts(calendar: Remote) -> list[str]:
    """In Berlin."""
    found = await calendar.occurrences("ada", ("primary",), *MONTHS)
    shown = sorted(found, key=lambda one: one.start)
    return [f"{one.start.astimezone(BERLIN):%m-%d %H:%M} {one.title}" for one in shown]


def kept(server: Server) -> Any:
    """Everything that the server has."""
    return dict(server.files) if isinstance(server, Dav) else repr(server.events)


def elsewhere(server: Server) -> None:
    """Somebody else gives it another title."""
    if isinstance(server, Dav):
        ((path, data),) = server.files.items()
        data = data.replace(b"SUMMARY:", b"X-AGAIN:1\r\nSUMMARY:")
        server.files[path] = data.replace(b"Review", b"Retro")
    else:
        (one,) = server.events["primary"]
        server.events["primary"] = [server.stamped({**one, "summary": "Retro"})]


@pytest.mark.real_time
@SERVICES
async def test_an_event_is_read_changed_and_deleted(service: str) -> None:
    async with against(service) as (calendar, _server):
        uid = await made(calendar, location="Attic")
        before = await calendar.read("ada", "primary", uid)
        assert before is not None
        assert (before.title, before.location, before.zone) == ("Review", "Attic", "Europe/Berlin")
        assert (before.attendees, before.recurring) == (("ana@example.com",), False)
        assert f"{before.start:%H:%M}" == "09:00"
        new = event(title="Retro", start="2026-03-17T14:00", end="2026-03-17T15:30")
        assert await calendar.change("ada", uid, new, None, before.version) == 0
        after = await calendar.read("ada", "primary", uid)
        assert after is not None
        assert (after.title, after.location) == ("Retro", "")
        assert after.version != before.version
        assert times(await calendar.occurrences("ada", ("primary",), *MONTHS)) == [
            "03-17 13:00 03-17 14:30"
        ]
        assert await calendar.remove("ada", "primary", uid, None, after.version)
        assert await starts(calendar) == []
        assert await calendar.read("ada", "primary", uid) is None
        assert await calendar.change("ada", uid, new) is None
        assert not await calendar.remove("ada", "primary", uid)


@pytest.mark.real_time
@SERVICES
async def test_what_was_changed_elsewhere_meanwhile_is_not_written_over(service: str) -> None:
    async with against(service) as (calendar, server):
        uid = await made(calendar)
        before = await calendar.read("ada", "primary", uid)
        assert before is not None
        elsewhere(server)
        there = kept(server)
        attempts: list[Attempt] = [
            lambda: calendar.change("ada", uid, event(title="Mine"), None, before.version),
            lambda: calendar.remove("ada", "primary", uid, None, before.version),
        ]
        for attempt in attempts:
            with pytest.raises(ToolError, match="changed elsewhere in the meantime") as caught:
                await attempt()
            assert caught.value.type is ErrorType.CONFLICT
        assert kept(server) == there


@SERVICES
async def test_a_change_between_our_look_and_our_write_is_not_written_over_either(
    service: str,
) -> None:
    server: Server = Dav() if service == "caldav" else Google()

    async def answer(request: Request) -> Answer:
        if request.method in ("PATCH", "DELETE") or "if-match" in request.headers:
            elsewhere(server)
        return await server.answer(request)

    async with opened(service, answer) as calendar:
        uid = await made(calendar)
        attempts: list[Attempt] = [
            lambda: calendar.change("ada", uid, event(title="Mine")),
            lambda: calendar.remove("ada", "primary", uid),
        ]
        for attempt in attempts:
            with pytest.raises(ToolError, match="changed elsewhere in the meantime"):
                await attempt()
        assert await starts(calendar) == ["03-16 09:00 Retro"]


@pytest.mark.real_time
@SERVICES
async def test_one_time_of_a_series_is_moved_and_left_out_over_a_change_of_clocks(
    service: str,
) -> None:
    async with against(service) as (calendar, _server):
        weekly = {"recurrence": "FREQ=WEEKLY;COUNT=4"}
        uid = await made(calendar, **weekly)
        found = await calendar.occurrences("ada", ("primary",), *MONTHS)
        places = sorted(one.place for one in found if one.place is not None)
        # Clocks go forward on the 29th: the hour on the wall stays.
        assert [f"{at:%m-%d %H}" for at in places] == [
            "03-16 08",
            "03-23 08",
            "03-30 07",
            "04-06 07",
        ]
        once = event(title="Moved", start="2026-03-31T16:00", end="2026-03-31T17:00")
        assert await calendar.change("ada", uid, once, places[2]) == 0
        read = await calendar.read("ada", "primary", uid, places[2])
        assert read is not None
        assert (read.title, read.recurrence, read.recurring) == ("Moved", None, True)
        assert await calendar.remove("ada", "primary", uid, places[1])
        assert await calendar.read("ada", "primary", uid, places[1]) is None
        assert not await calendar.remove("ada", "primary", uid, places[1])
        assert await starts(calendar) == [
            *("03-16 09:00 Review", "03-31 16:00 Moved", "04-06 09:00 Review"),
        ]
        series = await calendar.read("ada", "primary", uid)
        assert series is not None
        assert (series.recurrence, series.exceptions) == ("FREQ=WEEKLY;COUNT=4", 2)
        later = event(start="2026-03-16T11:00", end="2026-03-16T12:00", **weekly)
        assert await calendar.change("ada", uid, later, None, series.version) == 2
        assert await starts(calendar) == [
            *("03-16 11:00 Review", "03-23 11:00 Review", "03-30 11:00 Review"),
            "04-06 11:00 Review",
        ]
        assert await calendar.remove("ada", "primary", uid)
        assert await starts(calendar) == []


@pytest.mark.real_time
@SERVICES
async def test_whole_days_are_left_out_and_become_hours(service: str) -> None:
    async with against(service) as (calendar, _server):
        days = {"start": "2026-03-28", "end": "2026-03-28", "all_day": True}
        uid = await made(calendar, recurrence="FREQ=DAILY;COUNT=3", **days)
        found = await calendar.occurrences("ada", ("primary",), *MONTHS)
        second = sorted(one.place for one in found if one.place is not None)[1]
        assert await calendar.remove("ada", "primary", uid, second)
        assert [each[:5] for each in await starts(calendar)] == ["03-28", "03-30"]
        read = await calendar.read("ada", "primary", uid)
        assert read is not None
        assert read.all_day
        assert await calendar.change("ada", uid, event()) is not None
        assert await starts(calendar) == ["03-16 09:00 Review"]
        assert await calendar.change("ada", uid, event(**days)) == 0
        (one,) = await calendar.occurrences("ada", ("primary",), *MONTHS)
        assert one.days is not None
        assert [f"{day:%m-%d}" for day in one.days] == ["03-28", "03-28"]


@pytest.mark.real_time
@SERVICES
async def test_a_server_that_refuses_is_quoted_and_nothing_is_changed(service: str) -> None:
    async with against(service) as (calendar, server):
        uid = await made(calendar)
        server.read_only = True
        there = kept(server)
        said = "need-privileges" if service == "caldav" else "only be changed by the organizer"
        attempts: list[Attempt] = [
            lambda: calendar.change("ada", uid, event(title="Mine")),
            lambda: calendar.remove("ada", "primary", uid),
        ]
        for attempt in attempts:
            with pytest.raises(ToolError, match="does not let you change this event") as caught:
                await attempt()
            assert caught.value.type is ErrorType.AUTH
            assert said in caught.value.message
            assert "Nothing was changed" in caught.value.message
        assert kept(server) == there


@pytest.mark.real_time
@SERVICES
async def test_an_answer_that_is_lost_is_looked_after(service: str) -> None:
    async with against(service) as (calendar, server):
        uid = await made(calendar)
        server.lost = True
        assert await calendar.change("ada", uid, event(title="Mine")) == 0
        assert await starts(calendar) == ["03-16 09:00 Mine"]
        server.lost = True
        assert await calendar.remove("ada", "primary", uid)
        assert await starts(calendar) == []


@SERVICES
@pytest.mark.parametrize("reached", [True, False])
async def test_a_change_that_did_not_arrive_says_whether_that_is_known(
    service: str, reached: bool
) -> None:
    server: Server = Dav() if service == "caldav" else Google()
    cut = False

    async def answer(request: Request) -> Answer:
        nonlocal cut
        if request.headers.get("if-match") or (cut and not reached):
            cut = True
            raise HangUp
        return await server.answer(request)

    async with opened(service, answer) as calendar:
        uid = await made(calendar)
        with pytest.raises(ToolError) as caught:
            await calendar.change("ada", uid, event(title="Mine"))
    error = caught.value
    assert error.type is ErrorType.TRANSIENT
    assert ("may have been changed all the same" in error.message) is not reached
    assert bool(error.body["partialSideEffects"]) is not reached


@pytest.mark.real_time
@SERVICES
async def test_whoever_stays_invited_keeps_their_answer(service: str) -> None:
    async with against(service) as (calendar, server):
        uid = await made(calendar)
        if isinstance(server, Dav):
            ((path, data),) = server.files.items()
            answer = b"ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@"
            data = data.replace(b"ATTENDEE:mailto:ana@", answer)
            server.files[path] = data.replace(b"SUMMARY", b"X-COLOUR:blue\r\nSUMMARY")
        else:
            answers = [{"email": "ana@example.com", "responseStatus": "accepted"}]
            server.events["primary"][0] |= {"attendees": answers, "colorId": "9"}
        people = ["ana@example.com", "bo@example.com"]
        assert await calendar.change("ada", uid, event(attendees=people)) == 0
        read = await calendar.read("ada", "primary", uid)
        assert read is not None
        assert set(read.attendees) == set(people)
        text = repr(kept(server))
        assert ("PARTSTAT=ACCEPTED" if service == "caldav" else "accepted") in text
        assert ("X-COLOUR:blue" if service == "caldav" else "colorId") in text
        if isinstance(server, Google):
            assert server.requests[-2].query == {"sendUpdates": "all"}


@pytest.mark.real_time
@SERVICES
async def test_a_person_changes_it_as_one_of_their_own(service: str) -> None:
    """Through what the routes use: what is in the way counts, and the event itself is not."""

    async with against(service) as (calendar, _server):
        own = Calendar(calendar, zone="Europe/Berlin")
        await make(
            own, "other", title="Tea", start="2026-03-16T11:00:00Z", end="2026-03-16T12:00:00Z"
        )
        uid = await made(calendar)
        before = await calendar.read("ada", "primary", uid)
        assert before is not None
        longer = event(end="2026-03-16T10:30")
        done = await own.change("ada", before, longer, None, now=NOW)
        assert done == {"overlaps": [], "warnings": []}
        again = await calendar.read("ada", "primary", uid)
        assert again is not None
        onto = event(start="2026-03-16T12:30", end="2026-03-16T13:30")
        with pytest.raises(ToolError, match="'Tea'"):
            await own.change("ada", again, onto, None, now=NOW)
        with pytest.raises(ToolError, match="changed elsewhere"):
            await own.change("ada", before, event(title="Mine"), None, now=NOW)


# -- CalDAV alone ----------------------------------------------------------------------------------

LUNCH = "UID:a&b\nSUMMARY:Lunch\nDTSTART:20260316T120000Z\nDTEND:20260316T130000Z"
TWIN = LUNCH.replace("a&b", "a&b&c")


@pytest.mark.real_time
async def test_an_event_is_found_by_its_whole_name_wherever_it_lies() -> None:
    async with against("caldav") as (calendar, server):
        server.files["/dav/ada/work/1.ics"] = ics(TWIN)
        server.files["/dav/ada/work/some where.ics"] = ics(LUNCH)
        new = event(title="Dinner", attendees=[])
        assert await calendar.change("ada", "a&b", new) == 0
        assert b"Dinner" in server.files["/dav/ada/work/some where.ics"]
        assert server.files["/dav/ada/work/1.ics"] == ics(TWIN)


@pytest.mark.real_time
async def test_what_could_lose_something_is_refused() -> None:
    async with against("caldav") as (calendar, server):
        server.files["/dav/ada/work/1.ics"] = ics(LUNCH, TWIN)
        with pytest.raises(ToolError, match="in one file with others"):
            await calendar.remove("ada", "primary", "a&b")
        server.files["/dav/ada/work/1.ics"] = ics(LUNCH)
        server.tags = False
        with pytest.raises(ToolError, match="no getetag"):
            await calendar.read("ada", "primary", "a&b")
        server.tags, server.host = True, "http://127.0.0.1:9"
        with pytest.raises(ToolError, match="on another host"):
            await calendar.remove("ada", "primary", "a&b")
        assert server.files["/dav/ada/work/1.ics"] == ics(LUNCH)
