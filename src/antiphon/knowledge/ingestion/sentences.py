"""Text into sentences, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from antiphon.knowledge.ingestion.lexicon import word_set

# Longer ones are tables, code or lists without full stops; they are cut between words.
MAX_SENTENCE = 1_000

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*•·]|\d{1,3}[.)])[ \t])|\f")
# Possessive, and only from the first of several stops: a page of dots must not take minutes.
_MAY_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”\u2019)\]]*+(?=\s)|[\u3002\uff01\uff1f]")
_NEXT = re.compile(r"\s+[\"'“\u2018(\[]*[A-Z0-9À-Þ\u0100-\u017f\u0410-\u042f]")
_ABBREVIATIONS = word_set(
    "mr mrs ms dr prof st sr jr rev gen col lt capt hon vs etc inc ltd co corp llc dept est "
    "no nos vol fig figs ed eds pp al approx ca cf eg ie e.g i.e a.m p.m u.s u.k jan feb mar "
    "apr jun jul aug sep sept oct nov dec"
)
_LAST_WORD = re.compile(r"[\w.]{0,20}\Z")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    offset: int


def sentences(text: str) -> Iterator[Sentence]:
    """Sentences in their order. Blank lines and list items end one, single line ends do not."""
    start = 0
    for end in _PARAGRAPH_END.finditer(text):
        yield from _paragraph(text, start, end.start())
        start = end.end()
    yield from _paragraph(text, start, len(text))


def _paragraph(text: str, start: int, end: int) -> Iterator[Sentence]:
    for found in _MAY_END.finditer(text, start, end):
        if found.end() < start or not _ends(text, start, found, end):
            continue
        yield from _cut(text, start, found.end())
        start = found.end()
    yield from _cut(text, start, end)


def _ends(text: str, start: int, found: re.Match[str], end: int) -> bool:
    if found[0][0] in "\u3002\uff01\uff1f":
        return True
    if found[0] != ".":
        return _NEXT.match(text, found.end(), end) is not None or found.end() >= end
    before = _LAST_WORD.search(text, max(start, found.start() - 20), found.start())
    word = before[0] if before else ""
    # An initial, as in "A. Lovelace", does not end a sentence; "Plan B." at its end may.
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if word.lower() in _ABBREVIATIONS:
        return False
    return _NEXT.match(text, found.end(), end) is not None


def _cut(text: str, start: int, end: int) -> Iterator[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_SENTENCE:
        space = text.rfind(" ", start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
        middle = space if space > start else start + MAX_SENTENCE
        yield Sentence(text[start:middle], start)
        start = middle + (space > start)
    if end > start:
        yield Sentence(text[start:end], start)
