"""Moments in words, as they are told to a person."""

from __future__ import annotations

from datetime import datetime, timedelta


def in_words(moment: datetime, now: datetime) -> str:
    """ "Tuesday 17 November, 15:00", with the year where it is another."""
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"{moment:%A} {moment.day} {moment:%B}{year}, {moment:%H:%M}"


def stretch(start: str, end: str) -> str:
    """From one ISO moment to another: "Tuesday 17 November, 15:00 to 16:00"."""
    try:
        begin, finish = datetime.fromisoformat(start), datetime.fromisoformat(end)
    except ValueError:
        return f"{start} to {end}"
    day = f"{begin:%A} {begin.day} {begin:%B}"
    if finish - begin == timedelta(days=1) and begin.time() == finish.time():
        return f"all of {day}" if f"{begin:%H:%M}" == "00:00" else f"{day}, from {begin:%H:%M}"
    if begin.date() == finish.date():
        return f"{day}, {begin:%H:%M} to {finish:%H:%M}"
    return f"{day}, {begin:%H:%M} to {finish:%A} {finish.day} {finish:%B}, {finish:%H:%M}"
