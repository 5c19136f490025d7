"""Time intervals in an utterance: "tomorrow from 3 to 4 pm", "at ten for an hour"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from antiphon.providers.local.dates import When, moments
from antiphon.providers.local.free_text_slot import Span
from antiphon.providers.local.numbers import Duration, durations, numbers

# What people call a part of the day, from and until.
PARTS = {
    "morning": (time(8), time(12)),
    "afternoon": (time(12), time(17)),
    "evening": (time(17), time(22)),
    "night": (time(20), time(23, 59)),
}
_PART = re.compile(
    r"\b(?:(?P<this>this|in the|the)\s+)?(?P<part>morning|afternoon|evening|night)\b", re.IGNORECASE
)
_WEEK = re.compile(
    r"\b(?:for\s+|in\s+|during\s+)?"
    r"(?P<which>this|next|the next|the coming|my|the|the rest of the)"
    r"\s+(?P<unit>week|month|weekend)\b",
    re.IGNORECASE,
)
_DAYS = re.compile(r"\b(?:for\s+|in\s+|during\s+)?the next\s+", re.IGNORECASE)
_TO = re.compile(
    r"\s*(?:to|and|until|till|through|up to|-|\u2013)\s*(?:at\s+|on\s+)?", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:after|from|starting)\s+(?:at\s+)?$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:before|until|till|by|ending)\s+(?:at\s+)?$", re.IGNORECASE)
_FOR = re.compile(r"\b(?:for|lasting|of|about|within)\s+(?:about\s+)?$", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:\b(?:on|at|from|for|before|after|until|till|by|in|during|starting|ending)\s++){1,6}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """Either end may be open. `spans` are where in the text it stands."""

    start: When | None
    end: When | None
    spans: tuple[Span, ...]


def interval(text: str, now: datetime) -> Interval | None:
    """The stretch of time that a text speaks of; None when it speaks of none."""
    found = _weeks(text, now) or _several_days(text, now) or _said(text, now)
    if found is None:
        return None
    # "On Friday": the word before belongs to it.
    spans = [(lead.start() if (lead := _LEAD.search(text[:a])) else a, b) for a, b in found.spans]
    return replace(found, spans=tuple(sorted(spans)))


def after(start: datetime, text: str, now: datetime) -> datetime | None:
    """When something ends that begins at `start`, from an answer to "until when?"."""
    for found in durations(text):
        return start + timedelta(seconds=found.seconds)
    for when in moments(text, now):
        day = when.day or start.date()
        if when.literal is not None:
            literal = datetime.fromisoformat(when.literal)
            return literal if literal.tzinfo else literal.replace(tzinfo=start.tzinfo)
        if when.at is None:
            return None
        made = datetime.combine(day, when.at, start.tzinfo)
        half = timedelta(hours=12)
        if made <= start < made + half and when.at.hour < 12:
            made += half
        return made
    bare = [n for n in numbers(text) if isinstance(n.value, int) and 1 <= n.value <= 23]
    if len(bare) == 1 and text.strip(" .!").endswith(text[bare[0].start : bare[0].end]):
        return after(start, f"at {bare[0].value}", now)
    return None


# -- what was said


def _said(text: str, now: datetime) -> Interval | None:
    found = moments(text, now)
    day = next((when for when in found if when.day is not None), None)
    pair = _pair(text, found)
    if pair is not None:
        return _between(*pair, day, now)
    timed = next((when for when in found if when.at is not None or when.literal), None)
    length = _length(text, found)
    if timed is not None:
        return _from(text, timed, day, length, now)
    part = _part(text, found)
    if part is not None:
        return _part_of_day(part, day, now)
    if day is not None:
        spans = [(day.start, day.end)]
        if length is not None:
            spans.append((length.start, length.end))
        return Interval(day, replace(day), tuple(spans))
    return None


def _pair(text: str, found: Sequence[When]) -> tuple[When, When] | None:
    """Two moments with "to" between them. A day may stand beside either, or before both."""
    for first, second in pairwise(found):
        same = (first.at is None) == (second.at is None) or first.literal or second.literal
        if same and _TO.fullmatch(text[first.end : second.start]):
            return first, second
    return None


def _between(first: When, second: When, day: When | None, now: datetime) -> Interval:
    spans = [(first.start, second.end)]
    named = first.day or second.day or (day.day if day is not None else None)
    if day is not None and not first.start <= day.start < second.end:
        spans.append((day.start, day.end))
    start = first if first.literal else replace(first, day=first.day or named)
    end = second if second.literal else replace(second, day=second.day or start.day or named)
    if start.day and end.day and end.day < start.day and (start.day - end.day).days < 7:
        end = replace(end, day=end.day + timedelta(days=7))  # "from Monday to Wednesday"
    if start.day is None and not start.literal and start.at is not None and end.at is not None:
        # A time without a day is the next one: of both ends, the same day's.
        over = end.at <= now.time()
        today = now.date() + timedelta(days=int(over))
        start, end = replace(start, day=today), replace(end, day=today)
    return Interval(start, end, tuple(spans))


def _from(
    text: str, timed: When, day: When | None, length: Duration | None, now: datetime
) -> Interval:
    spans = [(timed.start, timed.end)]
    when = timed
    if not timed.literal and timed.day is None:
        chosen = day.day if day is not None else _next_at(timed.at, now)
        when = replace(timed, day=chosen)
        if day is not None:
            spans.append((day.start, day.end))
    if length is not None:
        spans.append((length.start, length.end))
        return Interval(when, _later(when, length.seconds, now), tuple(spans))
    before = text[: timed.start]
    if _UNTIL.search(before) and when.day is not None:
        today = when.day == now.date()
        start = now.time().replace(second=0, microsecond=0) if today else time(0)
        return Interval(replace(when, at=start), when, tuple(spans))
    if _SINCE.search(before) and when.day is not None:
        return Interval(when, replace(when, at=time(23, 59)), tuple(spans))
    return Interval(when, None, tuple(spans))


def _next_at(at: time | None, now: datetime) -> date:
    over = at is not None and at <= now.time()
    return now.date() + timedelta(days=int(over))


def _later(when: When, seconds: float, now: datetime) -> When:
    begin = datetime.fromisoformat(when.iso(now, full=True))
    end = begin + timedelta(seconds=seconds)
    return When(when.start, when.end, end.date(), end.time())


def _length(text: str, found: Sequence[When]) -> Duration | None:
    """A length of time that is no part of a moment: "for an hour", but not "in an hour"."""
    free = [
        one
        for one in durations(text)
        if not any(one.start < when.end and one.end > when.start for when in found)
    ]
    led = [one for one in free if _FOR.search(text[: one.start])]
    chosen = next(iter(led or free), None)
    if chosen is None:
        return None
    lead = _FOR.search(text[: chosen.start])
    return replace(chosen, start=lead.start()) if lead else chosen


def _part(text: str, found: Sequence[When]) -> re.Match[str] | None:
    """A part of the day, of a day that is named before it or of this one."""
    for match in _PART.finditer(text):
        if match["this"] or any(
            when.day is not None and not text[when.end : match.start()].strip() for when in found
        ):
            return match
    return None


def _part_of_day(part: re.Match[str], day: When | None, now: datetime) -> Interval:
    since, until = PARTS[part["part"].lower()]
    date_of = day.day if day is not None and day.day is not None else now.date()
    if day is None and until <= now.time():
        date_of += timedelta(days=1)
    begin = When(part.start(), part.end(), date_of, since)
    spans = [(part.start(), part.end())]
    if day is not None:
        spans.append((day.start, day.end))
    return Interval(begin, replace(begin, at=until), tuple(spans))


def _weeks(text: str, now: datetime) -> Interval | None:
    match = _WEEK.search(text)
    if match is None or any(when.at or when.literal for when in moments(text, now)):
        return None
    today, unit = now.date(), match["unit"].lower()
    following = "next" in match["which"].lower() or "coming" in match["which"].lower()
    if unit == "month":
        first = today.replace(day=1)
        later = (first + timedelta(days=32)).replace(day=1)
        start, end = (
            (later, (later + timedelta(days=32)).replace(day=1))
            if following
            else (
                today,
                later,
            )
        )
        end -= timedelta(days=1)
    else:
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * following)
        end = monday + timedelta(days=6)
        start = end - timedelta(days=1) if unit == "weekend" else max(monday, today)
        start = max(start, today)
    span = match.span()
    return Interval(When(*span, start), When(*span, end), (span,))


def _several_days(text: str, now: datetime) -> Interval | None:
    """ "The next three days"."""
    lead = _DAYS.search(text)
    if lead is None:
        return None
    for found in durations(text):
        if found.start == lead.end() and found.seconds >= 86_400:
            span = lead.start(), found.end
            last = now.date() + timedelta(seconds=found.seconds) - timedelta(days=1)
            return Interval(When(*span, now.date()), When(*span, last), (span,))
    return None
