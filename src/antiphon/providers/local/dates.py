"""Dates and times in an utterance: "tomorrow at 9", "next Monday", "3 March at half past two"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from antiphon.providers.local.numbers import ORDINALS, numbers

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = [
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
]
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
_NEAR = re.compile(
    r"\b(?:the\s+)?(day after tomorrow|day before yesterday|today|tonight|tomorrow|yesterday)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<which>next|this|last|coming|past)\s+|on\s+)?(?P<name>{_DAY})s?\b", re.IGNORECASE
)
_SPAN = re.compile(r"\b(?P<which>next|last)\s+(?P<unit>week|month|year)\b", re.IGNORECASE)
_AWAY = re.compile(
    r"\b(?P<unit>minute|hour|day|week|month|year)s?\b(?P<ago>\s+ago|\s+from now)?", re.IGNORECASE
)
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


def _part(number: int) -> str:
    """The part of the day behind an hour; groups in one expression need names of their own."""
    return (
        rf"(?:\s*(?P<half{number}>a\.?m\.?|p\.?m\.?)(?![a-z])"
        rf"|\s+in the (?P<of{number}>morning|afternoon|evening)|\s+at (?P<night{number}>night))"
    )


_QUARTERS = "half past|(?:a )?quarter past|(?:a )?quarter to"
_CLOCK = re.compile(
    rf"\b(?:at\s+)?(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)(?![\d.]){_part(1)}?"
    rf"|\b(?:at\s+)?(?P<word>{_QUARTERS})\s+(?P<wh>{_HOUR})\b{_part(2)}?"
    rf"|\b(?:at\s+)?(?P<ph>{_HOUR})(?:\s+o'?\s?clock)?{_part(3)}"
    rf"|\b(?:at\s+)?(?P<oc>{_HOUR})\s+o'?\s?clock"
    rf"|\bat\s+(?P<bare>{_HOUR})\b(?!\s*(?:%|percent|euro|o))"
    r"|\b(?:at\s+)?(?P<named>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\b(?:from|between)\s+(?P<first>{_HOUR})\s*(?:to|and|until|till|-)\s*(?P<last>{_HOUR})\b"
    rf"(?![:.]\d|\s*(?:%|percent|euro))(?P<part>\s*[ap]\.?m\.?(?![a-z]))?",
    re.IGNORECASE,
)
_TIMES = {"noon": time(12), "midday": time(12), "midnight": time(0)}


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
    for make in (_iso, _calendar, _near, _away, _spans, _weekdays, _ranges, _clock):
        for when in make(text, now):
            if all(when.end <= other.start or when.start >= other.end for other in found):
                found.append(when)
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
            near = re.fullmatch(r"\s*,?\s*(?:at|on|the|of|in the)?\s*", between, re.IGNORECASE)
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
        nth = (m["day"] or m["day2"]).lower()
        day = ORDINALS.get(nth) or int(re.sub(r"\D", "", nth))
        year = m["year"] or m["year2"]
        made = _date(int(year), month, day) if year else _coming(now.date(), month, day)
        if made is not None:
            found.append(When(m.start(), m.end(), made))
    return found


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
        lead = re.search(r"\b(?:in|within)\s+$", text[:begin], re.IGNORECASE)
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


def _ranges(text: str, now: datetime) -> list[When]:
    """ "From nine to ten": two times, both on the day that is named beside them."""
    del now
    found = []
    for m in _RANGE.finditer(text):
        part = (m["part"] or "").strip().lower()
        hours = [_hour(m["first"]), _hour(m["last"])]
        if part:
            hours = [hour % 12 + (12 if part.startswith("p") else 0) for hour in hours]
        else:
            hours = [hour + 12 if 1 <= hour <= 6 else hour for hour in hours]
        if max(hours) < 24:
            middle = m.end("first")
            found.append(When(m.start(), middle, at=time(hours[0])))
            found.append(When(m.start("last"), m.end(), at=time(hours[1])))
    return found


def _clock(text: str, now: datetime) -> list[When]:
    del now
    found = []
    for m in _CLOCK.finditer(text):
        made = _time_of(m)
        if made is not None:
            found.append(When(m.start(), m.end(), at=made))
    return found


def _time_of(m: re.Match[str]) -> time | None:
    if m["named"]:
        return _TIMES[m["named"].lower()]
    part = next(
        (
            m[f"{name}{n}"].lower()
            for name in ("half", "of", "night")
            for n in "123"
            if m[f"{name}{n}"]
        ),
        "",
    )
    hour = _hour(m["h"] or m["wh"] or m["ph"] or m["oc"] or m["bare"])
    minute = int(m["m"] or 0)
    word = (m["word"] or "").lower()
    if word.endswith("half past"):
        minute = 30
    elif word.endswith("quarter past"):
        minute = 15
    if part:
        if hour > 12:
            return None
        late = part.startswith("p") or part in ("afternoon", "evening", "night")
        hour = hour % 12 + (12 if late else 0)
        if part == "night" and hour < 18:
            hour -= 12 if hour == 12 else 0
    elif not m["h"] and 1 <= hour <= 6:
        hour += 12  # nobody meets at two at night and does not say so
    if word.endswith("quarter to"):
        hour, minute = (hour - 1) % 24, 45
    return time(hour, minute) if hour < 24 else None


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else int(numbers(text)[0].value)
