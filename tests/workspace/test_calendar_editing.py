"""Changing events in place: what nobody touched stays as it was written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.workspace.calendars import found, ics, times, utc, within

from antiphon import ToolError
from antiphon.workspace.calendar import LocalCalendar, NewEvent
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.validation import parse_event

pytestmark = pytest.mark.real_time

BERLIN = zone_named("Europe/Berlin")
WEEKLY = """
UID:weekly
SEQUENCE:3
SUMMARY:Weekly talk with a title that is long enough to be folded when it is
  written into a file
DTSTART;TZID=Europe/Berlin:20260105T090000
DTEND;TZID=Europe/Berlin:20260105T100000
RRULE:FREQ=WEEKLY;COUNT=4
ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.com
ATTENDEE;CN="Bo: the second":MAILTO:bo@example.com
X-COLOUR:blue
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Soon
TRIGGER:-PT10M
END:VALARM
"""
DAYS = """
UID:days
SUMMARY:Fair
DTSTART;VALUE=DATE:20260110
DTEND;VALUE=DATE:20260112
RRULE:FREQ=MONTHLY;COUNT=3
"""
FOREIGN = """
UID:foreign
SUMMARY:Far away
DTSTART;TZID=Studio Time:20260105T090000
DTEND;TZID=Studio Time:20260105T100000
RRULE:FREQ=DAILY;COUNT=3
"""
STUDIO = """\
BEGIN:VTIMEZONE
TZID:Studio Time
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0300
TZOFFSETTO:+0300
END:STANDARD
END:VTIMEZONE
"""


def event(**changes: Any) -> NewEvent:
    """The weekly talk with something else in it."""
    body: dict[str, Any] = {
        "title": "Weekly talk with a title that is long enough to be folded when it is "
        "written into a file",
        "start": "2026-01-05T09:00",
        "end": "2026-01-05T10:00",
        "time_zone": "Europe/Berlin",
        "attendees": ["ana@example.com", "bo@example.com"],
        "recurrence": "FREQ=WEEKLY;COUNT=4",
    }
    return parse_event(default=BERLIN, **{**body, **changes})


async def starts(calendar: LocalCalendar, until: str = "2026-04-30T00:00:00") -> list[str]:
    everything = await found(calendar, "2026-01-01T00:00:00", until)
    return [f"{one.start:%m-%d %H:%M} {one.title[:6]}" for one in everything]


async def text(calendar: LocalCalendar) -> str:
    return (await calendar.export_ics("ada")).decode()


async def test_an_event_is_read_as_a_form_shows_it() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(WEEKLY, DAYS, FOREIGN, head=STUDIO))
        weekly = await calendar.read("ada", "primary", "weekly")
        assert weekly is not None
        assert (weekly.zone, weekly.recurrence) == ("Europe/Berlin", "FREQ=WEEKLY;COUNT=4")
        assert weekly.attendees == ("ana@example.com", "bo@example.com")
        assert (weekly.recurring, weekly.all_day, weekly.exceptions) == (True, False, 0)
        days = await calendar.read("ada", "primary", "days", datetime(2026, 2, 9, 23, tzinfo=UTC))
        assert days is not None
        assert (f"{days.start:%m-%d}", f"{days.end:%m-%d}") == ("02-10", "02-12")
        assert (days.all_day, days.recurrence) == (True, None)
        foreign = await calendar.read("ada", "primary", "foreign")
        assert foreign is not None
        assert foreign.zone is None
        assert foreign.start.astimezone(UTC) == utc("2026-01-05T06:00:00")
        for user, uid, place in (
            ("ada", "none", None),
            ("eve", "weekly", None),
            ("ada", "weekly", utc("2026-01-06T08:00:00")),
        ):
            assert await calendar.read(user, "primary", uid, place) is None


async def test_a_new_title_leaves_every_other_line_as_it_was() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(WEEKLY))
        before = (await text(calendar)).splitlines()
        assert await calendar.change("ada", "weekly", event(title="Short")) == 0
        after = (await text(calendar)).splitlines()
        gone = [line for line in before if line not in after]
        new = [line for line in after if line not in before]
        assert gone[0] == "SEQUENCE:3"
        assert len(gone) == 3  # and the title with the line that it went on with
        assert {"SUMMARY:Short", "SEQUENCE:4"} <= set(new)
        assert {line.partition(":")[0] for line in new} == {
            *("SUMMARY", "SEQUENCE", "LAST-MODIFIED", "DTSTAMP"),
        }


async def test_who_stays_keeps_their_answer_and_who_goes_is_gone() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(WEEKLY))
        await calendar.change(
            "ada", "weekly", event(attendees=["ana@example.com", "cy@example.com"])
        )
        lines = [line for line in (await text(calendar)).splitlines() if "ATTENDEE" in line]
        assert lines == [
            "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.com",
            "ATTENDEE:mailto:cy@example.com",
        ]


async def test_one_time_of_a_series_is_moved_changed_again_and_left_out() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(WEEKLY))
        place = utc("2026-01-12T08:00:00")
        once = {"recurrence": None, "start": "2026-01-13T15:00", "end": "2026-01-13T16:30"}
        assert await calendar.change("ada", "weekly", event(title="Moved", **once), place) == 0
        assert await starts(calendar) == [
            *("01-05 08:00 Weekly", "01-13 14:00 Moved", "01-19 08:00 Weekly"),
            "01-26 08:00 Weekly",
        ]
        (moved,) = await found(calendar, "2026-01-13", "2026-01-14")
        assert moved.place == place
        again = event(title="Again", **once)
        assert await calendar.change("ada", "weekly", again, place) == 0
        read = await calendar.read("ada", "primary", "weekly", place)
        assert read is not None
        assert (read.title, read.end.hour) == ("Again", 16)
        assert await calendar.remove("ada", "primary", "weekly", place)
        assert not await calendar.remove("ada", "primary", "weekly", place)
        assert len(await starts(calendar)) == 3
        # A title of the series changes no exception; a time does, and says how many.
        assert await calendar.change("ada", "weekly", event(title="Series")) == 0
        assert len(await starts(calendar)) == 3
        later = event(start="2026-01-05T11:00", end="2026-01-05T12:00")
        assert await calendar.change("ada", "weekly", later) == 1
        assert [each[:11] for each in await starts(calendar)] == [
            *("01-05 10:00", "01-12 10:00", "01-19 10:00", "01-26 10:00"),
        ]


async def test_days_and_zones_of_other_programs_are_left_out_in_their_own_form() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(DAYS, FOREIGN, head=STUDIO))
        (day,) = await found(calendar, "2026-02-10T00:00:00", "2026-02-11T00:00:00")
        assert day.place is not None
        assert await calendar.remove("ada", "primary", "days", day.place)
        assert await calendar.remove("ada", "primary", "foreign", utc("2026-01-06T06:00:00"))
        written = await text(calendar)
        assert "EXDATE;VALUE=DATE:20260210\r\n" in written
        assert "EXDATE;TZID=Studio Time:20260106T090000\r\n" in written
        assert [each[:5] for each in await starts(calendar)] == ["01-05", "01-07", "01-09", "03-09"]
        # Nothing of its times was asked to change, so the zone that only the file knows stays.
        foreign = await calendar.read("ada", "primary", "foreign")
        assert foreign is not None
        kept = event(
            title="Nearer",
            start=foreign.start.isoformat(),
            end=foreign.end.isoformat(),
            time_zone=None,
            recurrence=foreign.recurrence,
            attendees=[],
        )
        assert await calendar.change("ada", "foreign", kept) == 0
        assert "DTSTART;TZID=Studio Time:20260105T090000" in await text(calendar)


async def test_an_event_becomes_whole_days_and_a_single_time() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(WEEKLY))
        days = event(start="2026-01-07", end="2026-01-08", all_day=True, recurrence=None)
        await calendar.change("ada", "weekly", days)
        (one,) = await found(calendar, "2026-01-01T00:00:00", "2026-03-01T00:00:00")
        assert times([one]) == ["01-06 23:00 01-08 23:00"]
        assert one.days is not None
        assert [str(day) for day in one.days] == ["2026-01-07", "2026-01-08"]
        assert (one.all_day, one.recurring, one.place) == (True, False, None)


async def test_a_series_without_any_time_left_is_gone() -> None:
    async with within() as calendar:
        await calendar.import_ics("ada", ics(DAYS))
        for one in await found(calendar, "2026-01-01T00:00:00", "2026-12-01T00:00:00"):
            assert await calendar.remove("ada", "primary", "days", one.place)
        assert await calendar.read("ada", "primary", "days") is None
        assert "VEVENT" not in await text(calendar)


async def test_an_exception_without_its_series_is_not_changed() -> None:
    alone = "UID:alone\nRECURRENCE-ID:20260105T090000Z\nDTSTART:20260105T100000Z\nSUMMARY:x"

    async with within() as calendar:
        await calendar.import_ics("ada", ics(alone))
        with pytest.raises(ToolError, match="can be deleted, but not changed"):
            await calendar.read("ada", "primary", "alone")
        assert await calendar.remove("ada", "primary", "alone")
