"""From when until when: both ends of a stretch of time, as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.providers.local.intervals import after, interval

MONDAY = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
whole_hours = st.integers(0, 23)
minutes = st.sampled_from([0, 15, 30, 45])


def said(text: str, now: datetime = MONDAY) -> tuple[str | None, str | None] | None:
    found = interval(text, now)
    if found is None:
        return None
    start, end = found.start, found.end
    return start.iso(now) if start else None, end.iso(now) if end else None


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("from 3 to 4 pm tomorrow", "2026-11-17T15:00", "2026-11-17T16:00"),
        ("tomorrow from 3:00 to 4:00 p.m.", "2026-11-17T15:00", "2026-11-17T16:00"),
        ("Friday 10 to 11:30", "2026-11-20T10:00", "2026-11-20T11:30"),
        ("on Friday from ten to eleven thirty", "2026-11-20T10:00", "2026-11-20T11:30"),
        ("from 11 to 1 tomorrow", "2026-11-17T11:00", "2026-11-17T13:00"),
        ("tomorrow from half past two to four", "2026-11-17T14:30", "2026-11-17T16:00"),
        ("on Tuesday from 10 a.m. until noon", "2026-11-17T10:00", "2026-11-17T12:00"),
        ("next Tuesday at half past nine for an hour", "2026-11-24T09:30", "2026-11-24T10:30"),
        ("the 3rd of December from half-past nine to 11", "2026-12-03T09:30", "2026-12-03T11:00"),
        ("at ten the day after tomorrow for 45 minutes", "2026-11-18T10:00", "2026-11-18T10:45"),
        ("one hour with Joe on 3 December at 14:00", "2026-12-03T14:00", "2026-12-03T15:00"),
        ("tomorrow at 11 pm for two hours", "2026-11-17T23:00", "2026-11-18T01:00"),
        ("tomorrow afternoon", "2026-11-17T12:00", "2026-11-17T17:00"),
        ("tomorrow morning from 6 to 7", "2026-11-17T06:00", "2026-11-17T07:00"),
        ("tomorrow afternoon from one to two", "2026-11-17T13:00", "2026-11-17T14:00"),
        ("tomorrow before noon", "2026-11-17T00:00", "2026-11-17T12:00"),
        ("tomorrow after 3 pm", "2026-11-17T15:00", "2026-11-17T23:59"),
        ("from tomorrow at 3 pm to Friday at noon", "2026-11-17T15:00", "2026-11-20T12:00"),
        ("on Friday", "2026-11-20", "2026-11-20"),
        ("from Monday to Wednesday", "2026-11-23", "2026-11-25"),
        ("between 3 and 5 March", "2027-03-03", "2027-03-05"),
        ("this week", "2026-11-16", "2026-11-22"),
        ("next week", "2026-11-23", "2026-11-29"),
        ("this weekend", "2026-11-21", "2026-11-22"),
        ("next month", "2026-12-01", "2026-12-31"),
        ("the next three days", "2026-11-16", "2026-11-18"),
        ("at three tomorrow", "2026-11-17T15:00", None),
        ("from 8 to 9", "2026-11-17T08:00", "2026-11-17T09:00"),  # today that is over
    ],
)
def test_both_ends_are_what_people_mean(text: str, start: str, end: str | None) -> None:
    assert said(text) == (start, end)


@pytest.mark.parametrize(
    "text", ["9 to 10 people", "from nine lives", "search for 3 to 5 results", "go to it", ""]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert said(text) is None


@given(whole_hours, minutes, st.integers(1, 12), st.sampled_from(["tomorrow", "on 3 March 2027"]))
def test_a_span_on_the_clock_begins_and_ends_where_it_says(
    hour: int, minute: int, length: int, day: str
) -> None:
    begin = datetime.combine(MONDAY.date(), time(hour, minute))
    end = min(begin + timedelta(hours=length), begin.replace(hour=23, minute=59))
    if end <= begin:
        return
    for text in (
        f"{day} from {begin:%H:%M} to {end:%H:%M}",
        f"from {begin:%H:%M} until {end:%H:%M} {day}",
        f"between {begin:%I:%M %p} and {end:%I:%M %p} {day}",
    ):
        found = said(text)
        assert found is not None, text
        assert [moment[-5:] for moment in found if moment] == [f"{begin:%H:%M}", f"{end:%H:%M}"]


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error_and_ends_after_it_begins(text: str) -> None:
    found = interval(text, MONDAY)
    if found is None or found.start is None or found.end is None:
        return
    begin = datetime.fromisoformat(found.start.iso(MONDAY, full=True))
    assert begin <= datetime.fromisoformat(found.end.iso(MONDAY, full=True))
    assert all(0 <= a < b <= len(text) for a, b in found.spans)


def test_hours_are_those_of_the_zone_though_its_clocks_change_before_then() -> None:
    now = datetime(2026, 10, 20, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    found = interval("on 2 November from 9 to 10", now)
    assert found is not None
    assert found.start is not None
    assert found.start.iso(now, full=True) == "2026-11-02T09:00:00+01:00"
    near = interval("tomorrow from 9 to 10", now)
    assert near is not None
    assert near.start is not None
    assert near.start.iso(now, full=True) == "2026-10-21T09:00:00+02:00"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("for thirty minutes", "2026-11-17T15:30"),
        ("half an hour", "2026-11-17T15:30"),
        ("until four", "2026-11-17T16:00"),
        ("4 pm", "2026-11-17T16:00"),
        ("at 16:45", "2026-11-17T16:45"),
        ("five", "2026-11-17T17:00"),
        ("the day after tomorrow at noon", "2026-11-18T12:00"),
    ],
)
def test_an_answer_to_until_when_is_an_end_or_a_length(text: str, end: str) -> None:
    found = after(datetime(2026, 11, 17, 15, 0, tzinfo=UTC), text, MONDAY)
    assert found is not None
    assert f"{found:%Y-%m-%dT%H:%M}" == end
