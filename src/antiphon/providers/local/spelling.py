"""Spelling: words that were typed in a hurry, as they were meant, and fillers left out."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from functools import lru_cache

from antiphon.text.wordpiece import VOCABULARY

_WORD = re.compile(r"(?<![\w@./:'\u2019(\[{-])[A-Za-z][a-z]{2,17}(?![\w@/:'\u2019({\[=-]|\.\w)")
_FILLERS = re.compile(
    r"(?:(?<=\s)|^)(?:u+h+m*|u+m+|e+r+m*|h+m+|a+h+|like,|you know,|i mean,)"
    r"(?:,|\.\.\.|\u2026)?(?:\s+|$)",
    re.IGNORECASE,
)
# Names may be said twice: "Duran Duran".
_REPEATED = re.compile(r"\b([a-z]+)(?:,? \1\b)+")
# Where a text begins that is not the person's request: its words are what they are.
_CARRIES = re.compile(
    r":\s|[\"\u201c\n`]|(?<=\bnote )that\s|"
    r"(?<=\bgraph )that\s|(?<=\bbase )that\s|(?<=\bremember )that\s|(?<=\bdown )that\s"
)
_MAY_REPEAT = frozenset({"that", "had", "is", "very", "really", "so", "no", "bye", "ha"})
_SHORT = {
    "u": "you", "r": "are", "pls": "please", "plz": "please", "thx": "thanks", "tmrw": "tomorrow",
    "tmr": "tomorrow", "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow",
    "wat": "what", "wht": "what", "wot": "what", "hw": "how", "abt": "about", "mtg": "meeting",
    "cal": "calendar", "w/": "with", "bc": "because", "ppl": "people", "cuz": "because",
    "wanna": "want to", "gonna": "going to", "gimme": "give me", "lemme": "let me", "dont": "don't",
    "doesnt": "doesn't", "cant": "can't", "wont": "won't", "isnt": "isn't", "whats": "what's",
    "wheres": "where's", "whos": "who's", "hows": "how's", "im": "I'm", "ive": "I've", "teh": "the",
    "adn": "and", "fro": "for", "wiht": "with", "taht": "that", "waht": "what", "whcih": "which",
    "ot": "to", "hte": "the", "fo": "of", "si": "is", "yuo": "you", "thier": "their",
}  # fmt: skip
# Words of the vocabulary that are rather slips of the hand, and rare ones that end a search.
_COMMON = 12_000
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=1)
def _ranks() -> dict[str, int]:
    """Every whole word of the vocabulary, by how common it is."""
    pieces = VOCABULARY.read_text("utf-8").split("\n")
    return {p: n for n, p in enumerate(pieces) if p.isalpha() and p.isascii() and len(p) > 1}


def cleaned(text: str, *known: Collection[str]) -> str:
    """The utterance with its slips mended. `known` are words of this place, names among them: they
    are right as they are, and what was meant rather than a common word. A text that the utterance
    carries, behind a colon or in quotation marks or to be noted, stays as it is."""
    carried = _CARRIES.search(text)
    begin = carried.start() if carried is not None else len(text)
    return _clean(text[:begin], known) + text[begin:]


def _clean(text: str, known: tuple[Collection[str], ...]) -> str:
    text = _REPEATED.sub(
        lambda m: m[0] if m[1].lower() in _MAY_REPEAT or m[1].isdigit() else m[1], text
    )
    text = _FILLERS.sub("", text) or text
    return _WORD.sub(lambda match: _mended(match.group(), known), _shortened(text))


def _shortened(text: str) -> str:
    return re.sub(
        r"(?<![\w'\u2019@./:-])[a-z]{1,9}/?(?![\w'\u2019@/:-]|\.\w)",
        lambda m: _SHORT.get(m.group(), m.group()),
        text,
    )


def _mended(word: str, sets: tuple[Collection[str], ...]) -> str:
    low = word.lower()

    def is_known(form: str) -> bool:
        return any(form in words for words in sets)

    if is_known(low) or low in _ranks() or len(word) < 4 or _inflected(low):
        return word
    if low.endswith("s") and is_known(low[:-1]):
        return word
    if any(is_known(f"{low}{ending}") for ending in ("s", "d", "ed", "ing")):
        return word
    near = [each for each in _edits(low) if each and each[0] == low[0] and is_known(each)]
    common = "" if word[0].isupper() else _nearest(low)
    # What is written like a name is one, unless it is nearly one that is known.
    found = min(
        [*near, *([common] if common else [])],
        key=lambda each: (_weight(low, each) - (1.0 if is_known(each) else 0.0), each),
        default=word,
    )
    return found.capitalize() if word[0].isupper() else found


def _inflected(word: str) -> bool:
    """A form of a word that the vocabulary has: "rescheduling"."""
    ranks = _ranks()
    for ending in ("ing", "ed", "er", "ly", "es", "s", "ers", "able"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            if (
                stem in ranks
                or f"{stem}e" in ranks
                or (stem[-2:-1] == stem[-1:] and stem[:-1] in ranks)
            ):
                return True
    return word.startswith(("un", "re", "non", "pre")) and (word[2:] in ranks or word[3:] in ranks)


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    """The most common word one slip away, or two where the word is long."""
    ranks = _ranks()
    first = [each for each in _edits(word) if ranks.get(each, _COMMON) < _COMMON]
    if first:
        return min(first, key=lambda each: _weight(word, each))
    if len(word) < 7:
        return ""
    second = {
        each
        for one in _edits(word)
        for each in _edits(one)
        if ranks.get(each, _COMMON) < 8_000 and each[0] == word[0] and len(each) > 4
    }
    return min(second, key=lambda each: ranks[each], default="")


def _weight(typed: str, meant: str) -> float:
    return math.log(_ranks().get(meant, 3_000)) + _cost(typed, meant)


def _cost(typed: str, meant: str) -> float:
    """Swapped and missing letters are slips more often than wrong ones."""
    first = 1.5 if typed[0] != meant[0] else 0.0
    if sorted(typed) == sorted(meant):
        return first
    return first + (0.7 if len(meant) > len(typed) else 1.5)


def _edits(word: str) -> set[str]:
    """All that is one letter left out, doubled, swapped, mistyped or added away."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {a + b[1:] for a, b in cuts if b}
    found |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    found |= {a + letter + b[1:] for a, b in cuts if b for letter in _LETTERS}
    found |= {a + letter + b for a, b in cuts for letter in _LETTERS}
    return found
