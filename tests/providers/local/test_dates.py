"""Dates and times as people say them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.providers.local.dates import DAYS, MONTHS, moments

MONDAY = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
days = st.dates(date(1970, 1, 1), date(2099, 12, 31))
times = st.times().map(lambda t: t.replace(second=0, microsecond=0))
nows = st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))


def said(text: str, now: datetime = MONDAY) -> list[str]:
    return [when.iso(now) for when in moments(text, now)]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("tomorrow at 9", "2026-11-17T09:00"),
        ("next Monday", "2026-11-23"),
        ("Monday at 9", "2026-11-23T09:00"),
        ("on Friday at a quarter to five in the afternoon", "2026-11-20T16:45"),
        ("the third of March at half past two", "2027-03-03T14:30"),
        ("March 3rd, 2027 at noon", "2027-03-03T12:00"),
        ("5 pm on 3 March 2027", "2027-03-03T17:00"),
        ("the day after tomorrow", "2026-11-18"),
        ("in three days", "2026-11-19"),
        ("two weeks ago", "2026-11-02"),
        ("in an hour", "2026-11-16T11:00"),
        ("last Tuesday", "2026-11-10"),
        ("next month", "2026-12-16"),
        ("at 11 at night", "23:00"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("29 February", "2028-02-29"),
        ("2026-03-03 at 3 pm", "2026-03-03T15:00"),
        ("2026-03-03T14:30:00Z", "2026-03-03T14:30:00Z"),
    ],
)
def test_a_phrase_is_the_date_that_people_mean(text: str, iso: str) -> None:
    assert said(text) == [iso]


@pytest.mark.parametrize("text", ["30 February 2027", "25:70", "from nine lives", "may I come"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert said(text) == []


@given(days, nows)
def test_a_written_date_is_that_date_whatever_the_order_of_its_parts(
    day: date, now: datetime
) -> None:
    month = MONTHS[day.month - 1].capitalize()
    for text in (
        f"{day.day} {month} {day.year}",
        f"the {day.day}th of {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        day.isoformat(),
    ):
        assert said(f"is it {text}?", now) == [day.isoformat()]


@given(times)
def test_a_time_on_the_clock_is_that_time(at: time) -> None:
    text = at.strftime("%H:%M")
    assert said(f"at {text}") == [text]
    twelve = at.strftime("%I:%M %p").lstrip("0")
    assert said(f"at {twelve}") == [text]


@given(st.sampled_from(DAYS), nows)
def test_a_weekday_is_the_next_one_within_a_week(name: str, now: datetime) -> None:
    found = date.fromisoformat(said(f"on {name}", now)[0])
    assert timedelta(0) < found - now.date() <= timedelta(days=7)
    assert found.weekday() == DAYS.index(name)


@given(st.integers(1, 500), st.sampled_from(["day", "week"]), nows)
def test_so_many_days_from_now_and_ago_are_as_far_from_today(
    count: int, unit: str, now: datetime
) -> None:
    length = timedelta(**{f"{unit}s": count})
    assert said(f"in {count} {unit}s", now) == [(now + length).date().isoformat()]
    assert said(f"{count} {unit}s ago", now) == [(now - length).date().isoformat()]


@given(days, times, nows)
def test_a_full_moment_has_an_offset_and_is_what_was_said(
    day: date, at: time, now: datetime
) -> None:
    (when,) = moments(f"{day.day} {MONTHS[day.month - 1]} {day.year} at {at:%H:%M}", now)
    assert datetime.fromisoformat(when.iso(now, full=True)) == datetime.combine(day, at, UTC)


@given(st.text(max_size=80), nows)
def test_any_text_is_read_without_an_error(text: str, now: datetime) -> None:
    for when in moments(text, now):
        assert 0 <= when.start < when.end <= len(text)
        assert when.iso(now)
        assert datetime.fromisoformat(when.iso(now, full=True)).tzinfo
