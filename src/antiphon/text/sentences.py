"""Sentence splitting: of written texts, of texts that are looked through, and of spoken streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from antiphon.text.calendar_names import MONTHS_SHORT
from antiphon.text.words import word_set

# Longer sentences are tables, code or lists without full stops; they are cut between words.
MAX_SENTENCE = 1_000
# A sentence that is spoken and never ends is cut here, so that speech begins.
MAX_SPOKEN = 400

# Abbreviations that stand before something, so that no sentence ends with them.
TITLES = word_set("mr mrs ms dr prof st sr jr vs e.g i.e cf nos vol fig approx inc ltd co dept est")
# Abbreviations of written text. In speech "no." and "Jan." may well end a sentence.
ABBREVIATIONS = (
    TITLES
    | word_set("rev gen col lt capt hon etc corp llc no figs ed eds pp al ca eg ie a.m p.m u.s u.k")
    | {month.lower() for month in MONTHS_SHORT if month != "May"}
    | {"sept"}
)

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*•·]|\d{1,3}[.)])[ \t])|\f")
# Possessive, and only from the first of several stops: a page of dots must not take minutes.
_MAY_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”\u2019)\]]*+(?=\s)|[\u3002\uff01\uff1f]")
_NEXT = re.compile(r"\s+[\"'“\u2018(\[]*[A-Z0-9À-Þ\u0100-\u017f\u0410-\u042f]")
_LAST_WORD = re.compile(r"[\w.]{0,20}\Z")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the place of its first character in the text."""

    text: str
    offset: int


def split_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a written text in their order. Blank lines and list items end one,
    single line ends do not, nor does the full stop of an abbreviation or of an initial."""
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
    if word.lower() in ABBREVIATIONS:
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


# -- texts that are looked through -----------------------------------------------------------------

# After a mark and a space, at a line's end, after the marks of scripts that put no space.
_QUICK_END = re.compile("(?<=[.!?\u2026\u061f])\\s+|\n+|(?<=[\u3002\uff01\uff1f\u0964])")
_QUICK_CHARACTERS = 200_000
_QUICK_SENTENCES = 400


def quick_sentences(text: str) -> list[str]:
    """Return the first few hundred sentences of a text, each on one line: quickly, and nearly
    right. Every full stop with a space behind it ends one."""
    parts = _QUICK_END.split(text[:_QUICK_CHARACTERS], maxsplit=_QUICK_SENTENCES)
    return [cleaned for part in parts if (cleaned := " ".join(part.split()))]


# Abbreviations after which even a quick look goes on. "No." is one, "no." is an answer.
_GOES_ON = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|e\.g|i\.e)\.$")


def line_sentences(text: str) -> list[str]:
    """Return the sentences of a text as `quick_sentences` does, but for those that a usual
    abbreviation has torn apart."""
    found: list[str] = []
    for sentence in quick_sentences(text):
        if found and _GOES_ON.search(found[-1]):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


# -- texts that are spoken -------------------------------------------------------------------------

_FENCE = "```"
# The end of a sentence, with closing quotes and brackets, and white space after it; or the end of
# a line. What follows must be there, or "3." might become "3.5" with the next piece.
_SPOKEN_END = re.compile(
    r"(?<![.!?…\u3002\uff01\uff1f])[.!?…\u3002\uff01\uff1f]++[\"'”\u2019)\]*_]*+(?=\s)|\n"
)
_SPOKEN_LAST_WORD = re.compile(r"[\w.]{1,40}$")


class SentenceStream:
    """A text that comes in pieces, out of which come whole sentences, each as soon as it is
    complete."""

    def __init__(self) -> None:
        self._text = ""

    def push(self, piece: str) -> list[str]:
        """Add a piece and return the sentences that are complete now."""
        self._text += piece
        found: list[str] = []
        while (end := _spoken_end(self._text)) is not None:
            sentence, self._text = self._text[:end].strip(), self._text[end:].lstrip(" \t")
            if sentence:
                found.append(sentence)
        return found

    def flush(self) -> list[str]:
        """Return what is left, as the text is over."""
        rest, self._text = self._text.strip(), ""
        return [rest] if rest else []


def spoken_sentences(text: str) -> list[str]:
    """Return the sentences of a whole text as they are spoken."""
    stream = SentenceStream()
    return [*stream.push(text), *stream.flush()]


def _spoken_end(text: str) -> int | None:
    """Return where the first sentence ends; None when nobody knows yet."""
    fence = text.find(_FENCE)
    if fence == 0:
        # Code is one piece, whatever stands in it. It is not spoken, but must be seen whole.
        close = text.find(_FENCE, len(_FENCE))
        return None if close < 0 else close + len(_FENCE)
    limit = fence if fence > 0 else len(text)
    for match in _SPOKEN_END.finditer(text, 0, limit):
        if _is_spoken_end(text, match):
            return match.end()
    if fence > 0:
        return fence
    if len(text) > MAX_SPOKEN:
        return _clause(text[:MAX_SPOKEN])
    return None


def _is_spoken_end(text: str, match: re.Match[str]) -> bool:
    if match[0] == "\n":
        return True
    following = text[match.end() :].lstrip(" \t")
    if not following and "\n" not in text[match.end() :]:
        # Only white space yet; a small letter may still follow. Speech should not wait for it.
        following = "A"
    if match[0][0] not in "!?…\u3002\uff01\uff1f" and following[:1].islower():
        return False
    if match[0] != ".":
        return True
    word = _SPOKEN_LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    last = word[0] if word else ""
    if last.casefold() in TITLES or (len(last) == 1 and last.isupper()):
        return False
    # "1." at the start of a line is an item of a list.
    return not (last.isdigit() and text[: match.start()].strip() == last)


def _clause(text: str) -> int:
    """Return where to cut a text that is too long: after a clause, else a word, else anywhere."""
    least = len(text) // 3
    for marks in (";:—", ",", " "):
        at = max(text.rfind(mark) for mark in marks)
        if at >= least:
            return at + 1
    return len(text)


def split_clauses(sentence: str, longest: int) -> list[str]:
    """Return a sentence in parts of at most so many characters, cut where one would breathe."""
    parts: list[str] = []
    while len(sentence) > longest:
        at = _clause(sentence[:longest])
        parts.append(sentence[:at].strip())
        sentence = sentence[at:].strip()
    return [part for part in [*parts, sentence] if part]
