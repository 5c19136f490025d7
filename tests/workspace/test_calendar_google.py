"""Google Calendar, over a real socket, against a server that speaks the few endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.workspace.calendar_servers import Google
from tests.workspace.calendars import NOW, TEA, make, utc
from tests.workspace.http_server import Answer, HangUp, Request, serving

from antiphon import ErrorType, ToolError
from antiphon.workspace.calendar import Calendar
from antiphon.workspace.calendar.google import GoogleCalendar
from antiphon.workspace.calendar.google_requests import GoogleAccess
from antiphon.workspace.calendar.meetings import FixedLink, GoogleMeetLinks

DAY = (utc("2026-01-13"), utc("2026-01-14"))


def event(id: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "start": {"dateTime": start}, "end": {"dateTime": end}, **more}


@asynccontextmanager
async def against(access: GoogleAccess | None = None, **options: Any) -> AsyncIterator[Any]:
    google = Google()
    async with serving(google.answer) as url:
        given = access or GoogleAccess(token="good-token")
        if given.refresh_token:
            given = GoogleAccess(
                given.token, given.refresh_token, "client", "secret", f"{url}/token"
            )
        names = {"primary": "primary", "team": "crew@example.com"}
        options.setdefault("names", names)
        calendar = GoogleCalendar(given, base_url=url, zone="Europe/Berlin", **options)
        try:
            yield calendar, google
        finally:
            await calendar.close()


@pytest.mark.real_time
async def test_availability_asks_for_busy_times_only() -> None:
    async with against() as (calendar, google):
        google.events["primary"].append(
            event("a", "2026-01-13T15:00:00+01:00", "2026-01-13T16:00:00+01:00", summary="Secret")
        )
        data = await Calendar(calendar).availability(
            "ada", "2026-01-13T12:00:00Z", "2026-01-13T17:00:00Z", now=NOW
        )
        assert [slot["start"] for slot in data["available_slots"]] == [
            "2026-01-13T12:00:00Z",
            "2026-01-13T15:00:00Z",
        ]
        assert [request.path for request in google.requests] == ["/freeBusy"]


@pytest.mark.real_time
async def test_details_come_from_the_events_on_every_page() -> None:
    async with against() as (calendar, google):
        google.page = 2
        google.events["primary"] += [
            event("a", "2026-01-13T09:00:00Z", "2026-01-13T10:00:00Z", summary="One"),
            event("b", "2026-01-13T10:00:00Z", "2026-01-13T11:00:00Z", status="cancelled"),
            {"id": "c", "start": {"date": "2026-01-13"}, "end": {"date": "2026-01-14"}},
            event(
                *("d", "2026-01-13T12:00:00Z", "2026-01-13T13:00:00Z"),
                transparency="transparent",
                attendees=[{"email": "a@example.com"}],
            ),
            event("e", "2026-01-13T14:00:00Z", "2026-01-13T15:00:00Z", status="tentative"),
        ]
        found = await calendar.occurrences("ada", ("primary",), *DAY)
        assert [(one.uid, one.status) for one in found] == [
            *(("a", "busy"), ("c", "busy"), ("d", "free"), ("e", "tentative"))
        ]
        assert found[1].all_day
        assert f"{found[1].start:%d %H:%M} {found[1].end:%d %H:%M}" == "12 23:00 13 23:00"


@pytest.mark.real_time
async def test_an_event_is_made_under_an_id_of_its_own_and_invitations_are_sent() -> None:
    async with against() as (calendar, google):
        data = await make(
            Calendar(calendar),
            start="2026-01-13T15:00",
            end="2026-01-13T16:00",
            time_zone="Europe/Berlin",
            recurrence="FREQ=WEEKLY",
        )
        assert data["start"] == "2026-01-13T15:00:00+01:00"
        assert data["invitations"] == "sent"
        assert data["link"] == "https://calendar.example/e"
        (made,) = google.events["primary"]
        assert made["start"] == {
            "dateTime": "2026-01-13T15:00:00+01:00",
            "timeZone": "Europe/Berlin",
        }
        assert made["attendees"] == [{"email": "ana@example.com"}]
        assert made["recurrence"] == ["RRULE:FREQ=WEEKLY"]
        assert set(made["id"]) <= set("0123456789abcdefghijklmnopqrstuv")
        post = next(r for r in google.requests if r.method == "POST" and r.path != "/freeBusy")
        assert post.query == {"sendUpdates": "all"}


@pytest.mark.real_time
async def test_a_google_meet_link_is_made_with_the_event() -> None:
    async with against() as (calendar, google):
        meeting = Calendar(calendar, meetings=GoogleMeetLinks())
        wish: dict[str, Any] = {
            "title": "Tea",
            "start": "2026-01-13T14:00Z",
            "end": "2026-01-13T15:00Z",
        }
        now = datetime(2026, 1, 12, tzinfo=UTC)
        made = await meeting.create("ada", "k", now=now, meeting_link=True, **wish)
        assert made["meeting_link"] == "https://meet.google.example/abc"
        assert made["warnings"] == []
        (kept,) = google.events["primary"]
        assert kept["conferenceData"]["createRequest"]["conferenceSolutionKey"] == {
            "type": "hangoutsMeet"
        }
        again = await meeting.create("ada", "k", now=now, meeting_link=True, **wish)
        assert again["meeting_link"] == made["meeting_link"]
        room = Calendar(calendar, meetings=FixedLink("https://room.example/1"))
        for _ in range(2):  # made, and found again
            other = await room.create(
                "ada", "k2", now=now, meeting_link=True, allow_overlap=True, **wish
            )
            assert other["meeting_link"] == "https://room.example/1"


@pytest.mark.real_time
async def test_whole_days_are_days_there_and_may_leave_the_time_free() -> None:
    async with against() as (calendar, google):
        days = {"start": "2026-01-13", "end": "2026-01-14", "all_day": True}
        await make(Calendar(calendar), time_zone="Europe/Berlin", status="free", **days)
        (made,) = google.events["primary"]
        # Google's end is the day after the last one.
        assert (made["start"], made["end"]) == ({"date": "2026-01-13"}, {"date": "2026-01-15"})
        assert made["transparency"] == "transparent"
        within = (utc("2026-01-12T00:00:00"), utc("2026-01-16T00:00:00"))
        (one,) = await calendar.occurrences("ada", ("primary",), *within)
        assert one.days is not None
        assert [str(day) for day in one.days] == ["2026-01-13", "2026-01-14"]
        assert (one.status, one.all_day) == ("free", True)


@pytest.mark.real_time
async def test_the_same_key_makes_one_event() -> None:
    async with against() as (calendar, google):
        first = await make(Calendar(calendar))
        assert await make(Calendar(calendar)) == first
        assert len(google.events["primary"]) == 1


@pytest.mark.real_time
async def test_two_that_make_it_at_the_same_time_make_one_event() -> None:
    """Neither has found it when they begin; Google refuses the second id."""

    async with against() as (calendar, google):
        made = await asyncio.gather(*(calendar.create("ada", TEA, "k") for _ in range(3)))
        assert len({one.id for one in made}) == 1
        assert len(google.events["primary"]) == 1
        google.events["primary"][0]["status"] = "cancelled"
        with pytest.raises(ToolError, match="made and deleted again"):
            await calendar.create("ada", TEA, "k")


@pytest.mark.real_time
async def test_an_answer_that_is_lost_makes_no_second_event() -> None:
    async with against() as (calendar, google):
        google.lost = True
        data = await make(Calendar(calendar))
        assert data["title"] == "Design review"
        assert len(google.events["primary"]) == 1


@pytest.mark.real_time
async def test_when_nobody_can_say_what_became_of_it_that_is_said() -> None:
    async with against() as (calendar, google):

        async def hang_up(request: Request) -> Answer:
            if request.method == "POST" and request.path != "/freeBusy":
                google.faults = [Answer(503)]
                raise HangUp
            return await google.answer(request)

        async with serving(hang_up) as url:
            broken = GoogleCalendar(GoogleAccess(token="good-token"), base_url=url)
            with pytest.raises(ToolError) as caught:
                await make(Calendar(broken))
            await broken.close()
        assert caught.value.type is ErrorType.TRANSIENT
        assert caught.value.body["partialSideEffects"] is True
        assert "may have been created" in caught.value.message


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("fault", "type", "said"),
    [
        (Answer(403, {"error": {"message": "no scope"}}), "AUTH", "re-authentication required"),
        (Answer(429, {}, {"retry-after": "7"}), "RATE_LIMIT", "rate limit exceeded"),
        (
            Answer(403, {"error": {"errors": [{"reason": "userRateLimitExceeded"}]}}),
            *("RATE_LIMIT", "rate limit exceeded"),
        ),
        (Answer(503), "TRANSIENT", "is in trouble"),
        (Answer(400, {"error": {"message": "Bad Request"}}), "PERMANENT", "Bad Request"),
        (Answer(200, b"<html>"), "PERMANENT", "did not answer as it should"),
        (Answer(200, {"calendars": 7}), "PERMANENT", "did not answer as it should"),
    ],
)
async def test_what_goes_wrong_there_is_said_in_our_words(
    fault: Answer, type: str, said: str
) -> None:
    async with against() as (calendar, google):
        google.faults = [fault]
        with pytest.raises(ToolError) as caught:
            await calendar.busy("ada", ("primary",), *DAY)
        assert caught.value.type == type
        assert said in caught.value.message
        if fault.status == 429:
            assert caught.value.body["retryAfter"] == 7


@pytest.mark.real_time
async def test_a_calendar_that_is_not_there_or_not_configured_is_named() -> None:
    async with against() as (calendar, google):
        with pytest.raises(ToolError, match="No calendar called personal is configured"):
            await calendar.busy("ada", ("personal",), *DAY)
        del google.events["crew@example.com"]
        with pytest.raises(ToolError, match=r"has no such calendar .*team: notFound"):
            await calendar.busy("ada", ("team",), *DAY)


@pytest.mark.real_time
async def test_access_that_has_run_out_is_renewed() -> None:
    async with against(GoogleAccess(token="old-token", refresh_token="refresh")) as (
        calendar,
        google,
    ):
        assert await calendar.busy("ada", ("primary",), *DAY) == []
        assert [request.path for request in google.requests] == ["/freeBusy", "/token", "/freeBusy"]
        await calendar.busy("ada", ("primary",), *DAY)
        assert len(google.requests) == 4


def test_access_that_cannot_be_renewed_or_is_missing_is_asked_for() -> None:
    async def scenario(calendar: GoogleCalendar, google: Google) -> None:
        with pytest.raises(ToolError, match="invalid_grant") as caught:
            await calendar.busy("ada", ("primary",), *DAY)
        assert caught.value.type is ErrorType.AUTH

    run_in(against(GoogleAccess(refresh_token="revoked")), scenario)

    async def without(calendar: GoogleCalendar, google: Google) -> None:
        with pytest.raises(ToolError, match=r"set `calendar.token`"):
            await calendar.busy("ada", ("primary",), *DAY)
        assert google.requests == []

    run_in(against(GoogleAccess()), without)


@pytest.mark.real_time
async def test_a_server_that_is_not_there_is_transient_and_no_secret_is_told() -> None:
    calendar = GoogleCalendar(GoogleAccess(token="sesame"), base_url="http://127.0.0.1:1")
    with pytest.raises(ToolError) as caught:
        await calendar.busy("ada", ("primary",), *DAY)
    await calendar.close()
    assert caught.value.type is ErrorType.TRANSIENT
    assert "sesame" not in caught.value.message
