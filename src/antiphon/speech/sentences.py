"""Text that comes in pieces, cut into sentences as soon as each is complete."""

from __future__ import annotations

import re

# A sentence that never ends is cut here, so that speech begins.
LONGEST = 400

_FENCE = "```"
# The end of a sentence, with closing quotes and brackets, and white space after it; or the end of
# a line. What follows must be there, or "3." might become "3.5" with the next piece.
_END = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’)\]*_]*+(?=\s)|\n")  # noqa: RUF001
_SHORTENED = "mr mrs ms dr prof st sr jr vs e.g i.e cf nos vol fig approx inc ltd co dept est"
_TITLES = frozenset(_SHORTENED.split())
_LAST_WORD = re.compile(r"[\w.]{1,40}$")


class Sentences:
    """A stream of text, out of which come whole sentences."""

    def __init__(self) -> None:
        self._text = ""

    def push(self, piece: str) -> list[str]:
        """The sentences that are complete now."""
        self._text += piece
        found: list[str] = []
        while (end := _end(self._text)) is not None:
            sentence, self._text = self._text[:end].strip(), self._text[end:].lstrip(" \t")
            if sentence:
                found.append(sentence)
        return found

    def flush(self) -> list[str]:
        """What is left, as the text is over."""
        rest, self._text = self._text.strip(), ""
        return [rest] if rest else []


def sentences(text: str) -> list[str]:
    """The sentences of a whole text."""
    stream = Sentences()
    return [*stream.push(text), *stream.flush()]


def _end(text: str) -> int | None:
    """Where the first sentence ends. None: nobody knows yet."""
    fence = text.find(_FENCE)
    if fence == 0:
        # Code is one piece, whatever stands in it. It is not spoken, but must be seen whole.
        close = text.find(_FENCE, len(_FENCE))
        return None if close < 0 else close + len(_FENCE)
    limit = fence if fence > 0 else len(text)
    for match in _END.finditer(text, 0, limit):
        if _is_end(text, match):
            return match.end()
    if fence > 0:
        return fence
    if len(text) > LONGEST:
        return _clause(text[:LONGEST])
    return None


def _is_end(text: str, match: re.Match[str]) -> bool:
    if match[0] == "\n":
        return True
    following = text[match.end() :].lstrip(" \t")
    if not following and "\n" not in text[match.end() :]:
        # Only white space yet; a small letter may still follow. Speech should not wait for it.
        following = "A"
    if match[0][0] not in "!?…。！？" and following[:1].islower():  # noqa: RUF001
        return False
    if match[0] != ".":
        return True
    word = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    last = word[0] if word else ""
    if last.casefold() in _TITLES or (len(last) == 1 and last.isupper()):
        return False
    # "1." at the start of a line is an item of a list.
    return not (last.isdigit() and text[: match.start()].strip() == last)


def _clause(text: str) -> int:
    """Where to cut a text that is too long: after a clause, else a word, else anywhere."""
    least = len(text) // 3
    for marks in (";:—", ",", " "):
        at = max(text.rfind(mark) for mark in marks)
        if at >= least:
            return at + 1
    return len(text)


def spans(sentence: str, longest: int) -> list[str]:
    """A sentence in parts of at most so many characters, cut where one would breathe."""
    parts: list[str] = []
    while len(sentence) > longest:
        at = _clause(sentence[:longest])
        parts.append(sentence[:at].strip())
        sentence = sentence[at:].strip()
    return [part for part in [*parts, sentence] if part]
