"""Sanitised text: one line of bounded length with nothing invisible in it."""

from __future__ import annotations

import re
import unicodedata

HIDDEN = "hidden"
# The words that a preview itself uses for values; as text they stand in quotation marks.
RESERVED = frozenset({HIDDEN, "none", "empty", "yes", "no"})
# Seen as nothing or as a blank, though Unicode files them under letters, marks and symbols.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_JOINERS = frozenset("\u200c\u200d")
REPLACEMENT = "\ufffd"
_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u201f\u2033\uff02', "'"))
_BARE = re.compile(r"""[^\s,;()"\u201c\u201d\u201e\u201f\u2033\uff02\u2026]+(?<![.:!?])""")


def clean(text: str, limit: int) -> str:
    """The text on one line, with nothing invisible in it, shortened to `limit` characters.

    What hides or reorders text becomes a visible mark: dropping it would show an address that
    differs from the one that is used.
    """
    # A text of megabytes costs no more than its two ends.
    cut = len(text) > 4 * limit
    head, tail = (text[: 2 * limit], text[-2 * limit :]) if cut else (text, "")
    cleaned = " ".join(_visible(head).split())
    if cut:
        return _shortened(cleaned, " ".join(_visible(tail).split()), limit)
    return shorten(cleaned, limit)


def _visible(text: str) -> str:
    out: list[str] = []
    marks = 0
    for index, char in enumerate(text):
        if " " <= char <= "~":
            out.append(char)
            marks = 0
            continue
        kind = unicodedata.category(char)
        if char.isspace() or kind == "Cc":
            out.append(" ")
        elif kind in ("Mn", "Me") and not _is_selector(char) and char not in _INVISIBLE:
            # A mark without a letter, or a pile of them, would be drawn over its neighbours.
            marks += 1
            if not out or out[-1] == " ":
                out.append(REPLACEMENT)
            elif marks <= 3:
                out.append(char)
            continue
        elif _belongs(text, index):
            continue
        elif kind[0] == "C" or char in _INVISIBLE or _is_selector(char):
            out.append(REPLACEMENT)
        else:
            out.append(char)
        marks = 0
    return "".join(out)


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _belongs(text: str, index: int) -> bool:
    """Whether an invisible character is part of how a script or an emoji is spelled."""
    char = text[index]
    before = text[index - 1] if index else ""
    if char in ("\ufe0e", "\ufe0f"):
        return before >= "\u00a9" and unicodedata.category(before) == "So"
    after = text[index + 1] if index + 1 < len(text) else ""
    return char in _JOINERS and before >= "\u0590" and after >= "\u0590"


def shorten(text: str, limit: int) -> str:
    """Cut at a word; text without words in it keeps its end, where addresses differ."""
    return text if len(text) <= limit else _shortened(text, text, limit)


def _shortened(head: str, tail: str, limit: int) -> str:
    space = head.rfind(" ", limit // 2, limit)
    if space > 0:
        return head[:space].rstrip(" ,;:.") + "\u2026"
    end = limit // 3
    return head[: limit - end - 1].rstrip() + "\u2026" + tail[-end:].lstrip()


def quoted(text: str) -> str:
    """Text among other text: in quotation marks unless it is one word that means only itself."""
    if not text:
        return "empty"
    if _BARE.fullmatch(text) and text.casefold() not in RESERVED:
        return text
    return f"\u201c{text.translate(_QUOTES)}\u201d"


def words_of(name: str) -> str:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = re.sub(r"[_\-\s]+", " ", apart).strip()
    return words if words.isupper() else words.lower()


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
