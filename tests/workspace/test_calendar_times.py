"""Times as they are given: what is understood, and what is refused with a reason."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from antiphon import ErrorType, ToolError
from antiphon.workspace.calendar.times import format_time, local_zone, parse_time, zone_named

BERLIN = ZoneInfo("Europe/Berlin")


def read(text: str, zone: str | None = None, **how: Any) -> str:
    named = None if zone is None else zone_named(zone)
    return format_time(parse_time(text, "/start_time", named, BERLIN, **how))


@pytest.mark.parametrize(
    ("text", "zone", "meant"),
    [
        ("2026-01-13T14:00:00Z", None, "2026-01-13T14:00:00Z"),
        ("2026-01-13T14:00:00+01:00", None, "2026-01-13T14:00:00+01:00"),
        ("2026-01-13t14:00:00z", None, "2026-01-13T14:00:00Z"),
        ("2026-01-13 14:00-0500", None, "2026-01-13T14:00:00-05:00"),
        ("2026-01-13T14:00", "Europe/Berlin", "2026-01-13T14:00:00+01:00"),
        ("2026-07-13T14:00", "Europe/Berlin", "2026-07-13T14:00:00+02:00"),
        ("2026-07-13T14:00", "America/New_York", "2026-07-13T14:00:00-04:00"),
        ("2026-07-13T14:00Z", "Europe/Berlin", "2026-07-13T16:00:00+02:00"),
        ("2026-01-13T14:00:00.5Z", None, "2026-01-13T14:00:00Z"),
        ("2026-01-13", None, "2026-01-13T00:00:00+01:00"),
        ("2026-01-13", "UTC", "2026-01-13T00:00:00Z"),
        (" 2026-01-13T14:00Z ", None, "2026-01-13T14:00:00Z"),
    ],
)
def test_a_time_means_a_moment(text: str, zone: str | None, meant: str) -> None:
    assert read(text, zone) == meant


def test_a_day_as_an_end_is_the_whole_of_it() -> None:
    assert read("2026-03-29", end=True) == "2026-03-30T00:00:00+02:00"


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        ("tomorrow at 9", None, "'tomorrow at 9' is no ISO 8601 time"),
        ("", None, "is no ISO 8601 time"),
        ("2026-01-13T14:00", None, "says neither its offset nor a time zone"),
        ("2026-02-30T14:00Z", None, "is a time that no calendar has"),
        ("2026-01-13T25:00Z", None, "is a time that no calendar has"),
        ("2026-01-13T14:00+99:00", None, "is a time that no calendar has"),
        ("9999-12-31T14:00Z", None, "the year 9999 is out of reach"),
        ("0001-01-01", "Europe/Berlin", "the year 1 is out of reach"),
        ("2026-03-29T02:30", "Europe/Berlin", "does not exist in Europe/Berlin"),
        ("2026-10-25T02:30", "Europe/Berlin", "happens twice in Europe/Berlin"),
        ("x" * 500, None, "..."),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, zone: str | None, said: str) -> None:
    with pytest.raises(ToolError) as caught:
        read(text, zone)
    error = caught.value
    assert error.type is ErrorType.VALIDATION
    assert said in error.message
    assert error.body["errors"][0]["pointer"] == "/start_time"
    assert error.body["errors"][0]["expected"]


def test_the_hour_that_is_left_out_comes_with_one_that_exists() -> None:
    with pytest.raises(ToolError, match="such as 2026-03-29T03:30"):
        read("2026-03-29T02:30", "Europe/Berlin")


def test_the_hour_that_comes_twice_is_asked_for_with_its_offset() -> None:
    with pytest.raises(ToolError, match=r"2026-10-25T02:30:00\+02:00 or 2026-10-25T02:30:00\+01"):
        read("2026-10-25T02:30", "Europe/Berlin")
    assert read("2026-10-25T02:30+02:00", "Europe/Berlin") == "2026-10-25T02:30:00+02:00"
    assert read("2026-10-25T02:30+01:00", "Europe/Berlin") == "2026-10-25T02:30:00+01:00"


@pytest.mark.parametrize("name", ["Berlin", "../etc/passwd", "Europe/Nowhere", "CEST+2", "\0"])
def test_a_zone_that_does_not_exist_is_named(name: str) -> None:
    with pytest.raises(ToolError, match="is no time zone; expected an IANA name"):
        zone_named(name)


def test_this_machine_has_a_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert local_zone() == "Asia/Tokyo"
    monkeypatch.setenv("TZ", "Not/AZone")
    assert zone_named(local_zone()) is not None


def test_times_are_written_with_their_offset() -> None:
    assert format_time(datetime(2026, 1, 13, 12, tzinfo=UTC), BERLIN) == "2026-01-13T13:00:00+01:00"
