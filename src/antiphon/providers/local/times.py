"""Moments in words, as a person is told them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from antiphon.providers.local.words import bare_question
from antiphon.providers.local.zones import zone


def in_words(moment: datetime, now: datetime) -> str:
    """ "Tuesday 17 November, 15:00", with the year where it is another."""
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"{moment:%A} {moment.day} {moment:%B}{year}, {moment:%H:%M}"


_ASKED = re.compile(
    r"^(?:what(?:'s| is) the (?:current )?(?:time|date)|what time is it|"
    r"what(?:'s| is) today's date|(?:what|which) (?:day|date) is (?:it|today)|how late is it)"
    r"(?: right)?(?: now| today)?"
    r"(?: (?:in|at|for) (?P<where>[^?.!]+))?[?.!\s]*$",
    re.IGNORECASE,
)


def asked_time(text: str, now: datetime) -> str:
    """What the clock says, when somebody asks for just that; empty for anything else."""
    match = _ASKED.match(bare_question(text))
    if match is None:
        return ""
    if not (place := match["where"]):
        return f"It is {in_words(now, now)}."
    found = zone(f"in {place}")
    if found is None:
        return f"I do not know the time zone of {place.strip()}."
    there = now.astimezone(ZoneInfo(str(found.value)))
    return f"In {place.strip()} it is {in_words(there, now)}."


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
