"""The catalogue's date tools: differences, adding, business days, weeks, Unix time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.catalogue_world import data, error, within

DATES = st.dates(date(1900, 1, 1), date(2100, 12, 31))
BERLIN = {"timezone": "Europe/Berlin"}


def all_of(*calls: tuple[str, dict]) -> list[dict]:
    """The data of several calls in one session."""

    async def scenario(call):
        answers = [await call("run_tool", tool_id=tool, params=one) for tool, one in calls]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["data"]["result"] for answer in answers]

    return within(scenario)


@pytest.mark.parametrize(
    ("start", "end", "summary", "days"),
    [
        ("1990-05-03", "2026-05-02", "35 years, 11 months and 29 days", 13148),
        ("2026-01-31", "2026-02-28", "1 month", 28),
        ("2026-01-31", "2026-03-01", "1 month and 1 day", 29),
        ("2026-03-01", "2026-03-01", "0 days", 0),
        ("2026-03-08", "2026-03-01", "7 days", -7),
        ("2026-03-01T08:00", "2026-03-02T09:30", "1 day, 1 hour and 30 minutes", 1),
    ],
)
def test_differences(start: str, end: str, summary: str, days: int) -> None:
    found = data("date_difference", start=start, end=end)
    assert (found["summary"], found["days"]) == (summary, days)


def test_hours_are_those_that_really_pass() -> None:
    short = data("date_difference", start="2026-03-29", end="2026-03-30", **BERLIN)
    long = data("date_difference", start="2026-10-25", end="2026-10-26", **BERLIN)
    assert (short["days"], short["hours"], long["hours"]) == (1, 23, 25)
    found = data("date_difference", start="2026-01-01T00:00Z", end="2026-01-01T00:00-05:00")
    assert found["hours"] == 5


def test_the_hour_that_comes_twice_is_an_hour() -> None:
    found = data("date_difference", start="2026-10-25T00:30Z", end="2026-10-25T01:15Z", **BERLIN)
    assert (found["seconds"], found["summary"]) == (2700, "45 minutes")


def test_today_and_now_are_known() -> None:
    assert data("date_difference", start="yesterday", end="tomorrow")["days"] == 2
    assert data("date_difference", start="2020-01-01", end="now")["direction"] == "forwards"


@pytest.mark.parametrize(
    ("params", "result", "noted"),
    [
        ({"start": "2024-02-29", "years": 1}, "2025-02-28", True),
        ({"start": "2026-05-31", "months": -3}, "2026-02-28", True),
        ({"start": "2026-01-01", "days": 90}, "2026-04-01", False),
        ({"start": "2026-01-15", "months": 11, "weeks": 1}, "2026-12-22", False),
        ({"start": "2026-03-28T12:00", "days": 1, **BERLIN}, "2026-03-29T12:00:00+02:00", False),
        ({"start": "2026-03-28T12:00", "hours": 24, **BERLIN}, "2026-03-29T13:00:00+02:00", False),
        ({"start": "2026-03-28T02:30", "days": 1, **BERLIN}, "2026-03-29T03:30:00+02:00", True),
        ({"start": "2026-01-01", "minutes": -1}, "2025-12-31T23:59:00+00:00", False),
    ],
)
def test_adding(params: dict, result: str, noted: bool) -> None:
    found = data("date_add", **params)
    assert (found["result"], bool(found["notes"])) == (result, noted)


@pytest.mark.parametrize("tool", ["date_difference", "date_add"])
@pytest.mark.parametrize(
    "start", ["01.03.2026", "2026-02-30", "soon", "2026-03-01T25:00", "2026-3-1"]
)
def test_what_is_no_date_is_named(tool: str, start: str) -> None:
    params = {"end": "2026-01-01"} if tool == "date_difference" else {}
    assert error(tool, start=start, **params)["pointer"] == "/start"


def test_zones_and_years_out_of_reach() -> None:
    assert error("date_add", start="today", timezone="Mars/Base")["pointer"] == "/timezone"
    assert error("date_add", start="today", timezone="../etc/passwd")["pointer"] == "/timezone"
    assert error("date_add", start="9999-12-31", days=1)["pointer"] == "/start"
    assert error("date_add", start="2026-01-01", years=-3000)["pointer"] == "/start"
    edge = error("date_difference", start="0001-01-01", end="today", timezone="Asia/Tokyo")
    assert edge["pointer"] == "/start"


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(DATES, st.integers(-20_000, 20_000)), min_size=6, max_size=6))
def test_adding_the_difference_leads_to_the_end(pairs: list[tuple[date, int]]) -> None:
    calls = [("date_add", {"start": str(start), "days": days}) for start, days in pairs]
    ends = all_of(*calls)
    found = all_of(
        *(
            ("date_difference", {"start": str(start), "end": end["date"]})
            for (start, _), end in zip(pairs, ends, strict=True)
        )
    )
    assert [one["days"] for one in found] == [days for _, days in pairs]


def test_business_days() -> None:
    assert data("business_days", start="2026-03-06", end="2026-03-09")["business_days"] == 1
    assert data("business_days", start="2026-03-09", end="2026-03-06")["business_days"] == -1
    assert data("business_days", start="2026-03-07", days=1)["end"] == "2026-03-09"
    assert data("business_days", start="2026-03-09", days=-1)["end"] == "2026-03-06"
    found = data("business_days", start="2026-03-04", days=2, weekend=["friday"])
    assert found["end"] == "2026-03-07"


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.tuples(DATES, st.integers(-300, 300)), min_size=5, max_size=5),
    st.lists(DATES.map(str), max_size=20),
)
def test_so_many_business_days_on_are_so_many_in_between(
    pairs: list[tuple[date, int]], holidays: list[str]
) -> None:
    moved = all_of(
        *(
            ("business_days", {"start": str(start), "days": days, "holidays": holidays})
            for start, days in pairs
        )
    )
    counted = all_of(
        *(
            ("business_days", {"start": str(start), "end": one["end"], "holidays": holidays})
            for (start, _), one in zip(pairs, moved, strict=True)
        )
    )
    assert [one["business_days"] for one in counted] == [days for _, days in pairs]


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ({"start": "2026-03-01"}, "/days"),
        ({"start": "2026-03-01", "days": 1, "end": "2026-03-02"}, "/days"),
        ({"start": "x", "days": 1}, "/start"),
        ({"start": "2026-03-01", "days": 1, "holidays": ["2026-01-01", "y"]}, "/holidays/1"),
        ({"start": "9999-12-30", "days": 20}, "/days"),
    ],
)
def test_business_days_that_cannot_be_counted(params: dict, pointer: str) -> None:
    assert error("business_days", **params)["pointer"] == pointer


def test_a_week_without_business_days_is_refused() -> None:
    week = [(date(2026, 3, 2) + timedelta(at)).strftime("%A").lower() for at in range(7)]
    assert error("business_days", start="today", days=1, weekend=week)["pointer"] == "/weekend"


def test_weeks() -> None:
    found = data("iso_week", date="2026-W09")
    assert (found["week_start"], found["week_end"]) == ("2026-02-23", "2026-03-01")
    assert data("iso_week", date="2021-01-03")["week"] == "2020-W53"
    assert data("iso_week", date="2024-12-30")["week"] == "2025-W01"
    assert data("iso_week", date="today")["weekday_number"] in range(1, 8)
    for text in ("2026-W54", "2025-W53", "2026-02-29", "week 9", "0001-01-01"):
        assert error("iso_week", date=text)["pointer"] == "/date"


@pytest.mark.parametrize(
    ("value", "utc", "unit"),
    [
        ("0", "1970-01-01T00:00:00Z", "s"),
        ("-1.5", "1969-12-31T23:59:58.500000Z", "s"),
        ("1767225600", "2026-01-01T00:00:00Z", "s"),
        ("1767225600123", "2026-01-01T00:00:00.123000Z", "ms"),
        ("1767225600123456", "2026-01-01T00:00:00.123456Z", "us"),
        ("1767225600123456789", "2026-01-01T00:00:00.123456Z", "ns"),
        ("2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z", "s"),
    ],
)
def test_unix_time(value: str, utc: str, unit: str) -> None:
    found = data("epoch_converter", value=value)
    assert (found["utc"], found["unit"]) == (utc, unit)


def test_clocks_that_are_changed() -> None:
    twice = data("epoch_converter", value="2026-10-25T02:30", **BERLIN)
    assert (twice["utc"], len(twice["notes"])) == ("2026-10-25T00:30:00Z", 1)
    never = data("epoch_converter", value="2026-03-29T02:30", **BERLIN)
    assert (never["utc"], len(never["notes"])) == ("2026-03-29T01:30:00Z", 1)
    assert data("epoch_converter", value="2026-07-01T12:00", **BERLIN)["notes"] == []


def test_values_out_of_reach_are_refused() -> None:
    for value in ("soon", "99999999999999999999", "9999-12-31T23:59:59-01:00"):
        assert error("epoch_converter", value=value, unit="s")["pointer"] == "/value"
    assert error("epoch_converter", value="0", timezone="Nowhere")["pointer"] == "/timezone"
    found = error("epoch_converter", value="9999-12-31T23:30Z", timezone="Asia/Tokyo")
    assert found["pointer"] == "/value"


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1)), min_size=6, max_size=6),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]),
)
def test_unix_time_there_and_back(moments: list[datetime], zone: str) -> None:
    calls = [{"value": one.replace(tzinfo=UTC).isoformat(), "timezone": zone} for one in moments]
    there = all_of(*(("epoch_converter", one) for one in calls))
    back = all_of(
        *(
            ("epoch_converter", {"value": str(one["microseconds"]), "unit": "us", "timezone": zone})
            for one in there
        )
    )
    assert [one["local"] for one in back] == [one["local"] for one in there]
