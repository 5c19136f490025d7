"""calendar_get_availability: events, free slots, privacy, ranges that make no sense, clocks."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, time
from typing import Any

import pytest
from tests.scenarios import run_in
from tests.tools.calendar_world import World, within
from tests.tools.kb_world import registry
from tests.workspace.calendars import ics

from antiphon.agents.profiles import load_profile

pytestmark = pytest.mark.real_time

TOOL = "calendar_get_availability"
AFTERNOON = {"start_date": "2026-01-13T12:00:00Z", "end_date": "2026-01-13T17:00:00Z"}
CALL = (
    "UID:call\nDTSTART:20260113T140000Z\nDTEND:20260113T150000Z\nSUMMARY:Client Call\n"
    "DESCRIPTION:Bring the numbers\nLOCATION:Room 2\nATTENDEE:mailto:a@example.com\n"
    "ATTENDEE:mailto:b@example.com"
)
LATE = "UID:late\nDTSTART:20260113T143000Z\nDTEND:20260113T160000Z\nSUMMARY:Overlapping"


async def test_busy_and_free_times_are_told_without_what_the_events_are() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(CALL))
        data = await world.data(TOOL, **AFTERNOON)
        assert data == {
            "date_range": {"start": "2026-01-13T12:00:00Z", "end": "2026-01-13T17:00:00Z"},
            "existing_events": [
                {
                    "start": "2026-01-13T14:00:00Z",
                    "end": "2026-01-13T15:00:00Z",
                    "status": "busy",
                    "calendar": "primary",
                    "title": None,
                }
            ],
            "available_slots": [
                {
                    "start": "2026-01-13T12:00:00Z",
                    "end": "2026-01-13T14:00:00Z",
                    "duration_minutes": 120,
                },
                {
                    "start": "2026-01-13T15:00:00Z",
                    "end": "2026-01-13T17:00:00Z",
                    "duration_minutes": 120,
                },
            ],
            "summary": "1 busy period, 2 available slots (240 minutes total)",
        }
        assert "Client" not in json.dumps(data)


async def test_details_come_when_they_are_asked_for() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(CALL))
        data = await world.data(TOOL, **AFTERNOON, include_details=True)
        (event,) = data["existing_events"]
        assert (event["title"], event["attendees"]) == ("Client Call", 2)
        assert (event["description"], event["location"]) == ("Bring the numbers", "Room 2")


async def test_overlapping_events_are_both_found_and_leave_no_slot_between() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(CALL, LATE))
        data = await world.data(TOOL, **AFTERNOON)
        assert len(data["existing_events"]) == 2
        assert [slot["start"] for slot in data["available_slots"]] == [
            "2026-01-13T12:00:00Z",
            "2026-01-13T16:00:00Z",
        ]


async def test_short_gaps_are_left_out() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(CALL))
        data = await world.data(TOOL, **AFTERNOON, min_duration_minutes=121)
        assert data["available_slots"] == []
        assert data["summary"] == "1 busy period, 0 available slots (0 minutes total)"


@pytest.mark.parametrize(
    ("calendars", "seen"),
    [(None, {"primary"}), (["team"], {"team"}), ([], {"primary", "team", "personal"})],
)
async def test_only_the_calendars_that_are_asked_for_count(
    calendars: list[str] | None, seen: set[str]
) -> None:
    async with within() as world:
        for name in ("primary", "team", "personal"):
            await world.local.import_ics("ada", ics(CALL), name)
        asked = {} if calendars is None else {"calendars": calendars}
        data = await world.data(TOOL, **AFTERNOON, **asked)
        assert {event["calendar"] for event in data["existing_events"]} == seen


async def test_nobody_sees_the_calendar_of_another_person() -> None:
    async with within() as world:
        await world.local.import_ics("ada", ics(CALL))
        data = await world.other("grace").data(TOOL, **AFTERNOON, include_details=True)
        assert data["existing_events"] == []


async def test_whole_days_are_days_of_the_time_zone_with_its_clocks() -> None:
    async with within() as world:
        day = {"start_date": "2026-03-29", "end_date": "2026-03-29"}
        data = await world.data(TOOL, **day, time_zone="Europe/Berlin")
        assert data["date_range"] == {
            "start": "2026-03-29T00:00:00+01:00",
            "end": "2026-03-30T00:00:00+02:00",
        }
        assert data["available_slots"][0]["duration_minutes"] == 23 * 60
        autumn = {"start_date": "2026-10-25", "end_date": "2026-10-25"}
        data = await world.data(TOOL, **autumn)
        assert data["available_slots"][0]["duration_minutes"] == 25 * 60


async def test_on_whole_days_nobody_is_told_of_free_time_at_night() -> None:
    async with within(day=(time(8), time(20))) as world:
        day = {"start_date": "2026-01-13", "end_date": "2026-01-14"}
        data = await world.data(TOOL, **day, time_zone="Europe/Berlin")
        assert [(one["start"], one["end"]) for one in data["available_slots"]] == [
            ("2026-01-13T08:00:00+01:00", "2026-01-13T20:00:00+01:00"),
            ("2026-01-14T08:00:00+01:00", "2026-01-14T20:00:00+01:00"),
        ]
        assert data["note"] == "Slots are between 08:00 and 20:00; name hours for others."
        night = {"start_date": "2026-01-13T22:00:00Z", "end_date": "2026-01-14T00:00:00Z"}
        data = await world.data(TOOL, **night)
        assert data["available_slots"][0]["duration_minutes"] == 120


async def test_a_range_that_has_begun_has_slots_from_now_on() -> None:
    async with within(now=datetime(2026, 1, 13, 13, 30, 30, tzinfo=UTC)) as world:
        data = await world.data(TOOL, **AFTERNOON)
        assert data["available_slots"] == [
            {
                "start": "2026-01-13T13:31:00Z",
                "end": "2026-01-13T17:00:00Z",
                "duration_minutes": 209,
            }
        ]
        assert data["note"] == "Slots are given from now on (2026-01-13T13:31:00Z)."


async def test_the_past_can_be_looked_at_and_is_called_that() -> None:
    async with within(now=datetime(2026, 6, 1, tzinfo=UTC)) as world:
        await world.local.import_ics("ada", ics(CALL))
        data = await world.data(TOOL, **AFTERNOON)
        assert len(data["existing_events"]) == 1
        assert data["note"] == "The whole range lies in the past."


@pytest.mark.parametrize(
    ("args", "pointer", "said"),
    [
        (
            {"start_date": "2026-01-14T00:00Z", "end_date": "2026-01-13T00:00Z"},
            "/start_date",
            "start_date must be before end_date",
        ),
        (
            {"start_date": "2026-01-14T00:00Z", "end_date": "2026-01-14T00:00Z"},
            "/start_date",
            "start_date must be before end_date",
        ),
        (
            {"start_date": "2026-01-14", "end_date": "2026-02-14"},
            "/end_date",
            "Date range too large (max 31 days)",
        ),
        (
            {"start_date": "2024-01-14", "end_date": "2024-01-15"},
            "/end_date",
            "the range ended more than a year ago",
        ),
        (
            {"start_date": "2026-01-14T09:00", "end_date": "2026-01-14T10:00Z"},
            "/start_date",
            "says neither its offset nor a time zone",
        ),
        (
            {"start_date": "2026-02-30", "end_date": "2026-03-01"},
            "/start_date",
            "is a time that no calendar has",
        ),
        (
            {
                "start_date": "2026-03-29T02:30",
                "end_date": "2026-03-29T10:00",
                "time_zone": "Europe/Berlin",
            },
            "/start_date",
            "does not exist in Europe/Berlin",
        ),
        (
            {"start_date": "2026-01-14", "end_date": "2026-01-15", "time_zone": "Europe/Atlantis"},
            "/time_zone",
            "'Europe/Atlantis' is no time zone",
        ),
        ({"start_date": "2026-01-14"}, "/end_date", ""),
        ({**AFTERNOON, "calendars": ["work"]}, "/calendars/0", ""),
        ({**AFTERNOON, "min_duration_minutes": 14}, "/min_duration_minutes", ""),
    ],
)
async def test_what_makes_no_sense_is_refused_by_name(
    args: dict[str, Any], pointer: str, said: str
) -> None:
    async with within() as world:
        error = await world.error(TOOL, **args)
        assert error["type"] == "VALIDATION"
        assert error["retryable"] is False
        assert [each["pointer"] for each in error["errors"]] == [pointer]
        assert said in error["message"]


async def test_a_time_in_words_is_refused_with_what_is_expected() -> None:
    async with within() as world:
        error = await world.error(TOOL, start_date="tomorrow", end_date="2026-03-01")
        assert error["type"] == "VALIDATION"
        assert '/start_date "tomorrow" is no valid date-time' in error["message"]


async def test_a_month_of_31_days_with_a_change_of_clocks_may_be_asked_for() -> None:
    async with within() as world:
        data = await world.data(TOOL, start_date="2026-10-01", end_date="2026-10-31")
        assert data["available_slots"][0]["duration_minutes"] == (31 * 24 + 1) * 60


def test_it_only_reads_and_is_for_text_unless_a_profile_says_otherwise() -> None:
    async def by_voice(world: World) -> None:
        assert (await world.error(TOOL, **AFTERNOON))["type"] == "MODE_RESTRICTED"

    run_in(within(mode="voice"), by_voice)

    async def scenario(world: World) -> None:
        assert (await world.data(TOOL, **AFTERNOON))["existing_events"] == []

    run_in(within(mode="voice", modes=load_profile("workspace").modes), scenario)
    metadata = registry().metadata(TOOL)
    expected = {
        "category": "retrieval",
        "sideEffects": "read_only",
        "idempotent": True,
        "requiresConfirmation": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 1500,
    }
    assert {name: metadata[name] for name in expected} == expected


async def test_the_guide_shows_true_results() -> None:
    guide = registry().documentation(TOOL)
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", guide, re.DOTALL)]
    args, data, week, hour = blocks

    async with within() as world:
        await world.local.import_ics("ada", ics(CALL))
        assert await world.data(TOOL, **args) == data
        shown = await world.data(TOOL, **week)
        assert shown["existing_events"][0]["title"] == "Client Call"
        free = await world.data(TOOL, **hour)
        assert free["available_slots"][0]["start"] == "2026-01-13T09:00:00Z"
