"""Personal data: payment cards, IBANs, US social security numbers, e-mail and phone in a text.

Every pattern takes one pass, so that no text makes it slow; what a pattern finds is proven by a
check sum where there is one. Order numbers, versions, dates and times are none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

# In the order in which they are looked for: what one has found, the next leaves alone.
KINDS = ("e-mail", "iban", "card", "ssn", "phone")

_EMAIL = re.compile(
    r"(?<![\w.%+'-])[\w%+][\w.%+'-]{0,63}@(?:[\w-]{1,63}\.){1,8}"
    r"(?:xn--[a-z0-9-]{2,59}|[^\W\d_]{2,24})(?![\w-])"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?= ?[A-Za-z0-9])")
_CARD = re.compile(r"(?<![\w.+-])[0-9]{1,19}(?:[ -][0-9]{1,19}){0,24}(?!\w|[.-][0-9])")
_SSN = re.compile(r"(?<![\w.+/-])([0-9]{3})([ -])([0-9]{2})\2([0-9]{4})(?![\w/]|[ .-][0-9])")
_PHONE_ABROAD = re.compile(
    r"(?<![\w+.])(?:\+|00)[1-9][0-9]{0,14}"
    r"(?:[ ./-][0-9]{1,12}| ?\([0-9]{1,5}\)[0-9]{0,12}){0,7}(?!\w|[.:][0-9])"
)
_PHONE_US = re.compile(
    r"(?<![\w.+/-])(?:\+?1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])[2-9][0-9]{2}[.-][0-9]{4}"
    r"(?![\w/]|[.-][0-9])"
)
_PHONE_NATIONAL = re.compile(
    r"(?<![\w.+/:-])(?:\(0[1-9][0-9]{1,4}\) ?|0[1-9][0-9]{0,4}[ /-])[0-9][0-9 /-]{4,13}[0-9]"
    r"(?!\w|[.:][0-9])"
)
_DATE = re.compile(r"[0-9]{2}[ /-][0-9]{2}[ /-](?:19|20)[0-9]{2}(?![0-9])")
# What stands before a number that is no phone: `Order no. 0171-2345678`.
_NO_PHONE = re.compile(
    r"\b(?:order|invoice|ticket|tracking|serial|reference|ref|case|contract|build|version|id|item"
    r"|part|lot|code|bestellung|rechnung|auftrag|vorgang)"
    r"(?:[ -](?:no|nr|number|nummer|id|code))?[.:#]? ?#?$",
    re.IGNORECASE,
)
_BEFORE = 32
_PASSES = 3
_NOT_DIGIT = re.compile(r"[^0-9]+")

_IBAN_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO",
        "16": "BE",
        "18": "DK FI FO GL NL SD",
        "19": "MK SI",
        "20": "AT BA EE KZ LT LU MN XK",
        "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA",
        "23": "AE GI IL IQ OM SO TL",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG",
        "25": "LY PT ST",
        "26": "IS TR",
        "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HU LB NI PL SV",
        "29": "BR EG PS QA UA",
        "30": "JO KW MU YE",
        "31": "MT SC",
        "32": "LC",
        "33": "RU",
    }.items()
    for country in countries.split()
}
_CARD_ISSUERS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|3[47][0-9]{13}|3(?:0[0-5]|[689][0-9])[0-9]{11}"
    r"|(?:5[1-5]|35|65)[0-9]{14}|(?:222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"
    r"|(?:6011|64[4-9][0-9]|50[0-9]{2}|5[6-8][0-9]{2}|6304|6759|676[1-3])[0-9]{12}"
    r"|62[0-9]{14,17}"
)
# In one piece, or as it is printed on a card.
_CARD_GROUPS = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)})
_LONGEST_CARD = 19


class PersonalSpan(NamedTuple):
    """Where in a text something personal stands, and of which kind it is."""

    start: int
    end: int
    kind: str


class PersonalData:
    """A finder of some kinds of personal data, and of patterns of one's own by name."""

    def __init__(self, kinds: Iterable[str], own: Mapping[str, re.Pattern[str]] | None = None):
        wanted = frozenset(kinds)
        self.kinds = wanted
        self._own = {name: pattern for name, pattern in (own or {}).items() if name in wanted}
        self._finders = [_FINDERS[kind] for kind in KINDS if kind in wanted]

    def spans(self, text: str) -> list[PersonalSpan]:
        """Where the text has any of it, in its order and without overlaps."""
        found: list[PersonalSpan] = []
        for name, pattern in self._own.items():
            matches = (PersonalSpan(*each.span(), name) for each in pattern.finditer(text))
            _add(found, (each for each in matches if each.start < each.end))
        for find in self._finders:
            _add(found, find(text))
        return sorted(found)

    def masked(self, text: str) -> str:
        """The text with `[card]` in place of every card number, and so on."""
        for _ in range(_PASSES):  # what its neighbour has hidden is found when that is gone
            spans = self.spans(text)
            if not spans:
                break
            text = replaced(text, spans, lambda span, _: f"[{span.kind}]")
        return text


def replaced(
    text: str, spans: Iterable[PersonalSpan], name: Callable[[PersonalSpan, str], str]
) -> str:
    """The text with what `name` returns in place of every span."""
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces += (text[done : span.start], name(span, text[span.start : span.end]))
        done = span.end
    return "".join((*pieces, text[done:])) if pieces else text


def _add(found: list[PersonalSpan], more: Iterable[PersonalSpan]) -> None:
    taken = tuple(found)
    for span in more:
        if all(span.end <= each.start or span.start >= each.end for each in taken):
            found.append(span)


def _emails(text: str) -> Iterator[PersonalSpan]:
    if "@" in text:
        for found in _EMAIL.finditer(text):
            yield PersonalSpan(*found.span(), "e-mail")


def _ibans(text: str) -> Iterator[PersonalSpan]:
    for found in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(found[0][:2].upper())
        end = None if length is None else _end_of(text, found.start(), length)
        if end is not None and _is_iban(text[found.start() : end].replace(" ", "")):
            yield PersonalSpan(found.start(), end, "iban")


def _end_of(text: str, start: int, length: int) -> int | None:
    """Where so many letters and digits end that stand in one piece or in groups."""
    place = start
    while length:
        if place >= len(text):
            return None
        char = text[place]
        if char.isascii() and char.isalnum():
            length -= 1
        elif char != " " or text[place - 1] == " ":
            return None
        place += 1
    following = text[place : place + 1]
    return None if following.isalnum() else place


def _is_iban(iban: str) -> bool:
    turned = (iban[4:] + iban[:4]).upper()
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def _cards(text: str) -> Iterator[PersonalSpan]:
    for run in _CARD.finditer(text):
        if run.end() - run.start() >= 13:
            yield from _cards_of(run[0], run.start())


def _cards_of(run: str, offset: int) -> Iterator[PersonalSpan]:
    """The cards in groups of digits: `4111 1111 1111 1111 04` has one."""
    groups = [(each.start(), each.end()) for each in re.finditer("[0-9]+", run)]
    first = 0
    while first < len(groups):
        for last in range(min(len(groups), first + 5), first, -1):
            chosen = groups[first:last]
            sizes = tuple(end - start for start, end in chosen)
            if len(sizes) > 1 and sizes not in _CARD_GROUPS:
                continue
            start, end = chosen[0][0], chosen[-1][1]
            if _is_card(_NOT_DIGIT.sub("", run[start:end])):
                yield PersonalSpan(offset + start, offset + end, "card")
                first = last - 1
                break
        first += 1


def _is_card(digits: str) -> bool:
    if len(digits) > _LONGEST_CARD or not _CARD_ISSUERS.fullmatch(digits):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _social_security_numbers(text: str) -> Iterator[PersonalSpan]:
    for found in _SSN.finditer(text):
        area, group, serial = found[1], found[3], found[4]
        issued = area not in ("000", "666") and area[0] != "9" and group != "00"
        if issued and serial != "0000" and not _is_other_number(text, found.start()):
            yield PersonalSpan(*found.span(), "ssn")


def _phones(text: str) -> Iterator[PersonalSpan]:
    taken: list[PersonalSpan] = []
    for pattern, least, most in (
        (_PHONE_ABROAD, 8, 16),
        (_PHONE_US, 10, 11),
        (_PHONE_NATIONAL, 9, 12),
    ):
        more = []
        for found in pattern.finditer(text):
            digits = len(_NOT_DIGIT.sub("", found[0]))
            abroad = found[0].startswith("+")
            if not least <= digits <= most or _DATE.match(found[0]):
                continue
            if abroad or not _is_other_number(text, found.start()):
                more.append(PersonalSpan(*found.span(), "phone"))
        _add(taken, more)
    yield from taken


def _is_other_number(text: str, start: int) -> bool:
    return _NO_PHONE.search(text[max(0, start - _BEFORE) : start]) is not None


_FINDERS: Mapping[str, Callable[[str], Iterator[PersonalSpan]]] = {
    "e-mail": _emails,
    "iban": _ibans,
    "card": _cards,
    "ssn": _social_security_numbers,
    "phone": _phones,
}
