"""Numbers in running text: digits in any grouping, number words of English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENGLISH = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_ENGLISH_TENS = (*("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),)
_GERMAN = (
    *("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn"),
    *("achtzehn", "neunzehn"),
)
_GERMAN_TENS = (
    *("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
)
_SCALES = {
    **dict.fromkeys(("hundred", "hundert"), 100),
    **dict.fromkeys(("thousand", "tausend", "grand"), 1000),
    **dict.fromkeys(("million", "millionen"), 1_000_000),
}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?|[.,;:!?()]")
# Not those of a date, a time of day, a version or a code.
_DIGITS = re.compile(
    r"(?<![\w.,:/-])[-+]?\d[\d.,'\u00a0\u202f]*(?<=\d)(?:\s?(%|k\b))?(?![-:/]?\d|[^\W\d])"
)


def _words() -> dict[str, int]:
    found = {word: number for words in (_ENGLISH, _GERMAN) for number, word in enumerate(words)}
    found |= {"dozen": 12, "dutzend": 12}
    for number, word in enumerate(_ENGLISH_TENS, 2):
        found[word] = 10 * number
        for unit in range(1, 10):
            found[f"{word}-{_ENGLISH[unit]}"] = 10 * number + unit
    for number, word in enumerate(_GERMAN_TENS, 2):
        found[word] = 10 * number
        for unit in range(1, 10):
            spoken = "ein" if unit == 1 else _GERMAN[unit]
            found[f"{spoken}und{word}"] = 10 * number + unit
    return found


_NUMBERS = _words()


def numbers_in(text: str) -> frozenset[float]:
    """Return every number that a text says: `1,200.50`, `1.200,50`, `5k`, `10%` (as 10 and as 0.1),
    `twenty-five`, `three hundred`, `fünfundzwanzig`. What can be read in two ways is both."""
    found: set[float] = set()
    for match in _DIGITS.finditer(text):
        unit = match[1]
        digits = match[0].removesuffix(unit).rstrip() if unit else match[0]
        for number in _readings(digits):
            found.add(number * 1000 if unit == "k" else number)
            if unit == "%":
                found.add(number / 100)
    return frozenset(found | set(_spoken(text)))


def _readings(digits: str) -> Iterator[float]:
    """The numbers that digits with separators may mean."""
    plain = re.sub("['\u00a0\u202f]", "", digits)
    for thousands, decimal in ((",", "."), (".", ",")):
        whole, point, fraction = plain.partition(decimal)
        if decimal in fraction or thousands in fraction:
            continue
        groups = whole.lstrip("+-").split(thousands)
        if len(groups) > 1 and not (
            1 <= len(groups[0]) <= 3 and all(len(each) == 3 for each in groups[1:])
        ):
            continue
        try:
            yield float(whole.replace(thousands, "") + ("." + fraction if point else ""))
        except ValueError:
            continue


def _spoken(text: str) -> Iterator[float]:
    """The numbers of number words, those of a run of words put together."""
    total, current, inside = 0, 0, False
    for word in (*_WORD.findall(text.casefold()), ""):
        number, scale = _NUMBERS.get(word), None
        if number is None:
            scale = _SCALES.get(word)
        if number is None and scale is None:
            if inside and word == "and":
                continue
            if inside:
                yield float(total + current)
            total, current, inside = 0, 0, False
        elif number is not None:
            joins = not inside or current % 10 == 0
            if not joins or (current and number >= 100):
                yield float(total + current)
                total, current = 0, 0
            current, inside = current + number, True
            yield float(number)
        elif scale is not None:
            current = (current or 1) * scale
            if scale > 100:
                total, current = total + current, 0
            inside = True
