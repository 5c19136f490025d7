"""Times of day in an utterance: "half past nine", "3 pm", "nine thirty", "from 3 to 4 pm"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import time

from antiphon.providers.local.numbers import numbers
from antiphon.text.calendar_names import MONTHS

_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOUR = rf"(?:[01]?\d|2[0-3]|{_HOURS})"
_MINUTES = (
    r"(?:oh|o) (?:five)|five|ten|fifteen|twenty[- ]five|twenty|thirty[- ]five|thirty|"
    r"forty[- ]five|forty|fifty[- ]five|fifty"
)
_TIME = re.compile(
    r"(?:"
    r"(?P<h>[01]?\d|2[0-3])[:.h](?P<m>[0-5]\d)(?![\d.])"
    rf"|(?P<quarter>half[ -]past|(?:a )?quarter[ -](?:past|to)) (?P<qh>{_HOUR})"
    rf"|(?P<wh>{_HOURS}) (?P<wm>{_MINUTES})"
    rf"|(?P<bare>{_HOUR})(?P<clock>\s*o'?\s?clock)?"
    r"|(?P<named>noon|midday|midnight)"
    r")(?!(?!(?:[ap]\.?m)\b)\w)"
    r"(?:\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?)|\s+in the (?P<of>morning|afternoon|evening)"
    r"|\s+at (?P<night>night))?",
    re.IGNORECASE,
)
_PART_BEFORE = re.compile(
    r"\b(morning|afternoon|evening)[\s,]+(?:at\s+|from\s+|between\s+|around\s+)*$", re.IGNORECASE
)
_NAMED = {"noon": 12, "midday": 12, "midnight": 0}
_WORD = re.compile(r"(?<![\w:.@+-])(?:at\s+|around\s+|about\s+)?(?=[\da-z])", re.IGNORECASE)
_LEAD = re.compile(r"(?:at|around|about)\s+$", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\s*(?:to|and|until|till|through|up to|-|\u2013)\s*(?:at\s+)?", re.IGNORECASE
)
_FROM = re.compile(r"(?:from|between)\s+(?:at\s+)?$", re.IGNORECASE)
# What is counted is no time of day: "9 to 10 people", "at 5 percent".
_COUNTED = re.compile(
    r"\s*(?:%|(?:percent|euros?|dollars?|people|persons?|times|minutes?|mins?|hours?|seconds?|days?|"
    r"weeks?|months?|years?|results?|steps?|of)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in a text. `half` is "am" or "pm" where it was said; `plain` is an hour that
    nothing marks as a time."""

    start: int
    end: int
    hour: int
    minute: int
    half: str = ""
    plain: bool = False
    exact: bool = False  # of 24 hours: "09:30", "14:00"

    def usual(self) -> time | None:
        """The time that is meant. Nobody meets at two at night and does not say so."""
        hour = self.hour
        if self.half:
            return self._halved(self.half)
        if not self.exact and 1 <= hour <= 6:
            hour += 12
        return time(hour, self.minute) if hour < 24 else None

    def _halved(self, half: str) -> time | None:
        if self.hour > 12:
            return None
        return time(self.hour % 12 + (12 if half == "pm" else 0), self.minute)

    def readings(self) -> list[time]:
        """Every time of day that may be meant."""
        if self.half or self.exact or not 1 <= self.hour <= 12:
            made = self.usual()
            return [made] if made is not None else []
        found = [self._halved("am"), self._halved("pm")]
        return [each for each in found if each is not None]


def clock_at(text: str, place: int) -> ClockTime | None:
    """The time of day that begins here."""
    m = _TIME.match(text, place)
    if m is None or _COUNTED.match(text, m.end()):
        return None
    half = _half(m)
    if m["named"]:
        name = m["named"].lower()
        return ClockTime(place, m.end(), _NAMED[name], 0, "" if name == "midnight" else "pm")
    hour = _number(m["h"] or m["qh"] or m["wh"] or m["bare"])
    minute = int(m["m"] or 0)
    if m["wm"]:
        minute = _number(re.sub(r"^(?:oh|o) ", "", m["wm"].lower()))
    word = (m["quarter"] or "").lower()
    if word:
        minute = 30 if "half" in word else 15
    if word.endswith("to"):
        hour, minute = (hour - 1) % 24 or 12, 45
    plain = bool(m["bare"]) and not m["clock"] and not half
    exact = bool(m["h"]) and (m["h"].startswith("0") or hour > 12)
    if not half and not exact and hour <= 12 and (part := _PART_BEFORE.search(text[:place])):
        half = "am" if part[1].lower() == "morning" else "pm"
    return ClockTime(place, m.end(), hour, minute, half, plain, exact)


def clocks(text: str) -> list[list[tuple[ClockTime, time]]]:
    """Every time of day, and the two ends of every span, with the time that is meant."""
    found: list[list[tuple[ClockTime, time]]] = []
    end = 0
    for m in _WORD.finditer(text):
        if m.start() < end:
            continue
        first = clock_at(text, m.end())
        if first is None:
            continue
        led = bool(_LEAD.search(text[: m.end()]))
        span = _span(text, first, led)
        if span:
            start = _FROM.search(text[: first.start])
            (a, at), (b, until) = span
            begin = start.start() if start else m.start()
            found.append([(replace(a, start=begin), at), (b, until)])
            end = b.end
            continue
        made = first.usual()
        if made is not None and (led or not first.plain):
            found.append([(replace(first, start=m.start()), made)])
            end = first.end
    return found


def _span(text: str, first: ClockTime, led: bool) -> list[tuple[ClockTime, time]]:
    """ "From nine to ten", "10 to 11:30", "between 2 and 4 pm"."""
    between = _BETWEEN.match(text, first.end)
    second = clock_at(text, between.end()) if between else None
    if between is None or second is None:
        return []
    word = between.group().strip().lower()
    said = bool(_FROM.search(text[: first.start]))
    if word == "and" and not said:
        return []
    if first.plain and second.plain and not said and not led and not _after_day(text, first.start):
        return []
    pairs = [(a, b) for a in first.readings() for b in second.readings() if a < b]
    if not pairs:
        return []
    usual = first.usual()
    a, b = min(pairs, key=lambda pair: (_unlikely(first, second, pair, usual), _minutes(pair)))
    return [(first, a), (second, b)]


def _unlikely(
    first: ClockTime, second: ClockTime, pair: tuple[time, time], usual: time | None
) -> int:
    """A half of the day that was said of one end holds for the other; else the usual one is
    meant."""
    if second.half and not first.half:
        return int(pair[0].hour // 12 != pair[1].hour // 12)
    return int(not first.half and pair[0] != usual)


def _minutes(pair: tuple[time, time]) -> int:
    a, b = pair
    return (b.hour - a.hour) * 60 + b.minute - a.minute


_DAY = re.compile(
    r"(?:days?|today|tomorrow|tonight|morning|afternoon|evening|night|week|\d(?:st|nd|rd|th)?"
    rf"|{'|'.join(MONTHS)}"
    r"|\d{4})[\s,]+$",
    re.IGNORECASE,
)


def _after_day(text: str, place: int) -> bool:
    return bool(_DAY.search(text[:place]))


def _half(m: re.Match[str]) -> str:
    if m["half"]:
        return "am" if m["half"].lower().startswith("a") else "pm"
    if m["of"]:
        return "am" if m["of"].lower() == "morning" else "pm"
    if not m["night"]:
        return ""
    hour = m["h"] or m["qh"] or m["wh"] or m["bare"]
    return "pm" if hour and 6 <= _number(hour) <= 11 else "am"


def _number(text: str) -> int:
    return int(text) if text.isdigit() else int(numbers(text)[0].value)
