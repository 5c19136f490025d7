"""CalDAV, over a real socket, against a server that keeps .ics files in collections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.workspace.calendar_servers import Dav
from tests.workspace.calendars import NOW, TEA, ics, make, times, utc
from tests.workspace.http_server import Answer, serving

from antiphon import ErrorType, ToolError
from antiphon.workspace.calendar import Calendar
from antiphon.workspace.calendar.caldav import CalDavCalendar

pytestmark = pytest.mark.real_time

DAY = (utc("2026-01-13"), utc("2026-01-14"))
WEEKLY = (
    "UID:w\nDTSTART;TZID=Europe/Berlin:20260106T090000\nDTEND;TZID=Europe/Berlin:20260106T100000\n"
    "RRULE:FREQ=WEEKLY\nSUMMARY:Weekly"
)


@asynccontextmanager
async def against(**options: Any) -> AsyncIterator[Any]:
    dav = Dav()
    async with serving(dav.answer) as url:
        given = {"username": "ada", "password": "sesame", **options}
        calendar = CalDavCalendar(
            f"{url}/dav/ada",
            {"primary": "work", "team": "/shared/team/"},
            zone="Europe/Berlin",
            **given,
        )
        try:
            yield calendar, dav
        finally:
            await calendar.close()


async def test_recurring_events_of_the_server_are_followed_here() -> None:
    async with against() as (calendar, dav):
        dav.files["/dav/ada/work/w.ics"] = ics(WEEKLY)
        dav.files["/shared/team/x.ics"] = ics(WEEKLY.replace("T09", "T13").replace("T10", "T14"))
        found = await calendar.occurrences("ada", ("primary", "team", "personal"), *DAY)
        assert times(found) == ["01-13 08:00 01-13 09:00", "01-13 12:00 01-13 13:00"]
        assert [one.calendar for one in found] == ["primary", "team"]
        data = await Calendar(calendar).availability(
            "ada", "2026-01-13T07:00Z", "2026-01-13T10:00Z", now=NOW
        )
        assert [slot["start"] for slot in data["available_slots"]] == [
            "2026-01-13T07:00:00Z",
            "2026-01-13T09:00:00Z",
        ]


async def test_an_event_is_put_where_nothing_is_and_read_back() -> None:
    async with against() as (calendar, dav):
        data = await make(
            Calendar(calendar),
            start="2026-01-13T15:00",
            end="2026-01-13T16:00",
            time_zone="Europe/Berlin",
        )
        assert data["invitations"] == "by_server"
        ((path, written),) = dav.files.items()
        assert path.startswith("/dav/ada/work/")
        assert data["link"].endswith(path)
        assert b"BEGIN:VTIMEZONE" in written
        assert b"ATTENDEE:mailto:ana@example.com" in written
        assert times(await calendar.occurrences("ada", ("primary",), *DAY)) == [
            "01-13 14:00 01-13 15:00"
        ]


async def test_the_same_key_makes_one_event_and_leaves_what_somebody_changed() -> None:
    async with against() as (calendar, dav):
        await make(Calendar(calendar))
        (path,) = dav.files
        dav.files[path] = dav.files[path].replace(b"Design review", b"Changed")
        await make(Calendar(calendar))
        assert b"Changed" in dav.files[path]
        assert len(dav.files) == 1


async def test_two_that_make_it_at_the_same_time_make_one_event() -> None:
    """Neither has found it when they begin; the server refuses to put it twice."""

    async with against() as (calendar, dav):
        await calendar.create("ada", TEA, "k")
        (path,) = dav.files
        dav.files[path] = dav.files[path].replace(b"Tea", b"Coffee")
        again = await calendar.create("ada", TEA, "k")
        assert again.event.title == "Coffee"
        assert b"Coffee" in dav.files[path]
        dav.files[path] = dav.files[path].replace(b"DTSTAMP", b"STATUS:CANCELLED\r\nDTSTAMP")
        with pytest.raises(ToolError, match="has been cancelled since"):
            await calendar.create("ada", TEA, "k")


async def test_an_answer_that_is_lost_makes_no_second_event() -> None:
    async with against() as (calendar, dav):
        dav.lost = True
        assert (await make(Calendar(calendar)))["title"] == "Design review"
        assert len(dav.files) == 1


async def test_an_event_that_cannot_be_followed_is_named_and_not_passed_over() -> None:
    async with against() as (calendar, dav):
        dav.files["/dav/ada/work/w.ics"] = ics(WEEKLY.replace("WEEKLY", "WEEKLY;INTERVAL=0"))
        with pytest.raises(ToolError, match="'Weekly': RRULE: INTERVAL=0") as caught:
            await calendar.busy("ada", ("primary",), *DAY)
        assert caught.value.type is ErrorType.PERMANENT


BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'


@pytest.mark.parametrize(
    ("fault", "type", "said"),
    [
        (Answer(403), "AUTH", "re-authentication required"),
        (Answer(404), "NOT_FOUND", "has no such calendar"),
        (Answer(429), "RATE_LIMIT", "rate limit exceeded"),
        (Answer(500), "TRANSIENT", "is in trouble"),
        (Answer(302, b"", {"location": "http://127.0.0.1:1/"}), "PERMANENT", "refused"),
        (Answer(207, b"<half"), "PERMANENT", "its XML cannot be read"),
        (Answer(207, BOMB), "PERMANENT", "it defines a document type"),
    ],
)
async def test_what_goes_wrong_there_is_said_in_our_words(
    fault: Answer, type: str, said: str
) -> None:
    async with against() as (calendar, dav):
        dav.faults = [fault]
        with pytest.raises(ToolError) as caught:
            await calendar.busy("ada", ("primary",), *DAY)
        assert caught.value.type == type
        assert said in caught.value.message


async def test_a_wrong_password_is_an_auth_error_that_does_not_tell_it() -> None:
    async with against(password="hunter2") as (calendar, dav):
        with pytest.raises(ToolError) as caught:
            await calendar.busy("ada", ("primary",), *DAY)
        assert caught.value.type is ErrorType.AUTH
        assert "hunter2" not in caught.value.message


async def test_a_token_serves_instead_of_a_password() -> None:
    async with against(username=None, password=None, token="tok") as (calendar, dav):
        dav.allowed = "Bearer tok"
        assert await calendar.busy("ada", ("primary",), *DAY) == []


@pytest.mark.parametrize("url", ["", "dav.example.com", "ftp://x/", "https://u:p@host/"])
def test_an_address_that_cannot_be_one_is_refused(url: str) -> None:
    with pytest.raises(ToolError, match=r"check `calendar.url`"):
        CalDavCalendar(url)
