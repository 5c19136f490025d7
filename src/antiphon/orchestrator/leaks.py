"""Leaks: private or secret results in what a call would send outside."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote_plus

from antiphon.contracts.provenance import Marks, Sensitivity, most_sensitive
from antiphon.orchestrator.spoken_values import has_phrase, is_telling, normal
from antiphon.orchestrator.value_sources import MAX_LEAF, MAX_LEAVES, ReadResult, leaves

SHORTEST = 5  # characters that say something
MAX_NUMBERS = 1000.0  # a smaller number is anybody's
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_SEPARATORS = re.compile(r"[\s./-]+")
MIN_CODE, MAX_CODE = 8, 40  # characters of an account, a card, a telephone number
# Names and numbers that are one thing's alone: addresses, codes, amounts to the cent.
_TOKEN = re.compile(r"[\w.+-]+(?:@[\w.-]+)?")
SHORTEST_CODE = 6


def as_sensitive_as_read(results: Sequence[ReadResult]) -> list[ReadResult]:
    """Results, oldest first, with the sensitivity of what their calls were made with: what a tool
    computes of private data is private."""
    found: list[ReadResult] = []
    for result in results:
        kind = result.marks.sensitivity
        for _, value in leaves(result.args):
            if kind != "secret":
                kind = most_sensitive((kind, leaked(value, found)))
        if kind != result.marks.sensitivity:
            result = replace(result, marks=Marks(result.marks.origin, kind))
        found.append(result)
    return found


def leaked(value: Any, results: Sequence[ReadResult]) -> Sensitivity:
    """How sensitive what a value has of results is; `public` where it has nothing of them."""
    texts = list(_readings(value))
    found: Sensitivity = "public"
    left = MAX_LEAVES
    for result in results:
        kind = result.marks.sensitivity
        if kind == "public" or kind == found:
            continue
        for _, leaf in leaves(result.data):
            left -= 1
            if left < 0:
                return found
            if any(_shares(text, leaf) for text in texts):
                if kind == "secret":
                    return "secret"
                found = kind
                break
    return found


def _readings(value: Any) -> Iterator[str]:
    """A value as text, and as what it is once it is decoded."""
    text = value if isinstance(value, str) else str(value)
    yield normal(text)
    if (plain := unquote_plus(text)) != text:
        yield normal(plain)
    for match in _ENCODED.finditer(text):
        word = match[0]
        for decode in (_from_base64, bytes.fromhex):
            try:
                decoded = decode(word).decode()
            except (ValueError, binascii.Error):
                continue
            if decoded.isprintable():
                yield normal(decoded)


def _from_base64(word: str) -> bytes:
    whole = word.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True)


def _code(plain: str) -> str:
    """A text that is one code in groups, such as an IBAN, without what separates them."""
    code = _SEPARATORS.sub("", plain)
    known = MIN_CODE <= len(code) <= MAX_CODE and code.isalnum()
    return code if known and sum(each.isdigit() for each in code) * 2 > len(code) else ""


def _written(number: float) -> set[str]:
    """The digits of a number, as people and programs write them."""
    if isinstance(number, float) and not number.is_integer():
        return {str(number), f"{number:.2f}", f"{number:,.2f}"}
    whole = int(number)
    return {
        str(whole),
        f"{whole:,}",
        f"{whole:,}".replace(",", "."),
        f"{whole:,}".replace(",", " "),
    }


def _shares(text: str, leaf: Any) -> bool:
    if isinstance(leaf, bool) or leaf is None:
        return False
    if isinstance(leaf, int | float):
        return abs(leaf) >= MAX_NUMBERS and any(has_phrase(form, text) for form in _written(leaf))
    plain = normal(leaf[:MAX_LEAF])
    if len(plain) >= SHORTEST and is_telling(plain) and has_phrase(plain, text):
        return True
    if len(text) >= SHORTEST and is_telling(text) and has_phrase(text, plain):
        return True
    if (code := _code(plain)) and code in _SEPARATORS.sub("", text):
        return True
    mine = _telling(text)
    return bool(mine) and not mine.isdisjoint(_telling(plain))


def _telling(text: str) -> set[str]:
    """The addresses and codes in a text."""
    found: set[str] = set()
    for token in _TOKEN.findall(text):
        if "@" in token:
            found.add(token.rstrip(".-"))
        else:
            parts = token.replace("+", ".").split(".")
            found |= {
                each
                for each in parts
                if len(each) >= SHORTEST_CODE and any(char.isdigit() for char in each)
            }
    return found
