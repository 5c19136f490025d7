"""Appointments as people come to them: what is free, then when, then the rest."""

from __future__ import annotations

import pytest
from tests.providers.local.world import talking

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

TOOLS = ("calendar_get_availability", "calendar_create_event", "kb_search")


async def test_the_next_free_hour_is_looked_for_from_now_on() -> None:
    async with talking(tools=TOOLS) as talk:
        ((name, args),) = (await talk.say("When's my next free hour?")).calls
        assert name == "calendar_get_availability"
        assert args["start_date"] == "2026-11-16T10:00:00+00:00"
        assert args["end_date"] == "2026-11-23T10:00:00+00:00"
        assert args["min_duration_minutes"] == 60


async def test_a_day_without_an_hour_is_looked_at_before_the_hour_is_asked_for() -> None:
    async with talking(tools=TOOLS) as talk:
        first = await talk.say("Can we schedule a meeting tomorrow?")
        day = {"start_date": "2026-11-17", "end_date": "2026-11-17"}
        assert first.calls == [("calendar_get_availability", day)]
        assert first.text.endswith("From when?")
        assert (await talk.say("2pm works")).text == "What is the title?"
        assert (await talk.say("Planning")).text == "Until when?"
        assert "email" in (await talk.say("an hour")).text
        ((name, args),) = (await talk.say("ada@example.org")).calls
        assert name == "calendar_create_event"
        assert args == {
            "title": "Planning",
            "start_time": "2026-11-17T14:00:00+00:00",
            "end_time": "2026-11-17T15:00:00+00:00",
            "attendees": ["ada@example.org"],
        }


@pytest.mark.parametrize("time", ["2pm works", "tomorrow at 2 pm", "let's say at 14:00"])
async def test_a_time_is_no_title(time: str) -> None:
    async with talking(tools=TOOLS) as talk:
        assert (await talk.say("Schedule a meeting")).text == "What is the title?"
        assert (await talk.say(time)).text == "What is the title?"
        assert (await talk.say("an hour")).text == "What is the title?"
        assert "email" in (await talk.say("Planning")).text


@pytest.mark.parametrize("said", ["Dentist", "Water the plants", "Tax return"])
async def test_an_event_of_ones_own_needs_no_guests(said: str) -> None:
    async with talking(tools=TOOLS) as talk:
        asked = f"Create an event called {said} tomorrow from 3 pm to 4 pm"
        ((name, args),) = (await talk.say(asked)).calls
        assert (name, args["title"], args["attendees"]) == ("calendar_create_event", said, [])


@pytest.mark.parametrize(
    "nobody",
    [
        "no attendees",
        "none",
        "nobody",
        "Nobody, just me",
        "No one else.",
        "only me",
        "leave it empty",
    ],
)
async def test_who_is_asked_for_guests_may_say_that_there_are_none(nobody: str) -> None:
    async with talking(tools=TOOLS) as talk:
        first = await talk.say("Schedule a meeting called Thinking tomorrow from 3 pm to 4 pm")
        assert "email" in first.text
        ((name, args),) = (await talk.say(nobody)).calls
        assert (name, args["title"], args["attendees"]) == (
            "calendar_create_event",
            "Thinking",
            [],
        )


async def test_a_request_of_its_own_is_not_poured_into_the_one_before() -> None:
    async with talking(tools=TOOLS) as talk:
        assert (await talk.say("Create an event called Lunch tomorrow at noon")).calls == []
        new = "Book a meeting with kenji@example.org at 3 pm for 30 minutes called Review"
        ((_, args),) = (await talk.say(new)).calls
        assert args == {
            "title": "Review",
            "start_time": "2026-11-16T15:00:00+00:00",
            "end_time": "2026-11-16T15:30:00+00:00",
            "attendees": ["kenji@example.org"],
        }


@pytest.mark.xfail(strict=False, reason="what is called by one common word is asked for once more")
@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Schedule a review with ana@example.com tomorrow from 10 to 11", "Review"),
        ("Schedule a team review with ana@example.com tomorrow from 10 to 11", "Team review"),
    ],
)
async def test_an_event_is_called_what_it_is_said_to_be(said: str, title: str) -> None:
    async with talking(tools=TOOLS) as talk:
        ((name, args),) = (await talk.say(said)).calls
        assert (name, args["title"]) == ("calendar_create_event", title)
