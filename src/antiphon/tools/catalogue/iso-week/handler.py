"""ISO week, day and quarter of a date, or the days of a week."""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from datetime import date, timedelta
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.language import WEEKDAYS

WEEK = re.compile(r"([0-9]{4})-?[Ww]([0-9]{2})(?:-?([1-7]))?")


def execute(args: dict[str, Any], context: Any) -> Any:
    text = args["date"].strip()
    day = context.now().date() if text.lower() == "today" else parse_date(text)
    year, week, weekday = day.isocalendar()
    if not date(2, 1, 1) <= day <= date(9998, 12, 31):
        raise invalid("/date", "give a year from 2 to 9998.")
    monday = day - timedelta(weekday - 1)
    return ok(
        {
            "date": day.isoformat(),
            "week": f"{year:04}-W{week:02}",
            "iso_year": year,
            "iso_week": week,
            "weekday": WEEKDAYS[weekday - 1],
            "weekday_number": weekday,
            "week_start": monday.isoformat(),
            "week_end": (monday + timedelta(6)).isoformat(),
            "weeks_in_year": date(year, 12, 28).isocalendar()[1],
            "day_of_year": day.timetuple().tm_yday,
            "days_left_in_year": (date(day.year, 12, 31) - day).days,
            "quarter": (day.month + 2) // 3,
            "days_in_month": monthrange(day.year, day.month)[1],
            "leap_year": isleap(day.year),
        }
    )


def parse_date(text: str) -> date:
    try:
        if found := WEEK.fullmatch(text):
            return date.fromisocalendar(int(found[1]), int(found[2]), int(found[3] or 1))
        return date.fromisoformat(text)
    except ValueError as error:
        raise invalid(
            "/date", f"{text[:40]!r} is no date or week ({error}); write 2026-03-01 or 2026-W09."
        ) from None
