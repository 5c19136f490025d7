"""Values that stand for themselves: addresses, dates, amounts of money and percentages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation

from antiphon.knowledge.ingestion.mentions import EntityMention
from antiphon.text.calendar_names import MONTHS, MONTHS_SHORT

_EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}\b"
)
_URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"“”]{3,1500}", re.IGNORECASE)
_MONTHS = {
    name.lower(): number for names in (MONTHS, MONTHS_SHORT) for number, name in enumerate(names, 1)
} | {"sept": 9}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12]\d{3})"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>[12]\d{3})-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?:T[\d:.]{5,12}Z?)?\b",
        rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_MONTH}\s+{_DAY},?\s+{_YEAR}\b",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b",
        r"\b(?P<day>[0-3]?\d)\.(?P<month>[01]?\d)\.(?P<year>[12]\d{3})\b",
        r"\b(?P<first>[0-3]?\d)/(?P<second>[0-3]?\d)/(?P<year>[12]\d{3})\b",
        r"\bQ(?P<quarter>[1-4])\s+(?:of\s+)?(?P<year>[12]\d{3})\b",
        r"\b(?:in|since|from|by|until|before|after|during)\s+(?P<only>1[5-9]\d\d|20\d\d)\b(?![-/.]\d)",
    )
]
_CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "€": "eur",
    "eur": "eur", "euro": "eur", "euros": "eur", "£": "gbp", "gbp": "gbp", "pounds": "gbp",
    "¥": "jpy", "jpy": "jpy", "yen": "jpy", "chf": "chf", "ron": "ron", "lei": "ron",
    "cad": "cad", "aud": "aud", "inr": "inr", "₹": "inr", "sek": "sek", "pln": "pln",
}  # fmt: skip
_SCALES = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "b": 9, "billion": 9,
    "trillion": 12,
}  # fmt: skip
_NUMBER = (
    r"\d{1,3}(?:[, ]\d{3}){1,6}(?:\.\d{1,4})?|\d{1,3}(?:\.\d{3}){1,6}(?:,\d{1,2})?(?!\d)|"
    r"\d{1,15}(?:[.,]\d{1,4})?"
)
_SCALE = r"(?:\s?(?P<scale>thousand|million|billion|trillion|bn|mn|k|m|b)\b)?"
_MONEY = [
    re.compile(rf"(?P<currency>US\$|[$€£¥₹])\s?(?P<number>{_NUMBER}){_SCALE}", re.IGNORECASE),
    re.compile(
        rf"\b(?P<currency>USD|EUR|GBP|JPY|CHF|RON|CAD|AUD|INR|SEK|PLN)\s?(?P<number>{_NUMBER}){_SCALE}"
    ),
    re.compile(
        rf"(?<![\w.,])(?P<number>{_NUMBER}){_SCALE}\s?(?P<currency>€|£|USD|EUR|GBP|JPY|CHF|RON|CAD|"
        r"AUD|INR|SEK|PLN|euros?|dollars?|pounds|yen|lei)(?!\w)",
        re.IGNORECASE,
    ),
]
_PERCENT = re.compile(r"(?<![\w.,])(?P<number>[-+]?\d{1,9}(?:[.,]\d{1,6})?)\s?(?:%|per ?cent\b)")


def literals(text: str) -> Iterator[EntityMention]:
    """Literal values in a sentence; a value inside another one is not found again."""
    taken: list[tuple[int, int]] = []
    for mention in _all(text):
        if all(mention.end <= start or mention.start >= end for start, end in taken):
            taken.append((mention.start, mention.end))
            yield mention


def _all(text: str) -> Iterator[EntityMention]:
    if "@" in text:
        for found in _EMAIL.finditer(text):
            name = found[0].lower()
            if len(name) <= 180:
                yield EntityMention(name, "email", *found.span(), "email", 0.99, f"email:{name}")
    if "://" in text or "www." in text.lower():
        for found in _URL.finditer(text):
            yield from _url(found)
    if not any(char.isdigit() for char in text):
        return
    for pattern in _DATES:
        for found in pattern.finditer(text):
            if day := _date(found):
                span = found.span("only") if "only" in found.groupdict() else found.span()
                yield EntityMention(day, "date", *span, "date", 0.95, f"date:{day.lower()}")
    for pattern in _MONEY:
        for found in pattern.finditer(text):
            yield from _money(found)
    for found in _PERCENT.finditer(text):
        number = found["number"].replace(",", ".").lstrip("+")
        name = f"{number}%"
        yield EntityMention(name, "percent", *found.span(), "percent", 0.95, f"percent:{number}")


def _url(found: re.Match[str]) -> Iterator[EntityMention]:
    name = found[0].rstrip(".,;:!?'\u2019*_")
    while (
        name
        and name[-1] in ")]}"
        and name.count(name[-1]) > name.count({")": "(", "]": "[", "}": "{"}[name[-1]])
    ):
        name = name[:-1].rstrip(".,;:!?'\u2019")
    end = found.start() + len(name)
    url = name if "://" in name else f"https://{name}"
    own = "link:" + re.sub(r"^https?://(?:www\.)?", "", url, flags=re.IGNORECASE).rstrip("/")
    if len("link:") < len(own) <= 200:
        yield EntityMention(url, "link", found.start(), end, "url", 0.99, own)


def _date(found: re.Match[str]) -> str | None:
    """Date in ISO 8601, or None when there is no such day or it may be read in two ways."""
    parts = found.groupdict()
    if parts.get("only"):
        return str(parts["only"])
    year = int(parts["year"])
    if parts.get("quarter"):
        return f"{year}-Q{parts['quarter']}"
    if parts.get("first"):
        first, second = int(parts["first"]), int(parts["second"])
        if first <= 12 and second <= 12 and first != second:
            return None
        day, month = (first, second) if second <= 12 else (second, first)
    else:
        named = parts["month"].lower()
        month = _MONTHS.get(named) or int(named)
        if not parts.get("day"):
            return f"{year:04}-{month:02}"
        day = int(parts["day"])
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _money(found: re.Match[str]) -> Iterator[EntityMention]:
    number = found["number"].replace(" ", "")
    if re.search(r"\.\d{3}(?:\.|,|$)", number) and number.count(".") >= 1 and "," in number:
        number = number.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", number):
        number = number.replace(".", "")
    elif re.fullmatch(r"\d+,\d{1,2}", number):
        number = number.replace(",", ".")
    else:
        number = number.replace(",", "")
    scale = _SCALES[found["scale"].lower()] if found["scale"] else 0
    try:
        amount = Decimal(number).scaleb(scale)
    except InvalidOperation:
        return
    plain = f"{amount.normalize():f}"
    currency = _CURRENCIES[found["currency"].lower()]
    name = f"{Decimal(plain):,} {currency.upper()}"
    yield EntityMention(name, "amount", *found.span(), "amount", 0.95, f"amount:{currency}_{plain}")
