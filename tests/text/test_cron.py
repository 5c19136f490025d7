"""Cron expressions at the hours in which clocks are changed."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from antiphon.text.cron import next_times, parse_cron

BERLIN = ZoneInfo("Europe/Berlin")  # forward on 29 March 2026 at 2:00, back on 25 October at 3:00


@pytest.mark.parametrize(
    ("expression", "after", "times"),
    [
        # A time that is skipped comes an hour later, and once.
        ("30 2 * * *", "2026-03-28T12:00+01:00", ["03-29 03:30 +02", "03-30 02:30 +02"]),
        ("0,30 2-3 * * *", "2026-03-29T00:00+01:00", ["03-29 03:00 +02", "03-29 03:30 +02"]),
        # A time that comes twice counts once; every hour is every hour.
        ("30 2 * * *", "2026-10-24T12:00+02:00", ["10-25 02:30 +02", "10-26 02:30 +01"]),
        ("30 * * * *", "2026-10-25T01:45+02:00", ["10-25 02:30 +02", "10-25 02:30 +01"]),
        ("@hourly", "2026-03-29T01:30+01:00", ["03-29 03:00 +02", "03-29 04:00 +02"]),
    ],
)
def test_no_run_is_lost_or_doubled_when_clocks_change(
    expression: str, after: str, times: list[str]
) -> None:
    found = next_times(parse_cron(expression), datetime.fromisoformat(after), BERLIN, 2)
    assert [f"{each:%m-%d %H:%M} {each.isoformat()[-6:-3]}" for each in found] == times
