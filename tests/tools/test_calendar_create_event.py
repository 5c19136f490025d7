"""calendar_create_event: asked first, made once, never in the past or over something unasked."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tests.scenarios import run_in
from tests.tools.calendar_world import MONDAY, World, within
from tests.tools.kb_world import registry
from tests.workspace.calendars import ics, utc
from tests.workspace.http_server import Answer, Request, in_thread, serving

from antiphon import ErrorType, Orchestrator, ToolCall, ToolError
from antiphon.agents.profiles import load_profile
from antiphon.storage import Store
from antiphon.workspace.calendar import Calendar, LocalCalendar
from antiphon.workspace.calendar.meetings import FixedLink, JitsiLinks
from antiphon.workspace.calendar.zoom import ZoomLinks

TOOL = "calendar_create_event"
REVIEW: dict[str, Any] = {
    "title": "Design review",
    "start_time": "2026-01-13T14:00:00Z",
    "end_time": "2026-01-13T15:00:00Z",
    "attendees": ["ana@example.com"],
}
LUNCH = "UID:lunch\nDTSTART:20260113T143000Z\nDTEND:20260113T153000Z\nSUMMARY:Secret lunch"
DAY = (utc("2026-01-13"), utc("2026-01-14"))


async def titles(world: World, *range: datetime) -> list[str]:
    found = await world.calendar.events("ada", *(range or DAY))
    return [event["title"] for event in found]


@pytest.mark.real_time
async def test_the_person_is_asked_before_anything_is_created() -> None:
    async with within() as world:
        error = await world.error(TOOL, **REVIEW)
        assert error["type"] == "CONFIRMATION_REQUIRED"
        assert await titles(world) == []
        (asked,) = [m for m in world.messages if m["type"] == "confirmation_required"]
        shown = str(asked["preview"])
        assert "Tuesday 13 January 2026, 14:00 UTC" in shown
        assert "ana@example.com" in shown
        # In the zone of the calendar, as nothing is known of the person's.
        assert asked["title"] == (
            "Add “Design review”, Tue 13 Jan 15:00\u201316:00 CET, and invite ana@example.com?"
        )
        others = {"attendees": [f"{name}@x.org" for name in "abcd"], "recurrence": "FREQ=DAILY"}
        night = {"end_time": "2026-01-14T09:00", "time_zone": "Asia/Tokyo", **others}
        world.session.set_time_zone("Asia/Tokyo")
        await world.error(TOOL, **{**REVIEW, **night})
        assert world.messages[-1]["title"] == (
            "Add “Design review”, Tue 13 Jan 23:00 to Wed 14 Jan 09:00, repeating, "
            "and invite a@x.org, b@x.org and 2 others?"
        )


@pytest.mark.real_time
async def test_an_approved_event_is_in_the_calendar() -> None:
    async with within() as world:
        envelope = await world.confirmed(TOOL, **REVIEW, description="Agenda", location="Room 2")
        data = envelope["data"]
        assert (data["start"], data["end"]) == ("2026-01-13T14:00:00Z", "2026-01-13T15:00:00Z")
        assert data["overlaps"] == []
        assert data["invitations"] == "not_sent"
        (event,) = await world.calendar.events("ada", *DAY)
        assert event["uid"] == data["event_id"]
        assert (event["title"], event["attendees"]) == ("Design review", 1)
        assert (event["description"], event["location"]) == ("Agenda", "Room 2")


@pytest.mark.real_time
async def test_a_denied_event_is_not_created() -> None:
    async with within() as world:
        envelope = await world.confirmed(TOOL, yes=False, **REVIEW)
        assert not envelope["ok"]
        assert await titles(world) == []


@pytest.mark.real_time
async def test_time_that_is_taken_is_refused_with_what_is_there_but_not_what_it_is() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(LUNCH), "personal")
        error = (await world.confirmed(TOOL, **REVIEW))["error"]
        assert error["type"] == "CONFLICT"
        assert "Nothing was created: this time is taken by 1 event" in error["message"]
        assert [one["start"] for one in error["overlaps"]] == ["2026-01-13T14:30:00Z"]
        assert "Secret" not in str(error)
        assert await titles(world) == ["Secret lunch"]

        data = (await world.confirmed(TOOL, **REVIEW, allow_overlap=True))["data"]
        assert "It overlaps with 1 other event." in data["warnings"]
        assert await titles(world) == ["Design review", "Secret lunch"]


@pytest.mark.real_time
async def test_events_that_touch_do_not_overlap() -> None:
    async with within() as world:
        after = LUNCH.replace("T1430", "T1500").replace("T1530", "T1600")
        await world.local.import_ics("ada", ics(after))
        assert (await world.confirmed(TOOL, **REVIEW))["ok"]


@pytest.mark.real_time
async def test_a_recurring_event_is_compared_with_the_weeks_to_come() -> None:
    async with within() as world:
        later = LUNCH.replace("20260113", "20260127")
        await world.local.import_ics("ada", ics(later))
        error = (await world.confirmed(TOOL, **REVIEW, recurrence="FREQ=WEEKLY"))["error"]
        assert error["type"] == "CONFLICT"
        assert [one["start"] for one in error["overlaps"]] == ["2026-01-27T14:30:00Z"]


@pytest.mark.real_time
async def test_a_recurring_event_keeps_its_hour_in_its_time_zone() -> None:
    async with within() as world:
        data = (
            await world.confirmed(
                TOOL,
                title="Stand-up",
                start_time="2026-01-19T09:00",
                end_time="2026-01-19T09:15",
                time_zone="Europe/Berlin",
                attendees=["team@example.com"],
                calendar="team",
                recurrence="FREQ=WEEKLY;BYDAY=MO",
            )
        )["data"]
        assert data["start"] == "2026-01-19T09:00:00+01:00"
        assert data["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
        found = await world.calendar.events("ada", utc("2026-03-23"), utc("2026-04-01"))
        assert [event["start"] for event in found] == [
            "2026-03-23T08:00:00Z",
            "2026-03-30T07:00:00Z",
        ]


@pytest.mark.real_time
@pytest.mark.parametrize("offset", ["+02:00", "+01:00"])
async def test_both_of_the_hours_that_come_twice_can_be_had(offset: str) -> None:
    async with within() as world:
        hour = {
            "start_time": f"2026-10-25T02:00:00{offset}",
            "end_time": f"2026-10-25T02:45:00{offset}",
            "time_zone": "Europe/Berlin",
        }
        data = (await world.confirmed(TOOL, **{**REVIEW, **hour}))["data"]
        assert (data["start"], data["end"]) == (hour["start_time"], hour["end_time"])


def shown_link(world: World) -> tuple[str, str]:
    """What the person is told about the link: in the text, and in its field."""
    (asked,) = [m for m in world.messages if m["type"] == "confirmation_required"]
    (field,) = [each for each in asked["fields"] if each["name"] == "include_zoom_link"]
    return asked["preview"], field["display"]


def test_the_link_of_the_meeting_room_is_added_or_said_to_be_missing() -> None:
    async def scenario(world: World) -> None:
        data = (await world.confirmed(TOOL, **REVIEW))["data"]
        assert data["meeting_link"] == "https://zoom.example/j/1"
        assert "https://zoom.example/j/1" in shown_link(world)[1]
        (event,) = await world.calendar.events("ada", *DAY)
        assert event["location"] == "https://zoom.example/j/1"

    run_in(within(meetings=FixedLink("https://zoom.example/j/1")), scenario)

    async def without(world: World) -> None:
        data = (await world.confirmed(TOOL, **REVIEW))["data"]
        assert data["meeting_link"] is None
        assert any("No link for an online meeting" in said for said in data["warnings"])
        text, field = shown_link(world)
        assert "Meeting link: none is configured" in text
        assert field == "none is configured"
        assert "zoom" not in text.lower()

    run_in(within(), without)


@pytest.mark.real_time
async def test_a_jitsi_room_has_a_name_of_its_own_that_a_replay_keeps() -> None:
    async with within(meetings=JitsiLinks("https://meet.example/")) as world:
        made = [
            await world.calendar.create(
                "ada", key, now=MONDAY, meeting_link=True, allow_overlap=True, title="Tea",
                start="2026-01-13T14:00Z", end="2026-01-13T15:00Z",
            )
            for key in ("one", "two", "one")
        ]  # fmt: skip
        links = [each["meeting_link"] for each in made]
        assert all(re.fullmatch(r"https://meet\.example/[0-9a-f]{32}", link) for link in links)
        assert links[0] == links[2] != links[1]
        assert world.calendar.link_in_words(True) == "a Jitsi link will be made"


class Zoom:
    """Zoom's API on loopback, as far as the adapter speaks to it."""

    def __init__(self) -> None:
        self.meetings: dict[str, dict[str, Any]] = {}
        self.requests: list[Request] = []
        self.faults: list[Answer] = []

    async def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if self.faults:
            return self.faults.pop(0)
        if request.path == "/oauth/token":
            basic = base64.b64encode(b"client:sesame").decode()
            form = dict(parse_qsl(request.body.decode()))
            asked = {"grant_type": "account_credentials", "account_id": "acc"}
            if request.headers["authorization"] != f"Basic {basic}" or form != asked:
                return Answer(400, {"reason": "Invalid client_id or client_secret"})
            return Answer(200, {"access_token": "zt", "expires_in": 3599})
        if request.headers.get("authorization") != "Bearer zt":
            return Answer(401, {"code": 124, "message": "Invalid access token."})
        if (request.method, request.path) == ("POST", "/v2/users/me/meetings"):
            number = 900 + len(self.requests)
            self.meetings[str(number)] = request.json
            url = f"https://zoom.example/j/{number}?pwd=x"
            return Answer(201, {"id": number, "join_url": url})
        if request.method == "DELETE":
            del self.meetings[request.path.removeprefix("/v2/meetings/")]
            return Answer(204)
        return Answer(404, {"message": "Not found."})


def with_zoom(
    scenario: Callable[[World, Zoom], Awaitable[None]], secret: str = "sesame", **how: Any
) -> None:
    zoom = Zoom()
    with in_thread(zoom.answer) as address:
        links = ZoomLinks("acc", "client", secret, base_url=address)

        async def running(world: World) -> None:
            await scenario(world, zoom)
            await world.calendar.close()

        run_in(within(meetings=links, **how), running)


def test_a_zoom_meeting_is_made_for_the_approved_event_and_for_no_other() -> None:
    async def scenario(world: World, zoom: Zoom) -> None:
        denied = await world.confirmed(TOOL, yes=False, **REVIEW)
        assert not denied["ok"]
        assert zoom.requests == []  # nobody is asked for anything before the yes
        data = (await world.confirmed(TOOL, **{**REVIEW, "title": "Second look"}))["data"]
        ((number, asked),) = zoom.meetings.items()
        assert data["meeting_link"] == f"https://zoom.example/j/{number}?pwd=x"
        assert (asked["topic"], asked["type"], asked["duration"]) == ("Second look", 2, 60)
        assert asked["start_time"] == "2026-01-13T14:00:00Z"
        (event,) = await world.calendar.events("ada", *DAY)
        assert event["location"] == data["meeting_link"]
        for asked in (m for m in world.messages if m["type"] == "confirmation_required"):
            assert "Meeting link: a Zoom link will be made" in asked["preview"]
        # Time that is taken is refused before a meeting is made for it.
        taken = await world.confirmed(TOOL, **{**REVIEW, "title": "Third"})
        assert taken["error"]["type"] == "CONFLICT"
        assert list(zoom.meetings) == [number]

    with_zoom(scenario)


@pytest.mark.parametrize(
    ("fault", "type"),
    [
        (Answer(503, {"message": "Busy."}), "TRANSIENT"),
        (Answer(429, {"message": "Too many."}, {"retry-after": "7"}), "RATE_LIMIT"),
        (Answer(400, {"message": "Bad topic."}), "PERMANENT"),
        (Answer(200, {"id": 1}), "PERMANENT"),
    ],
)
def test_without_its_zoom_meeting_an_event_is_not_made(fault: Answer, type: str) -> None:
    async def scenario(world: World, zoom: Zoom) -> None:
        zoom.faults = [Answer(200, {"access_token": "zt"}), fault]
        error = (await world.confirmed(TOOL, **REVIEW))["error"]
        assert error["type"] == type
        assert error["partialSideEffects"] is False
        assert await titles(world) == []

    with_zoom(scenario)


def test_zoom_credentials_that_are_wrong_are_named_and_not_told() -> None:
    async def scenario(world: World, zoom: Zoom) -> None:
        error = (await world.confirmed(TOOL, **REVIEW))["error"]
        assert error["type"] == "AUTH"
        assert "[calendar.meeting]" in error["message"]
        assert "wrong-secret" not in error["message"]
        assert await titles(world) == []

    with_zoom(scenario, secret="wrong-secret")


def test_access_to_zoom_that_has_run_out_is_renewed() -> None:
    async def scenario(world: World, zoom: Zoom) -> None:
        zoom.faults = [Answer(200, {"access_token": "old"})]
        data = (await world.confirmed(TOOL, **REVIEW))["data"]
        assert data["meeting_link"].startswith("https://zoom.example/j/")

    with_zoom(scenario)


@pytest.mark.real_time
async def test_a_zoom_meeting_whose_event_cannot_be_made_is_deleted_again() -> None:
    class Refusing(LocalCalendar):
        async def create(self, *args: Any) -> Any:
            made.append(args[1].url)
            raise ToolError(ErrorType.TRANSIENT, "The calendar is away.")

    made: list[str] = []

    zoom = Zoom()
    async with Store.open() as store, serving(zoom.answer) as address:
        links = ZoomLinks("acc", "client", "sesame", base_url=address)
        calendar = Calendar(Refusing(store), meetings=links)
        with pytest.raises(ToolError, match="is away"):
            await calendar.create(
                "ada", "k", now=MONDAY, title="Tea", start="2026-01-13T14:00Z",
                end="2026-01-13T15:00Z", meeting_link=True,
            )  # fmt: skip
        await calendar.close()
    assert made[0].startswith("https://zoom.example/j/")
    assert zoom.meetings == {}
    assert zoom.requests[-1].method == "DELETE"


@pytest.mark.real_time
async def test_an_event_that_is_over_is_refused_and_one_under_way_warned_about() -> None:
    async with within(now=datetime(2026, 1, 13, 14, 20, tzinfo=UTC)) as world:
        past = {**REVIEW, "start_time": "2026-01-13T12:00Z", "end_time": "2026-01-13T13:00Z"}
        error = (await world.confirmed(TOOL, **past))["error"]
        assert error["type"] == "VALIDATION"
        assert "the event is over already" in error["message"]
        data = (await world.confirmed(TOOL, **REVIEW))["data"]
        assert "It has already begun." in data["warnings"]


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("changes", "pointer", "said"),
    [
        ({"end_time": "2026-01-13T14:00Z"}, "/end_time", "is not after start_time"),
        ({"start_time": "2026-01-13T14:00"}, "/start_time", "neither its offset nor a time zone"),
        ({"title": "   "}, "/title", "it is blank"),
        ({"time_zone": "Nowhere"}, "/time_zone", "is no time zone"),
        ({"recurrence": "every Monday"}, "/recurrence", "FREQ is missing"),
        ({"recurrence": "FREQ=WEEKLY;BYDAY=XX"}, "/recurrence", "is no recurrence rule"),
        ({"recurrence": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"}, "/recurrence", "never happens"),
        (
            {
                "start_time": "2026-10-25T02:30",
                "end_time": "2026-10-25T04:00",
                "time_zone": "Europe/Berlin",
            },
            "/start_time",
            "happens twice in Europe/Berlin",
        ),
    ],
)
async def test_what_makes_no_sense_creates_nothing(
    changes: dict[str, Any], pointer: str, said: str
) -> None:
    async with within() as world:
        error = (await world.confirmed(TOOL, **{**REVIEW, **changes}))["error"]
        assert error["type"] == "VALIDATION"
        assert [each["pointer"] for each in error["errors"]] == [pointer]
        assert said in error["message"]
        assert await titles(world) == []


@pytest.mark.real_time
async def test_an_appointment_of_ones_own_has_no_attendees() -> None:
    async with within() as world:
        made = await world.confirmed(TOOL, **{**REVIEW, "title": "Dentist", "attendees": []})
        assert made["ok"], made
        assert made["data"]["attendees"] == []
        assert not any("attendees" in warning for warning in made["data"]["warnings"])
        assert await titles(world) == ["Dentist"]


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"attendees": ["ana"]}, "/attendees/0"),
        ({"attendees": [f"p{n}@example.com" for n in range(51)]}, "/attendees"),
        ({"title": "x" * 201}, "/title"),
        ({"description": "x" * 2001}, "/description"),
    ],
)
async def test_what_the_schema_refuses_is_not_even_asked(
    changes: dict[str, Any], pointer: str
) -> None:
    async with within() as world:
        error = await world.error(TOOL, **{**REVIEW, **changes})
        assert error["type"] == "VALIDATION"
        assert [each["pointer"] for each in error["errors"]] == [pointer]


@pytest.mark.real_time
async def test_a_time_in_words_is_not_even_asked() -> None:
    async with within() as world:
        error = await world.error(TOOL, **{**REVIEW, "start_time": "tomorrow at 9"})
        assert error["type"] == "VALIDATION"
        assert '/start_time "tomorrow at 9" is no valid date-time' in error["message"]


@pytest.mark.real_time
async def test_the_same_key_makes_one_event_however_often_it_is_run() -> None:
    async with within() as world:
        made = [
            await world.calendar.create(
                "ada",
                "the key",
                now=MONDAY,
                title="Tea",
                start="2026-01-13T14:00Z",
                end="2026-01-13T15:00Z",
            )
            for _ in range(2)
        ]
        assert made[0] == made[1]
        assert await titles(world) == ["Tea"]


@pytest.mark.real_time
async def test_many_at_once_for_one_time_make_one_event_and_tell_the_others() -> None:
    async with within() as world:
        made = await asyncio.gather(
            *(
                world.calendar.create(
                    "ada",
                    f"key {n}",
                    now=MONDAY,
                    title="Tea",
                    start="2026-01-13T14:00Z",
                    end="2026-01-13T15:00Z",
                )
                for n in range(5)
            ),
            return_exceptions=True,
        )
        assert sum(isinstance(each, dict) for each in made) == 1
        assert await titles(world) == ["Tea"]


@pytest.mark.parametrize("made", [True, False])
def test_after_a_crash_the_calendar_says_whether_the_event_was_made(
    tmp_path: Path, made: bool
) -> None:
    """The process died before the outcome was kept, and the call is back."""
    url = f"sqlite:///{tmp_path}/store.db"

    class Dying(LocalCalendar):
        async def create(self, *args: Any) -> Any:
            if made:
                await super().create(*args)
            crashed.set()
            await asyncio.Event().wait()

    crashed = asyncio.Event()
    call = ToolCall("call_000000001", TOOL, REVIEW)

    async def approve(session: Any) -> Any:
        await session.dispatch(call)
        (request,) = session.orchestrator.confirmations.waiting(session)
        return await session.confirm(request["id"], request["token"], True)

    async def first_life() -> None:
        store = Store.open(url, now=MONDAY.timestamp)
        events = Store.open(f"sqlite:///{tmp_path}/events.db")
        calendar = Calendar(Dying(events))
        orchestrator = Orchestrator(
            registry(), store, capabilities={"calendar": calendar}, now=MONDAY.timestamp
        )
        await orchestrator.__aenter__()
        session = orchestrator.session("text", "ada", id="s1")
        await orchestrator.save(session)
        going = asyncio.create_task(approve(session))
        await asyncio.wait_for(crashed.wait(), 20)
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        await store.close()
        await events.close()

    async def second_life() -> None:
        async with (
            Store.open(f"sqlite:///{tmp_path}/events.db") as events,
            Store.open(url, now=MONDAY.timestamp) as store,
            Orchestrator(
                registry(),
                store,
                capabilities={"calendar": Calendar(LocalCalendar(events))},
                now=MONDAY.timestamp,
            ) as orchestrator,
        ):
            rows = [row for row in await store.ledger("s1") if row.tool_id == TOOL]
            assert [row.state for row in rows] == ["unknown"]
            session = await orchestrator.resume("s1")
            assert session is not None
            envelope = await session.dispatch(call)
            if made:
                assert envelope["data"]["title"] == "Design review"
            else:
                assert envelope["error"]["type"] == "TRANSIENT"
                assert "Nothing was created" in envelope["error"]["message"]
            calendar: Calendar = orchestrator.capabilities["calendar"]
            assert len(await calendar.events("ada", *DAY)) == int(made)

    asyncio.run(first_life())
    asyncio.run(second_life())


def test_the_contract_asks_first_and_is_for_text_unless_a_profile_says_otherwise() -> None:
    metadata = registry().metadata(TOOL)
    expected = {
        "category": "action",
        "sideEffects": "writes",
        "requiresConfirmation": True,
        "idempotent": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 3000,
    }
    assert {name: metadata[name] for name in expected} == expected

    async def by_voice(world: World) -> None:
        assert (await world.error(TOOL, **REVIEW))["type"] == "MODE_RESTRICTED"

    run_in(within(mode="voice"), by_voice)

    async def scenario(world: World) -> None:
        assert (await world.error(TOOL, **REVIEW))["type"] == "CONFIRMATION_REQUIRED"
        (asked,) = [m for m in world.messages if m["type"] == "confirmation_required"]
        assert asked["risk"] == "high"  # so that a spoken yes does not approve it
        assert await titles(world) == []

    run_in(within(mode="voice", modes=load_profile("workspace").modes), scenario)
