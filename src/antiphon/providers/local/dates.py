"""Dates and times in an utterance: "tomorrow at 9", "next Monday", "3 March at half past two"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from antiphon.providers.local.clock import clocks
from antiphon.providers.local.numbers import ORDINALS, numbers
from antiphon.text import calendar_names

DAYS = [name.lower() for name in calendar_names.WEEKDAYS]
MONTHS = [name.lower() for name in calendar_names.MONTHS]
_MONTH = "|".join([*MONTHS, *(f"{month[:3]}\\b\\.?" for month in MONTHS if month != "may")])
_DAY = "|".join(DAYS)
_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_NTH = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"

_ISO = re.compile(
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])"
)
_CALENDAR = re.compile(
    rf"\b(?:the\s+)?(?P<day>{_NTH})\s+(?:of\s+)?(?P<month>{_MONTH})(?:,?\s+(?P<year>\d{{4}}))?\b"
    rf"|\b(?P<month2>{_MONTH})\s+(?:the\s+)?(?P<day2>{_NTH})\b(?!:)(?:,?\s+(?P<year2>\d{{4}})\b)?",
    re.IGNORECASE,
)
# "Between 3 and 5 March": the month of the second is that of the first.
_FIRST_OF_TWO = re.compile(
    rf"\b(?:from|between)\s+(?:the\s+)?({_NTH})\s+(?:to|and|until|till)\s+$", re.IGNORECASE
)
_NEAR = re.compile(
    r"\b(?:the\s+)?(day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<which>next|this|last|coming|past)\s+|on\s+)?(?P<name>{_DAY})s?\b", re.IGNORECASE
)
_SPAN = re.compile(r"\b(?P<which>next|last)\s+(?P<unit>week|month|year)\b", re.IGNORECASE)
_NEAR_EACH_OTHER = re.compile(
    r"\s*+(?:morning|afternoon|evening|night)?\s*+,?\s*+(?:at|on|the|of|in the|from)?\s*+",
    re.IGNORECASE,
)
# "Fit in an hour" says how long, not when.
_IN = re.compile(
    r"(?<!\bfit )(?<!\bget )(?<!\bput )(?<!\bslot )(?<!\bsqueeze )\b(?:in|within)\s+$",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?P<unit>minute|hour|day|week|month|year)s?\b(?P<ago>\s+ago|\s+from now)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class When:
    """A date, a time of day, or both. `literal` is an ISO form that stood in the text as it is."""

    start: int
    end: int
    day: date | None = None
    at: time | None = None
    literal: str | None = None

    def iso(self, now: datetime, *, full: bool = False) -> str:
        """As ISO 8601: as much as was said, or with `full` a date-time with its offset."""
        if self.literal is not None:
            moment = datetime.fromisoformat(self.literal)
            if not full or moment.tzinfo is not None:
                return self.literal
            return moment.replace(tzinfo=now.tzinfo).isoformat()
        if full:
            day = self.day or now.date()
            moment = datetime.combine(day, self.at or time(0), now.tzinfo)
            if self.day is None and moment < now:
                moment += timedelta(days=1)  # a time that is over today means tomorrow's
            return moment.isoformat()
        if self.day is None:
            assert self.at is not None
            return self.at.strftime("%H:%M")
        if self.at is None:
            return self.day.isoformat()
        return datetime.combine(self.day, self.at).strftime("%Y-%m-%dT%H:%M")


def moments(text: str, now: datetime) -> list[When]:
    """Every date and time of a text, in its order; a time beside a date belongs to it."""
    found: list[When] = []

    def add(*whens: When) -> None:
        if all(w.end <= other.start or w.start >= other.end for w in whens for other in found):
            found.extend(whens)

    for make in (_iso, _calendar, _near, _away, _spans, _weekdays):
        for when in make(text, now):
            add(when)
    for group in _clock(text, now):
        add(*group)
    return _together(text, sorted(found, key=lambda when: when.start))


def _iso(text: str, now: datetime) -> list[When]:
    del now
    found = []
    for m in _ISO.finditer(text):
        try:
            moment = datetime.fromisoformat(m.group())
        except ValueError:
            continue
        if len(m.group()) == len("2026-03-03"):
            found.append(When(m.start(), m.end(), moment.date()))
        else:
            found.append(When(m.start(), m.end(), literal=m.group().replace(" ", "T")))
    return found


def _together(text: str, found: list[When]) -> list[When]:
    joined: list[When] = []
    for when in found:
        last = joined[-1] if joined else None
        if last is not None and last.literal is None and when.literal is None:
            between = text[last.end : when.start]
            near = _NEAR_EACH_OTHER.fullmatch(between)
            if (
                near
                and (last.day is None) != (when.day is None)
                and (last.at is None) != (when.at is None)
            ):
                joined[-1] = When(last.start, when.end, last.day or when.day, last.at or when.at)
                continue
        joined.append(when)
    return joined


def _calendar(text: str, now: datetime) -> list[When]:
    found = []
    for m in _CALENDAR.finditer(text):
        month = 1 + [name[:3] for name in MONTHS].index((m["month"] or m["month2"])[:3].lower())
        day = _nth(m["day"] or m["day2"])
        year = m["year"] or m["year2"]
        made = _date(int(year), month, day) if year else _coming(now.date(), month, day)
        if made is None:
            continue
        before = _FIRST_OF_TWO.search(text[: m.start()]) if m["day"] else None
        first = before and _date(made.year, made.month, _nth(before[1]))
        if before and first is not None and first < made:
            found.append(When(before.start(1), before.end(1), first))
        found.append(When(m.start(), m.end(), made))
    return found


def _nth(text: str) -> int:
    return ORDINALS.get(text.lower()) or int(re.sub(r"\D", "", text))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _coming(today: date, month: int, day: int) -> date | None:
    """A day without a year is the next one: this year's, or a later one that has it."""
    for year in range(today.year, today.year + 9):
        made = _date(year, month, day)
        if made is not None and made >= today:
            return made
    return None


_NEAR_DAYS = {
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}


def _near(text: str, now: datetime) -> list[When]:
    return [
        When(
            m.start(),
            m.end(),
            now.date() + timedelta(days=_NEAR_DAYS[m[1].lower()]),
            time(20) if m[1].lower() == "tonight" else None,
        )
        for m in _NEAR.finditer(text)
    ]


def _weekdays(text: str, now: datetime) -> list[When]:
    found = []
    for m in _WEEKDAY.finditer(text):
        ahead = (DAYS.index(m["name"].lower()) - now.weekday()) % 7
        which = (m["which"] or "").lower()
        if which in ("last", "past"):
            ahead = ahead - 7 if ahead else -7
        elif ahead == 0 and which != "this":
            ahead = 7
        elif ahead == 1 and which == "next":
            ahead = 8  # tomorrow has a word of its own
        found.append(When(m.start(), m.end(), now.date() + timedelta(days=ahead)))
    return found


def _spans(text: str, now: datetime) -> list[When]:
    found = []
    for m in _SPAN.finditer(text):
        sign = 1 if m["which"].lower() == "next" else -1
        found.append(When(m.start(), m.end(), _moved(now, m["unit"].lower(), sign).date()))
    return found


def _away(text: str, now: datetime) -> list[When]:
    """ "In three days", "two weeks ago"."""
    counted = {number.end: number for number in numbers(text)}
    found = []
    for m in _AWAY.finditer(text):
        before = text[: m.start()].rstrip()
        number = counted.get(len(before))
        if number is None:
            alone = re.search(r"\b(an?|one)\s*$", text[: m.start()], re.IGNORECASE)
            if alone is None:
                continue
            begin, value = alone.start(), 1
        else:
            begin, value = number.start, int(number.value)
        lead = _IN.search(text[:begin])
        after = (m["ago"] or "").strip().lower()
        if not lead and not after:
            continue
        sign = -1 if after == "ago" else 1
        unit = m["unit"].lower()
        try:
            moment = _moved(now, unit, sign * value)
        except (OverflowError, ValueError):
            continue
        exact = moment.time().replace(microsecond=0) if unit in ("minute", "hour") else None
        start = lead.start() if lead else begin
        found.append(When(start, m.end(), moment.date(), exact))
    return found


def _moved(now: datetime, unit: str, count: int) -> datetime:
    if unit in ("month", "year"):
        months = now.year * 12 + now.month - 1 + count * (12 if unit == "year" else 1)
        day = now.day
        while day > 28 and _date(months // 12, months % 12 + 1, day) is None:
            day -= 1
        return now.replace(year=months // 12, month=months % 12 + 1, day=day)
    return now + timedelta(**{f"{unit}s": count})


def _clock(text: str, now: datetime) -> list[list[When]]:
    del now
    return [[When(c.start, c.end, at=at) for c, at in group] for group in clocks(text)]
