"""The local calendar: files in and out, recurrences, daylight saving, whose events they are."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples
from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
    sqlite_template,
    sqlite_url,
    store_url,
)
from tests.workspace.calendars import DAY, TEA, found, ics, times, utc, within

from antiphon import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.calendar import LocalCalendar
from antiphon.workspace.calendar.ics_text import EventBlock
from antiphon.workspace.calendar.series import build_series

pytestmark = pytest.mark.real_time

STANDUP = """
UID:standup
DTSTART;TZID=Europe/Berlin:20260105T090000
DTEND;TZID=Europe/Berlin:20260105T091500
RRULE:FREQ=WEEKLY;BYDAY=MO
SUMMARY:Stand-up
"""
LUNCH = "UID:lunch\nDTSTART:20260113T120000Z\nDTEND:20260113T130000Z\nSUMMARY:Lunch"


async def test_what_is_imported_is_found_and_written_out_again_as_it_was(
    store_url: str,  # noqa: F811
) -> None:
    rich = (
        f"{LUNCH}\nX-COLOUR:mauve\nATTENDEE;CN=Ana:mailto:ana@example.com\n"
        "DESCRIPTION:A long line that is folded in the file\n  over two lines\n"
        "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM"
    )

    async with within(url=store_url) as calendar:
        report = await calendar.import_ics("ada", ics(rich, STANDUP))
        assert (report.added, report.updated, report.unchanged) == (2, 0, 0)
        (lunch,) = await found(calendar, "2026-01-13", "2026-01-14")
        assert (lunch.title, lunch.attendees) == ("Lunch", 1)
        assert lunch.description == "A long line that is folded in the file over two lines"
        written = (await calendar.export_ics("ada")).decode()
        for line in rich.splitlines():
            assert f"{line}\r\n" in written
        again = await calendar.import_ics("ada", written.encode(), "personal")
        assert again.added == 2
        assert times(await found(calendar, "2026-01-01", "2026-02-01", ("personal",))) == times(
            await found(calendar, "2026-01-01", "2026-02-01")
        )


async def test_importing_a_file_again_changes_only_what_changed() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(LUNCH, STANDUP))
        later = LUNCH.replace("T12", "T11")
        report = await calendar.import_ics("ada", ics(later, STANDUP))
        assert (report.added, report.updated, report.unchanged) == (0, 1, 1)
        assert times(await found(calendar, "2026-01-13", "2026-01-14")) == [
            "01-13 11:00 01-13 13:00"
        ]


async def test_an_event_without_a_uid_is_added_once() -> None:
    async with within() as calendar:
        nameless = LUNCH.replace("UID:lunch\n", "")
        assert (await calendar.import_ics("ada", ics(nameless))).added == 1
        assert (await calendar.import_ics("ada", ics(nameless))).unchanged == 1


async def test_entries_that_are_no_events_are_counted_and_not_passed_over_in_silence() -> None:
    async with within() as calendar:
        todo = "BEGIN:VTODO\nUID:t\nSUMMARY:Milk\nEND:VTODO\n"
        report = await calendar.import_ics("ada", ics(LUNCH, head=todo))
        assert report.to_dict()["others"] == {"VTODO": 1}


async def test_own_calendars_are_private_and_the_team_is_shared() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(LUNCH), "personal")
        await calendar.import_ics("ada", ics(STANDUP), "team")
        week = (utc("2026-01-12"), utc("2026-01-19"))
        everything = ("primary", "team", "personal")
        seen = await calendar.occurrences("grace", everything, *week)
        assert [one.title for one in seen] == ["Stand-up"]
        mine = await calendar.occurrences("ada", everything, *week)
        assert {one.title for one in mine} == {"Stand-up", "Lunch"}


async def test_an_event_that_was_cancelled_by_a_file_is_not_made_again() -> None:
    async with within() as calendar:
        made = await calendar.create("ada", TEA, "k")
        assert (await calendar.create("ada", TEA, "k")) == made
        out = (await calendar.export_ics("ada")).replace(b"DTSTAMP", b"STATUS:CANCELLED\r\nDTSTAMP")
        await calendar.import_ics("ada", out)
        with pytest.raises(ToolError, match="has been cancelled since"):
            await calendar.create("ada", TEA, "k")


async def test_an_event_is_deleted_by_its_owner_only() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(LUNCH))
        assert not await calendar.remove("grace", "primary", "lunch")
        assert await calendar.remove("ada", "primary", "lunch")
        assert await found(calendar, "2026-01-13", "2026-01-14") == []


# -- recurrences and daylight saving -------------------------------------------------------------


async def test_a_recurring_event_keeps_its_hour_when_clocks_change() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(STANDUP))
        assert times(await found(calendar, "2026-03-20", "2026-04-01")) == [
            "03-23 08:00 03-23 08:15",
            "03-30 07:00 03-30 07:15",
        ]


async def test_exceptions_and_moved_occurrences_are_followed() -> None:
    moved = """
UID:standup
RECURRENCE-ID;TZID=Europe/Berlin:20260119T090000
DTSTART;TZID=Europe/Berlin:20260120T100000
DTEND;TZID=Europe/Berlin:20260120T103000
SUMMARY:Stand-up, moved
"""
    series = f"{STANDUP.strip()}\nEXDATE;TZID=Europe/Berlin:20260126T090000"

    async with within() as calendar:
        await calendar.import_ics("ada", ics(series, moved))
        assert times(await found(calendar, "2026-01-12", "2026-02-03")) == [
            "01-12 08:00 01-12 08:15",
            "01-20 09:00 01-20 09:30",
            "02-02 08:00 02-02 08:15",
        ]


async def test_an_occurrence_in_the_hour_that_is_left_out_keeps_its_length() -> None:
    night = """
UID:backup
DTSTART;TZID=Europe/Berlin:20260320T023000
DTEND;TZID=Europe/Berlin:20260320T033000
RRULE:FREQ=DAILY
"""

    async with within() as calendar:
        await calendar.import_ics("ada", ics(night))
        assert times(await found(calendar, "2026-03-28", "2026-03-31")) == [
            "03-28 01:30 03-28 02:30",
            "03-29 01:30 03-29 02:30",
            "03-30 00:30 03-30 01:30",
        ]


async def test_a_day_with_a_change_of_clocks_has_its_own_length() -> None:
    day = "UID:d\nDTSTART;VALUE=DATE:20260329\nSUMMARY:Open day"
    short = "UID:s\nDTSTART;TZID=Europe/Berlin:20260328T220000\nDURATION:P1D\nSUMMARY:A day"
    hours = "UID:h\nDTSTART;TZID=Europe/Berlin:20260328T220000\nDURATION:PT25H\nSUMMARY:B hours"

    async with within() as calendar:
        await calendar.import_ics("ada", ics(day, short, hours))
        assert times(await found(calendar, "2026-03-28", "2026-03-31")) == [
            "03-28 21:00 03-29 20:00",
            "03-28 21:00 03-29 22:00",
            "03-28 23:00 03-29 22:00",
        ]


async def test_times_without_a_zone_are_meant_where_the_file_or_the_calendar_says() -> None:
    floating = "UID:f\nDTSTART:20260113T090000\nDTEND:20260113T100000"

    async with within() as calendar:
        await calendar.import_ics("ada", ics(floating))
        assert times(await found(calendar, "2026-01-13", "2026-01-14")) == [
            "01-13 08:00 01-13 09:00"
        ]
        tokyo = ics(floating, head="X-WR-TIMEZONE:Asia/Tokyo\n")
        await calendar.import_ics("ada", tokyo, "personal")
        assert times(await found(calendar, "2026-01-12", "2026-01-14", ("personal",))) == [
            "01-13 00:00 01-13 01:00"
        ]


def zone_block(name: str, offset: str) -> str:
    return (
        f"BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
        f"TZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\nEND:VTIMEZONE\n"
    )


async def test_two_files_may_mean_different_zones_by_one_name() -> None:
    def event(uid: str) -> str:
        return (
            f"UID:{uid}\nDTSTART;TZID=Head Office:20260113T090000\n"
            "DTEND;TZID=Head Office:20260113T100000"
        )

    async with within() as calendar:
        east = ics(event("east"), head=zone_block("Head Office", "+0500"))
        west = ics(event("west"), head=zone_block("Head Office", "-0500"))
        await calendar.import_ics("ada", east)
        await calendar.import_ics("ada", west)
        expected = ["01-13 04:00 01-13 05:00", "01-13 14:00 01-13 15:00"]
        assert times(await found(calendar, "2026-01-12", "2026-01-15")) == expected
        written = await calendar.export_ics("ada")
        await calendar.import_ics("ada", written, "personal")
        assert times(await found(calendar, "2026-01-12", "2026-01-15", ("personal",))) == expected


async def test_cancelled_events_are_not_there_and_transparent_ones_leave_time_free() -> None:
    async with within() as calendar:
        await calendar.import_ics(
            "ada",
            ics(
                f"{LUNCH}\nSTATUS:CANCELLED",
                LUNCH.replace("lunch", "b") + "\nTRANSP:TRANSPARENT",
                LUNCH.replace("lunch", "c") + "\nSTATUS:TENTATIVE",
            ),
        )
        day = (utc("2026-01-13"), utc("2026-01-14"))
        seen = await calendar.occurrences("ada", ("primary",), *day)
        assert {one.uid: one.status for one in seen} == {"b": "free", "c": "tentative"}
        assert [one.uid for one in await calendar.busy("ada", ("primary",), *day)] == ["c"]


BERLIN = ZoneInfo("Europe/Berlin")


@settings(max_examples=30, deadline=None)
@given(
    first=st.dates(datetime(2025, 1, 1).date(), datetime(2026, 12, 1).date()),
    hour=st.integers(4, 22),
    every=st.integers(1, 9),
    count=st.integers(1, 40),
    minutes=st.integers(15, 120),
)
def test_a_daily_rule_is_what_counting_days_on_the_wall_gives(
    first: datetime, hour: int, every: int, count: int, minutes: int
) -> None:
    """An independent count: same hour in Berlin, every few days, so many times."""
    block = EventBlock(
        1,
        "BEGIN:VEVENT\r\nUID:x\r\n"
        f"DTSTART;TZID=Europe/Berlin:{first:%Y%m%d}T{hour:02}0000\r\n"
        f"DURATION:PT{minutes}M\r\nRRULE:FREQ=DAILY;INTERVAL={every};COUNT={count}\r\n"
        "END:VEVENT\r\n",
    )
    series, problems = build_series("x", [block], {})
    assert series is not None
    assert problems == []
    expected = []
    for number in range(count):
        wall = datetime(first.year, first.month, first.day, hour) + timedelta(days=number * every)
        start = wall.replace(tzinfo=BERLIN).astimezone(UTC)
        expected.append((start, start + timedelta(minutes=minutes)))
    begin, end = expected[0][0] - DAY, expected[-1][1] + DAY
    got = sorted((one.start, one.end) for one in series.occurrences("primary", begin, end, UTC))
    assert got == expected
    low, high = series.bounds()
    assert low <= expected[0][0].timestamp()
    assert high is None or high >= expected[-1][1].timestamp()


# -- files that are wrong ------------------------------------------------------------------------

START = "UID:x\nSUMMARY:Tea\nDTSTART;TZID=Europe/Berlin:20260105T090000\nDURATION:PT1H\n"


@pytest.mark.parametrize(
    ("event", "property", "said"),
    [
        (f"{START}RRULE:FREQ=WEEKLY;BYDAY=XX", "RRULE", "XX"),
        (f"{START}RRULE:FREQ=WEEKLY;INTERVAL=0", "RRULE", "INTERVAL=0 must be 1 or more"),
        (f"{START}RRULE:FREQ=WEEKLY;COUNT=0", "RRULE", "COUNT=0 must be 1 or more"),
        (f"{START}RRULE:FREQ=WEEKLY;UNTIL=garbage", "RRULE", "garbage"),
        (f"{START}RRULE:FREQ=WEEKLY;UNTIL=20250101T000000Z", "RRULE", "lies before its start"),
        (f"{START}RRULE:FREQ=DAILY;COUNT=3;UNTIL=20260301T000000Z", "RRULE", "both COUNT and"),
        (f"{START}RRULE:INTERVAL=2", "RRULE", "FREQ is missing"),
        (f"{START}RRULE:FREQ=FORTNIGHTLY", "RRULE", "FORTNIGHTLY"),
        (f"{START}RRULE:FREQ=SECONDLY", "RRULE", "more often than a calendar can show"),
        (f"{START}RRULE:FREQ=HOURLY;BYMINUTE=0,30", "RRULE", "more than 24 times a day"),
        (f"{START}RRULE:FREQ=YEARLY;BYMONTH=13", "RRULE", "BYMONTH=13 is out of range"),
        (f"{START}RRULE:FREQ=MONTHLY;BYMONTHDAY=40", "RRULE", "BYMONTHDAY=40 is out of range"),
        (f"{START}RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "RRULE", "it never happens"),
        (f"{START}RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "RRULE", "it never happens"),
        (f"{START}RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU", "RRULE", "it never happens"),
        (f"{START}RRULE:FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31", "RRULE", "it never happens"),
        (f"{START}RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "RRULE", "it never"),
        (f"{START}RRULE:FREQ=MONTHLY;BYSETPOS=300", "RRULE", "it never happens"),
        (f"{START}RRULE:FREQ=DAILY;BYSETPOS=2", "RRULE", "BYSETPOS is larger than 1"),
        (f"{START}RRULE:FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3", "RRULE", "larger than 2"),
        (f"{START}RRULE:FREQ=WEEKLY;BYMONTHDAY=3", "RRULE", "BYMONTHDAY cannot go with"),
        (f"{START}RRULE:FREQ=DAILY;BYDAY=2MO", "RRULE", "counts days of a month"),
        (f"{START}EXDATE:yesterday", "EXDATE", "yesterday"),
        (f"{START}RDATE:someday", "RDATE", "someday"),
        ("UID:x\nSUMMARY:Tea", "DTSTART", "it is missing"),
        ("UID:x\nSUMMARY:Tea\nDTSTART:20261340T090000", "DTSTART", "20261340T090000"),
        ("UID:x\nSUMMARY:Tea\nDTSTART;TZID=Mars/Base:20260105T090000", "DTSTART", "'Mars/Base'"),
        ("UID:x\nSUMMARY:Tea\nDTSTART:00010101T090000Z", "DTSTART", "the year 1 "),
        (
            "UID:x\nSUMMARY:Tea\nDTSTART:20260105T090000Z\nDTEND:20260105T080000Z",
            "DTEND",
            "ends before it starts",
        ),
        (
            "UID:x\nSUMMARY:Tea\nDTSTART:20260105T090000Z\nDTEND;VALUE=DATE:20260106",
            "DTEND",
            "one of start and end is a day",
        ),
        ("UID:x\nSUMMARY:Tea\nDTSTART:20260105T090000Z\nDURATION:-PT1H", "DURATION", "before it"),
    ],
)
async def test_a_broken_event_is_reported_and_nothing_is_imported_unless_it_may_be_skipped(
    event: str, property: str, said: str
) -> None:
    data = ics(LUNCH, event, STANDUP)

    async with within() as calendar:
        with pytest.raises(ToolError) as caught:
            await calendar.import_ics("ada", data)
        assert caught.value.type is ErrorType.VALIDATION
        assert "line 10: the event 'Tea'" in caught.value.message
        (told,) = caught.value.body["events"]
        assert (told["line"], told["title"], told["property"]) == (10, "Tea", property)
        assert said in told["problem"]
        assert await found(calendar, "2026-01-01", "2026-02-01") == []

        report = await calendar.import_ics("ada", data, skip_broken=True)
        assert report.added == 2
        assert [problem.title for problem in report.skipped] == ["Tea"]
        assert {one.uid for one in await found(calendar, "2026-01-13", "2026-01-20")} == {
            *("lunch", "standup")
        }


async def test_two_different_events_with_one_uid_are_reported() -> None:
    other = LUNCH.replace("Lunch", "Dinner")

    async with within() as calendar:
        with pytest.raises(ToolError, match="'Dinner': UID: another event of the file has the"):
            await calendar.import_ics("ada", ics(LUNCH, other))
        assert (await calendar.import_ics("ada", ics(LUNCH, LUNCH))).added == 1


async def test_a_file_that_is_cut_off_says_where_and_keeps_what_is_whole() -> None:
    data = ics(LUNCH, STANDUP)
    cut = data[: data.index(b"RRULE")]

    async with within() as calendar:
        with pytest.raises(ToolError, match="the file ends in the middle of it"):
            await calendar.import_ics("ada", cut)
        report = await calendar.import_ics("ada", cut, skip_broken=True)
        assert report.added == 1
        assert len(report.skipped) == 1


async def test_an_event_that_does_not_end_does_not_take_the_next_one_with_it() -> None:
    data = ics(LUNCH, STANDUP).replace(b"SUMMARY:Lunch\nEND:VEVENT\n", b"SUMMARY:Lunch\n")

    async with within() as calendar:
        with pytest.raises(ToolError, match="'Lunch': VEVENT: does not end before VEVENT begins"):
            await calendar.import_ics("ada", data)
        assert (await calendar.import_ics("ada", data, skip_broken=True)).added == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "there is no BEGIN:VCALENDAR"),
        (b"hello", "line 1 stands outside of a calendar"),
        (b"BEGIN:VEVENT\nEND:VEVENT\n", "line 1 begins VEVENT outside of a calendar"),
        (b"BEGIN:VCALENDAR\nX:\xff\xfe\nEND:VCALENDAR\n", "line 2 is not UTF-8"),
        (b"BEGIN:VCALENDAR\nX:\0\nEND:VCALENDAR\n", "it is binary"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is not UTF-8"),
        (b"x" * (10 * 1024 * 1024 + 1), "at most 10,485,760"),
    ],
)
async def test_a_file_that_is_no_calendar_is_refused(data: bytes, said: str) -> None:
    async with within() as calendar:
        with pytest.raises(ToolError) as caught:
            await calendar.import_ics("ada", data, skip_broken=True)
        assert caught.value.type is ErrorType.VALIDATION
        assert said in caught.value.message


async def test_a_calendar_that_is_not_there_is_named() -> None:
    async with within() as calendar:
        with pytest.raises(ToolError, match="no calendar 'work'; there are primary, team"):
            await calendar.import_ics("ada", ics(LUNCH), "work")


LINES = st.lists(
    st.sampled_from(
        [
            *("BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "UID:a"),
            *("BEGIN:VALARM", "END:VALARM", "DTSTART:20260105T090000Z", "RRULE:FREQ=DAILY"),
            *("BEGIN:VTIMEZONE", "END:VTIMEZONE", "TZID:Here", " folded", "", "SUMMARY:x"),
            *("DTSTART;TZID=Here:20260105T090000", "RRULE:FREQ", "no colon", ":", "END:"),
        ]
    ),
    max_size=25,
)


def test_any_lines_are_imported_or_refused_in_words() -> None:
    async def attempt(calendar: LocalCalendar, lines: list[str]) -> None:
        with suppress(ToolError):  # anything else is a defect
            await calendar.import_ics("ada", "\n".join(lines).encode(), skip_broken=True)
        await found(calendar, "2026-01-01", "2026-02-01")
        await calendar.export_ics("ada")

    async def opened() -> Store:
        return Store.open()

    with asyncio.Runner() as runner:
        store = runner.run(opened())
        calendar = LocalCalendar(store, "Europe/Berlin")

        @settings(max_examples=examples(150), deadline=None)
        @given(LINES)
        def any_lines(lines: list[str]) -> None:
            runner.run(attempt(calendar, lines))

        try:
            any_lines()
        finally:
            runner.run(store.close())


async def test_an_event_with_a_title_of_megabytes_is_refused_in_a_few_words() -> None:
    async with within() as calendar:
        huge = LUNCH.replace("SUMMARY:Lunch", "SUMMARY:" + "x" * 1_000_000)
        with pytest.raises(ToolError) as caught:
            await calendar.import_ics("ada", ics(huge))
        assert "at most 2,000 are taken" in caught.value.message
        assert len(caught.value.message) < 1_000
        report = await calendar.import_ics("ada", ics(huge, STANDUP), skip_broken=True)
        assert (report.added, len(report.skipped)) == (1, 1)
