"""What a person calls tomorrow at ten is meant where they are, whatever the server's clock says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.providers.local.world import Conversation, provider
from tests.tools.kb_world import registry

from antiphon import Orchestrator, ToolCall
from antiphon.agents.profiles import load_profile
from antiphon.agents.setup import instructions, model_setup, open_session
from antiphon.orchestrator import Session
from antiphon.storage import Store
from antiphon.workspace.calendar import Calendar, LocalCalendar

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

# Half past nine or ten in the evening in UTC, on the nights in which Europe changes its clocks.
SPRING = datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
AUTUMN = datetime(2026, 10, 24, 21, 30, tzinfo=UTC)


@asynccontextmanager
async def house(now: datetime, store: Store | None = None) -> AsyncIterator[Orchestrator]:
    """The shipped tools over a calendar in UTC, at that time."""
    own = store or Store.open("sqlite://")
    try:
        async with Orchestrator(
            registry(),
            own,
            capabilities={"calendar": Calendar(LocalCalendar(own))},
            now=now.timestamp,
        ) as orchestrator:
            yield orchestrator
    finally:
        if store is None:
            await own.close()


def begin(orchestrator: Orchestrator, zone: str | None) -> Session:
    profile = load_profile("assistant")
    session = open_session(orchestrator, "text", profile, "local", user="ada")
    assert session.set_time_zone(zone)
    return session


@pytest.mark.parametrize(
    ("now", "zone", "start", "shown"),
    [
        (SPRING, None, "2026-03-29T10:00:00+00:00", "Sunday 29 March 2026, 10:00 UTC"),
        (SPRING, "Europe/Berlin", "2026-03-29T10:00:00+02:00", "29 March 2026, 10:00 UTC+02:00"),
        # There it is the morning of the next day already, and here still the afternoon.
        (SPRING, "Asia/Tokyo", "2026-03-30T10:00:00+09:00", "30 March 2026, 10:00 UTC+09:00"),
        (SPRING, "America/New_York", "2026-03-29T10:00:00-04:00", "10:00 UTC-04:00"),
        (AUTUMN, "Europe/Berlin", "2026-10-25T10:00:00+01:00", "25 October 2026, 10:00 UTC+01:00"),
    ],
)
async def test_tomorrow_at_ten_is_meant_and_shown_where_the_person_is(
    now: datetime, zone: str | None, start: str, shown: str
) -> None:
    made = provider(clock=lambda: now)
    asked: list[dict[str, Any]] = []
    async with house(now) as orchestrator:
        session = begin(orchestrator, zone)
        session.channel = asked.append
        profile = load_profile("assistant")
        setup = model_setup(session, profile, "local", instructions(session, profile))
        async with await made.connect(setup) as connection:
            said = await Conversation(connection, session).say(
                "Schedule a design review with ana@example.com tomorrow from 10 to 11 am"
            )
        ((name, args),) = said.calls
        assert (name, args["start_time"]) == ("calendar_create_event", start)
        (request,) = asked
        assert shown in request["preview"]
        await session.end("tested")
    await made.close()


@pytest.mark.parametrize(
    ("now", "zone", "told"),
    [
        (SPRING, "Europe/Berlin", "Saturday, 2026-03-28T23:30+01:00 (Europe/Berlin)"),
        (SPRING, "Asia/Tokyo", "Sunday, 2026-03-29T07:30+09:00 (Asia/Tokyo)"),
        (AUTUMN, "Europe/Berlin", "Saturday, 2026-10-24T23:30+02:00 (Europe/Berlin)"),
        (SPRING, None, "Saturday, 2026-03-28T22:30+00:00 (UTC)"),
    ],
)
async def test_every_model_is_told_what_time_it_is_there(
    now: datetime, zone: str | None, told: str
) -> None:
    async with house(now) as orchestrator:
        session = begin(orchestrator, zone)
        prompt = instructions(session, load_profile("assistant"))
        assert told in prompt.text
        assert prompt.parts[-1].name == "now"


async def test_a_day_without_a_zone_is_a_day_there_as_long_as_that_day_is() -> None:
    async with house(SPRING) as orchestrator:
        args = {"start_date": "2026-03-29", "end_date": "2026-03-29"}
        call = ToolCall("call_0123456789", "calendar_get_availability", args)
        envelope = await begin(orchestrator, "Europe/Berlin").dispatch(call)
        assert envelope["data"]["date_range"] == {
            "start": "2026-03-29T00:00:00+01:00",
            "end": "2026-03-30T00:00:00+02:00",
        }
        (slot,) = envelope["data"]["available_slots"]
        assert slot["duration_minutes"] == 23 * 60
        # What a call says itself counts before that.
        other = ToolCall(
            "call_1123456789", "calendar_get_availability", {**args, "time_zone": "UTC"}
        )
        envelope = await begin(orchestrator, "Europe/Berlin").dispatch(other)
        assert envelope["data"]["date_range"]["start"] == "2026-03-29T00:00:00Z"
        # A time without an offset needs nothing else where it is known where the person is.
        times = {"start_date": "2026-03-29T09:00", "end_date": "2026-03-29T10:00"}
        call = ToolCall("call_2123456789", "calendar_get_availability", times)
        envelope = await begin(orchestrator, "Europe/Berlin").dispatch(call)
        assert envelope["data"]["date_range"]["start"] == "2026-03-29T09:00:00+02:00"
        refused = await begin(orchestrator, None).dispatch(call)
        assert "neither its offset nor a time zone" in refused["error"]["message"]


async def test_a_session_stays_where_it_was_after_a_restart() -> None:
    async with Store.open("sqlite://") as store:
        async with house(SPRING, store) as orchestrator:
            session = begin(orchestrator, "Asia/Tokyo")
            await orchestrator.save(session)
        async with house(AUTUMN, store) as orchestrator:
            again = await orchestrator.resume(session.id)
            assert again is not None
            assert again.time_zone == "Asia/Tokyo"
            assert again.set_time_zone(None)
            assert not again.set_time_zone("Moon/Base")
            assert again.time_zone == "Asia/Tokyo"
            assert again.set_time_zone("Europe/Berlin")
            assert str(again.zone) == "Europe/Berlin"
