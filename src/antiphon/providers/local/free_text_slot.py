"""The free-text slot: the payload an utterance carries, or the topic it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from antiphon.providers.local.words import order_verb

Span = tuple[int, int]

_QUOTE = re.compile(r"\"([^\"]+)\"|\u201c([^\u201c\u201d]+)\u201d|(?<!\w)'([^']{2,})'(?!\w)")
# A colon that introduces something; not the one of a time, an id or an address.
_COLON = re.compile(r"(?<=[\w)\"']):\s+(?=\S)")
_THAT = re.compile(r"\bthat\s+(?=\S)", re.IGNORECASE)
_ASKED_FIRST = re.compile(r"\?\s+(?=\S)")
# Speech has no colons: the request ends with a full stop, or with a comma.
_STOPPED = re.compile(r"(?<=[^\W\d_]{2})\.\s+(?=\S)")
# A line of its own, or a dash, begins what is carried.
_DASH = re.compile(r"(?<=\w)\s+[-\u2013\u2014]\s+(?=\S)|(?<=\S)[ \t]*\n+(?=\S)")
_FENCE = re.compile(r"```[\w+-]*\n(?P<code>.+?)\n?```", re.DOTALL)
# Source code, which has colons and full stops of its own.
_CODE_BEGINS = re.compile(
    r"\b(?:async\s+def|def|function|func|fn)\s+\w+\s*\(|\bclass\s+\w+\s*[(:{]|"
    r"\b(?:const|let|var)\s+\w+\s*=|\bfrom\s+\w+\s+import\b|\bimport\s+\w+\s*(?:;|$)|"
    r"@\w+[^\n]*\n\s*(?:async\s+)?def\b",
    re.MULTILINE,
)
# A command before a payload is short.
_HEAD_WORDS = 16


def quoted(text: str) -> list[tuple[Span, str]]:
    """What stands in quotation marks, without them."""
    return [
        (m.span(), next(group for group in m.groups() if group is not None))
        for m in _QUOTE.finditer(text)
    ]


def head(text: str) -> str:
    """The command of an utterance that carries a text: before a colon, a quotation or "that"."""
    cut = len(text)
    marks = [_COLON, _QUOTE, _THAT, _DASH, _CODE_BEGINS]
    if order_verb(text) is not None:
        marks.append(_STOPPED)
    for mark in marks:
        found = mark.search(text)
        if found is not None and 2 <= len(text[: found.start()].split()) <= _HEAD_WORDS:
            cut = min(cut, found.start())
    return text[:cut].strip()


def payload(text: str, masked: Iterable[Span], *, long: bool) -> str:
    """The text that an utterance carries, marked off by quotation marks or a colon, a `long` one
    also by "that" or by a question before it. Empty when nothing marks one.

    The first mark counts: what follows it may have marks of its own.
    """
    if long and (fenced := _FENCE.search(text)) is not None:
        return fenced["code"]
    marks = (_COLON, _THAT, _ASKED_FIRST, _STOPPED, _DASH) if long else (_COLON,)
    found = [(m.start(), mark, m) for mark in marks if (m := mark.search(text)) is not None]
    found = [one for one in found if len(text[: one[0]].split()) <= _HEAD_WORDS]
    quotes = quoted(text)
    first = min(found, key=lambda one: one[0], default=None)
    code = _CODE_BEGINS.search(text)
    marked = min(first[0] if first else len(text), quotes[0][0][0] if quotes else len(text))
    if code is not None and 0 < code.start() < marked:
        return text[code.start() :].strip()
    if quotes and (first is None or quotes[0][0][0] < first[0]):
        return max((inner for _, inner in quotes), key=len).strip()
    if first is None:
        return ""
    end = first[2].end()
    if first[1] is _THAT:
        return unmasked(text, end, len(text), masked)
    rest = text[end:].strip()
    if first[1] is _COLON and not long and quotes:
        return max((inner for _, inner in quotes), key=len).strip()
    return rest


_BULLET = re.compile(r"^[ \t]*(?:[-*\u2022]|\(?\w[.)])[ \t]+(?P<one>\S.*?)[ \t]*$", re.MULTILINE)
_PART = re.compile(r"[^,;\n]+")


def enumerated(text: str) -> list[Span]:
    """Where the members of a list stand that an utterance carries: one a line, or after a colon
    with commas between them."""
    lines = [m.span("one") for m in _BULLET.finditer(text)]
    colon = _COLON.search(text)
    if lines or colon is None:
        return lines
    found = []
    for part in _PART.finditer(text, colon.end()):
        begin = len(part[0]) - len(re.sub(r"^\s*(?:and\s|or\s)?\s*", "", part[0]))
        end = len(part[0].rstrip(" .?!"))
        if begin < end:
            found.append((part.start() + begin, part.start() + end))
    return found


OWN_WORDS = re.compile(r"question|\bin their words\b", re.IGNORECASE)


def unmasked(text: str, start: int, end: int, masked: Iterable[Span]) -> str:
    """A part of the text without the spans that something else was made of."""
    kept, at = [], start
    for a, b in sorted(masked):
        if b <= at or a >= end:
            continue
        kept.append(text[at : max(at, a)])
        at = max(at, b)
    kept.append(text[at:end] if at < end else "")
    return " ".join("".join(kept).split()).strip(" ,;:?!\u2013-")
