"""When recurring events happen: rules, added and left out days, instances that differ."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from antiphon.workspace.calendar.ics_text import EventBlock
from antiphon.workspace.calendar.series import build_series

BERLIN = ZoneInfo("Europe/Berlin")


def written(event: str) -> str:
    return "\r\n".join(["BEGIN:VEVENT", "UID:series", *event.split(), "END:VEVENT", ""])


def happens(*events: str, since: str = "2026-03-01", days: int = 60) -> list[str]:
    """The starts of a series in Berlin, each with its title and how long it takes."""
    blocks = [EventBlock(1, written(event)) for event in events]
    series, problems = build_series("series", blocks, {})
    assert series is not None, problems
    start = datetime.fromisoformat(since).replace(tzinfo=UTC)
    found = series.occurrences("primary", start, start + timedelta(days=days), BERLIN)
    return [
        f"{each.start.astimezone(BERLIN):%m-%d %H:%M} {each.title} {each.end - each.start}"
        for each in sorted(found, key=lambda each: (each.start, each.title))
    ]


NINE = """
DTSTART;TZID=Europe/Berlin:20260302T090000
DTEND;TZID=Europe/Berlin:20260302T100000
SUMMARY:nine
"""


def test_nine_stays_nine_when_clocks_change_and_the_last_one_counts() -> None:
    assert happens(f"{NINE} RRULE:FREQ=WEEKLY;UNTIL=20260330T070000Z") == [
        f"{day} 09:00 nine 1:00:00" for day in ("03-02", "03-09", "03-16", "03-23", "03-30")
    ]
    assert happens(f"{NINE} RRULE:FREQ=WEEKLY;UNTIL=20260330T065959Z")[-1].startswith("03-23")


def test_days_are_left_out_by_time_or_by_day_and_added() -> None:
    rule = "RRULE:FREQ=DAILY;COUNT=5"
    without = "EXDATE;TZID=Europe/Berlin:20260303T090000 EXDATE;VALUE=DATE:20260304"
    more = "RDATE:20260320T110000Z RDATE;VALUE=PERIOD:20260321T110000Z/PT3H"
    assert happens(f"{NINE} {rule} {without} {more}") == [
        "03-02 09:00 nine 1:00:00",
        "03-05 09:00 nine 1:00:00",
        "03-06 09:00 nine 1:00:00",
        "03-20 12:00 nine 1:00:00",
        "03-21 12:00 nine 3:00:00",
    ]


def test_the_first_time_counts_even_where_the_rule_has_it_not() -> None:
    assert [each[:5] for each in happens(f"{NINE} RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2")] == [
        "03-02",
        "03-03",
        "03-10",
    ]


def moved(to: str, *, at: str = "20260309T090000", title: str = "moved", more: str = "") -> str:
    return f"""
RECURRENCE-ID{more};TZID=Europe/Berlin:{at}
DTSTART;TZID=Europe/Berlin:{to}
DURATION:PT30M
SUMMARY:{title}
"""


def test_one_instance_is_moved_and_its_newest_version_counts() -> None:
    series = f"{NINE} RRULE:FREQ=WEEKLY;COUNT=3"
    older, newer = moved("20260310T080000", title="older"), moved("20260311T080000")
    assert happens(series, f"{newer} SEQUENCE:2", f"{older} SEQUENCE:1") == [
        "03-02 09:00 nine 1:00:00",
        "03-11 08:00 moved 0:30:00",
        "03-16 09:00 nine 1:00:00",
    ]


def test_from_one_instance_on_all_are_moved() -> None:
    series = f"{NINE} RRULE:FREQ=WEEKLY;COUNT=5"
    onward = moved("20260309T110000", more=";RANGE=THISANDFUTURE")
    alone = moved("20260323T200000", at="20260323T090000", title="alone")
    assert happens(series, onward, alone) == [
        "03-02 09:00 nine 1:00:00",
        "03-09 11:00 moved 0:30:00",
        "03-16 11:00 moved 0:30:00",
        "03-23 20:00 alone 0:30:00",
        "03-30 11:00 moved 0:30:00",
    ]


def test_an_instance_moved_far_away_is_found_where_it_is() -> None:
    series = f"{NINE} RRULE:FREQ=WEEKLY;COUNT=3"
    assert happens(series, moved("20270105T080000"), since="2027-01-01") == [
        "01-05 08:00 moved 0:30:00"
    ]


def test_whole_days_are_days_where_clocks_change() -> None:
    day = "DTSTART;VALUE=DATE:20260327 SUMMARY:day RRULE:FREQ=DAILY;UNTIL=20260330"
    assert happens(day) == [
        "03-27 00:00 day 1 day, 0:00:00",
        "03-28 00:00 day 1 day, 0:00:00",
        "03-29 00:00 day 23:00:00",
        "03-30 00:00 day 1 day, 0:00:00",
    ]


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"])
def test_rules_that_cannot_be_followed_are_refused(rule: str) -> None:
    block = EventBlock(1, written(f"{NINE} RRULE:{rule}"))
    series, problems = build_series("series", [block], {})
    assert series is None
    assert [problem.property for problem in problems] == ["RRULE"]
