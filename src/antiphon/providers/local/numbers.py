"""Numbers and durations in an utterance, written in digits or in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SMALL = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen"),
        )
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORDS = {**_SMALL, **_TENS}
_WORD = re.compile(r"[a-z]+|[^\sa-z]+", re.IGNORECASE)
# Thousands are set apart by commas in groups of three, decimals by a point.
_DIGITS = re.compile(
    r"(?<![\w.:/-])(?<![+])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d:/]|-\d|[^\W\d_]|\.\d)"
)

UNITS = {
    "millisecond": 0.001,
    "second": 1,
    "sec": 1,
    "minute": 60,
    "min": 60,
    "hour": 3600,
    "day": 86_400,
    "week": 604_800,
}
_UNIT = "|".join(UNITS)


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number and where it stands in the text."""

    start: int
    end: int
    value: int | float


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in seconds and where it stands in the text."""

    start: int
    end: int
    seconds: float


def numbers(text: str) -> list[NumberMention]:
    """Every number, in the order of the text."""
    found = [
        NumberMention(m.start(), m.end(), _value(m.group().replace(",", "")))
        for m in _DIGITS.finditer(text)
    ]
    found += _in_words(text)
    return sorted(found, key=lambda number: number.start)


def _value(digits: str) -> int | float:
    return float(digits) if "." in digits else int(digits)


def _in_words(text: str) -> list[NumberMention]:
    words = [(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]
    found: list[NumberMention] = []
    at = 0
    while at < len(words):
        read = _read(words, at)
        if read is None:
            at += 1
            continue
        value, after = read
        found.append(NumberMention(words[at][1], words[after - 1][2], value))
        at = after
    return found


def _read(words: list[tuple[str, int, int]], at: int) -> tuple[int, int] | None:
    """The number that begins with this word, and the word after it."""
    total, part, after, last = 0, 0, at, ""
    while at < len(words):
        word = words[at][0]
        if word in _WORDS and _may_follow(last, word):
            part += _WORDS[word]
        elif word in _SCALES and (part or last == "a"):
            scale = _SCALES[word]
            if scale == 100:
                part = (part or 1) * 100
            else:
                total, part = total + (part or 1) * scale, 0
        elif word in ("a", "an") and not last and _is(words, at + 1, _SCALES):
            last, at = "a", at + 1
            continue
        elif word in ("and", "-") and last and _continues(words, at, last):
            at += 1
            continue
        else:
            break
        last, at = word, at + 1
        after = at
    return (total + part, after) if last in _WORDS or last in _SCALES else None


def _may_follow(last: str, word: str) -> bool:
    """ "Twenty one" is a number, "one twenty" and "two three" are two."""
    if not last or last in _SCALES:
        return True
    return last in _TENS and 0 < _SMALL.get(word, 0) < 10


def _is(words: list[tuple[str, int, int]], at: int, kind: dict[str, int]) -> bool:
    return at < len(words) and words[at][0] in kind


def _continues(words: list[tuple[str, int, int]], at: int, last: str) -> bool:
    if not _is(words, at + 1, _WORDS):
        return False
    if words[at][0] == "-":
        return _may_follow(last, words[at + 1][0]) and last in _TENS
    return last in _SCALES


_AMOUNT = re.compile(
    rf"(?P<half>(?:a )?half(?:[ -]an?)?[ -](?P<halved>{_UNIT})s?)"
    rf"|(?P<one>(?:an?|one)\s+(?P<single>{_UNIT})(?:s)?(?P<plus>\s+and a half)?)"
    rf"|(?P<unit>(?:{_UNIT})s?\b)",
    re.IGNORECASE,
)


def durations(text: str) -> list[Duration]:
    """Every length of time: "90 seconds", "half an hour", "two hours and ten minutes"."""
    counted = {number.end: number for number in numbers(text)}
    found: list[Duration] = []
    for match in _AMOUNT.finditer(text):
        if match["half"]:
            part = Duration(match.start(), match.end(), UNITS[match["halved"].lower()] / 2)
        elif match["one"]:
            factor = 1.5 if match["plus"] else 1.0
            part = Duration(match.start(), match.end(), UNITS[match["single"].lower()] * factor)
        else:
            before = text[: match.start()].rstrip(" -")
            number = counted.get(len(before))
            if number is None or number.value < 0:
                continue
            unit = match["unit"].lower()
            seconds = UNITS.get(unit) or UNITS[unit.removesuffix("s")]
            part = Duration(number.start, match.end(), number.value * seconds)
        if found and re.fullmatch(r"\s*+(?:,\s*+and|,|and)?\s*+", text[found[-1].end : part.start]):
            last = found.pop()
            part = Duration(last.start, part.end, last.seconds + part.seconds)
        found.append(part)
    return found


_ORDINAL = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
ORDINALS = {
    **{word: value for value, word in enumerate(_ORDINAL, start=1)},
    **{f"twenty-{word}": 20 + value for value, word in enumerate(_ORDINAL[:9], start=1)},
    "thirtieth": 30,
    "thirty-first": 31,
}
