"""Spoken values: whether somebody's own words say a value, exactly or in everyday words.

Pure, and strict: what may have been said by chance, such as a single letter, counts as not said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from antiphon.orchestrator.preview.origins import clock_forms, length_forms
from antiphon.text.calendar_names import MONTHS, WEEKDAYS
from antiphon.text.spoken_numbers import numbers_in
from antiphon.text.words import FUNCTION_WORDS

MAX_CHARS = 20_000  # of one utterance or value
MAX_WORDS = 60  # of a value that is said with an "and" or "the" more
MAX_PARTS = 50  # of a list in one text
EXACT = 2**53  # from here on neighbours are the same float
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?", re.A)
_GERMAN_MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"),
    *("August", "September", "Oktober", "November", "Dezember"),
)
_GERMAN_WEEKDAYS = (
    *("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
)
# Days from the one on which somebody speaks.
_RELATIVE = (
    (0, ("today", "tonight", "this morning", "this afternoon", "this evening", "heute")),
    (1, ("tomorrow", "morgen")),
    (2, ("the day after tomorrow", "übermorgen")),
    (-1, ("yesterday", "gestern")),
)
_AFTER_TOMORROW = re.compile(r"(?<!\w)the\s+day\s+after\s+tomorrow", re.IGNORECASE)
_NEAR_DAYS = 7  # a weekday means the one that comes next, or the one after
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d.*)?", re.A)
# What may stand between words that are said one after the other.
_BETWEEN = r"\W+(?:(?:and|or|the|a|an|of|to|und|oder|der|die|das|den|dem)\W+){0,2}"
_LIST_PARTS = re.compile(r"[,;\n]")
_QUOTES = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb`"


def says(text: str, value: Any, *, zone: tzinfo, today: date | None) -> bool:
    """Whether a text says a value. `today` is when it was said; None: nobody knows, and "tomorrow"
    says nothing."""
    text = text[:MAX_CHARS]
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return says_number(text, value)
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_CHARS:
        return False
    value = normal(value)
    if _MOMENT.fullmatch(value):
        return _is_phrase(value, text) or _says_moment(text, value, zone, today)
    if _is_phrase(value, text):
        return True
    number = _as_number(value)
    if number is not None:
        return number in _numbers(text)
    parts = [part for each in _LIST_PARTS.split(value) if (part := each.strip())]
    return 1 < len(parts) <= MAX_PARTS and all(_is_phrase(each, text) for each in parts)


def normal(text: str) -> str:
    """A text as it is compared: compatible characters alike, without case, quotes around it and
    extra space."""
    # Not `casefold`: `straße.example` and `strasse.example` are two hosts.
    plain = unicodedata.normalize("NFKC", text).lower()
    return " ".join(plain.split()).strip(_QUOTES + " ").rstrip(".!?") or plain


def is_telling(value: str) -> bool:
    """Whether a text is long enough that finding it elsewhere is no accident."""
    words = re.findall(r"\w+", value)
    if not words or all(word.casefold() in FUNCTION_WORDS for word in words):
        return False
    return len(words) > 1 or len(words[0]) > 2 or any(char.isdigit() for char in value)


def has_phrase(phrase: str, text: str) -> bool:
    """Whether a text has a phrase (both as `normal` has them) as whole words."""
    for at in _places(phrase, text):
        before, after = text[at - 1 : at], text[at + len(phrase) : at + len(phrase) + 1]
        starts = not (before.isalnum() and phrase[0].isalnum())
        if starts and not (after.isalnum() and phrase[-1].isalnum()):
            return True
    return False


def _places(phrase: str, text: str) -> Iterator[int]:
    at = text.find(phrase)
    while at >= 0:
        yield at
        at = text.find(phrase, at + 1)


@lru_cache(maxsize=64)
def _numbers(text: str) -> frozenset[float]:
    return numbers_in(text)


@lru_cache(maxsize=64)
def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def says_number(text: str, value: float) -> bool:
    """Whether a text says a number. One that a float cannot hold has to stand there digit by
    digit."""
    if abs(value) < EXACT:
        return value in _numbers(text)
    return has_phrase(str(value), _normal(text))


def _as_number(value: str) -> float | None:
    # "0012" is no 12, and the account 12345678901234567 is not the next one.
    return float(value) if _NUMBER.fullmatch(value) else None


def _is_phrase(value: str, text: str) -> bool:
    """Whether the words of a value stand in a text one after the other, with no more than an "and"
    or "the" between them. A value with other characters than words, such as an address or a path,
    has to stand there as it is, and not as a part of another."""
    if not is_telling(value):
        return False
    spoken = _normal(text)
    if has_phrase(value, spoken):
        if re.fullmatch(r"[\w\s]+", value):
            return True
        return any(_stands_alone(value, spoken, at) for at in _places(value, spoken))
    words = re.findall(r"\w+", value)
    if not 1 < len(words) <= MAX_WORDS or re.search(r"[^\w\s,;:.!?'\u2019&()-]", value):
        return False
    if re.search(r"\w[.:]\w", value):
        return False
    pattern = r"(?<!\w)" + _BETWEEN.join(map(re.escape, words)) + r"(?!\w)"
    return re.search(pattern, spoken) is not None


def _stands_alone(value: str, text: str, at: int) -> bool:
    """Whether an address or path that was found is the whole one: not `b.org` of `a@b.org`."""
    before, after = text[:at], text[at + len(value) :]
    return not re.search(r"[\w@/.:+=&?%#-]$", before) and not re.match(
        r"[\w@/+=&?%#-]|[.:][\w/]", after
    )


# -- days and times ----------------------------------------------------------------------------


def _says_moment(text: str, value: str, zone: tzinfo, today: date | None) -> bool:
    """Whether a text says a day, and the time of that day where the value has one."""
    try:
        moment = datetime.fromisoformat(value.upper().replace(" ", "T"))
    except ValueError:
        return False
    if moment.tzinfo is not None:
        moment = moment.astimezone(zone)
    spoken = unicodedata.normalize("NFKC", text)
    if not says_day(spoken, moment.date(), today):
        return False
    if len(value) <= 10:
        return True
    return moment.second == 0 and any(each.search(spoken) for each in _clock_forms(moment))


def _clock_forms(moment: datetime) -> Iterator[re.Pattern[str]]:
    yield from clock_forms(moment)
    hours = {moment.hour, moment.hour % 12 or 12}
    either = "|".join(str(hour) for hour in sorted(hours))
    tail = "" if moment.minute == 0 else rf"\s*{moment.minute:02}"
    yield re.compile(rf"(?<![\w.,:])(?:um\s+)?(?:{either})\s*uhr{tail}(?!\w)", re.IGNORECASE)


def says_day(text: str, day: date, today: date | None) -> bool:
    """Whether a text says a day: by its date, or by how far it is from the day of speaking."""
    if _has(text, day.isoformat()):
        return True
    near = today is not None and 0 <= (day - today).days <= 366
    if near or _has(text, str(day.year)):
        numbered = (
            rf"0?{day.day}\.\s?0?{day.month}\.?(?:\s?{day.year}|\s?{day.year % 100:02})?",
            rf"0?{day.month}/0?{day.day}(?:/{day.year}|/{day.year % 100:02})?",
            rf"0?{day.day}/0?{day.month}/{day.year}",
        )
        if any(re.search(rf"(?<![\w./]){each}(?![\w/]|\.\d)", text) for each in numbered):
            return True
        for names in (MONTHS, _GERMAN_MONTHS):
            month = names[day.month - 1]
            short = rf"(?:{month}|{month[:3]}\.?)"
            forms = (
                rf"(?<!\d){day.day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{short}(?!\w)",
                rf"(?<!\w){short}\s+(?:the\s+)?{day.day}(?:st|nd|rd|th)?(?!\d)",
            )
            if any(re.search(form, text, re.IGNORECASE) for form in forms):
                return True
    if today is None:
        return False
    for days, words in _RELATIVE:
        said = text if days != 1 else _AFTER_TOMORROW.sub(" ", text)
        if day == today + timedelta(days) and any(_has(said, each) for each in words):
            return True
    if 0 <= (day - today).days <= _NEAR_DAYS:
        return any(_has(text, each[day.weekday()]) for each in (WEEKDAYS, _GERMAN_WEEKDAYS))
    return False


def _has(text: str, phrase: str) -> bool:
    spaced = r"\s+".join(map(re.escape, phrase.split()))
    return re.search(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE) is not None


def says_length(text: str, start: Any, end: Any) -> bool:
    """Whether a text says how long after the one moment the other is."""
    moments = []
    for value in (start, end):
        if not isinstance(value, str) or len(value) <= 10 or not _MOMENT.fullmatch(value):
            return False
        try:
            moments.append(datetime.fromisoformat(value.upper().replace(" ", "T")))
        except ValueError:
            return False
    first, last = moments
    if (first.tzinfo is None) != (last.tzinfo is None):
        return False
    minutes = round((last - first).total_seconds() / 60)
    return minutes > 0 and any(form.search(text) for form in length_forms(minutes))
