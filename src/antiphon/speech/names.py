"""Name correction: misheard names replaced by known ones, in transcripts.

Careful: a wrong name is worse than one spelled strangely. Only what is no word, or was heard
unsurely, is replaced, and one name never by another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from antiphon.contracts import ErrorType
from antiphon.speech.common_words import COMMON
from antiphon.speech.lexicon import is_given_name, is_word
from antiphon.speech.ports import SpeechError

MOST_HINTS = 5_000
_MOST_WORDS = 5
_MOST_OFFERED = 3
_LETTERS_OF_A_NAME = 3

# How alike a name and what was heard must be, from 0 to 100: the mean of how they are written
# and how they sound. Short names need less, as one sound is a large part of them.
_ALIKE = 84.0
_ALIKE_SHORT = 81.0
_SHORT = 4
# Recognizers write what they take for a name with a capital letter. What they take for a usual
# word ("frame", "aura") must be nearly the name, and a long one.
_ALIKE_USUAL = 91.0
# How much nearer the best name must be than the second best.
_CLEARLY = 3.0

_WORD = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
_PAIRS = (
    ("tch", "x"),
    ("sch", "x"),
    ("ch", "x"),
    ("sh", "x"),
    ("ph", "f"),
    ("th", "t"),
    ("gh", "k"),
    ("kn", "n"),
    ("wr", "r"),
    ("ck", "k"),
    ("qu", "k"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
)
# Sounds that are taken for each other share a letter; what is only breath is left out.
_SOUNDS = str.maketrans("bdgvzcqjnwhy", "ptkfskkxm   ")
_VOWELS = re.compile(r"[aeiou ]+")
_TWICE = re.compile(r"(.)\1+")


def plain(text: str) -> str:
    """Letters and digits of a text, in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if c.isalnum())


def sound(text: str) -> str:
    """Phonetic key: the consonants, with those that sound alike made equal."""
    word = plain(text).replace("x", "ks")
    for written, spoken in _PAIRS:
        word = word.replace(written, spoken)
    head = "a" if word.startswith(tuple("aeiou")) else ""
    return _TWICE.sub(r"\1", head + _VOWELS.sub("", word.translate(_SOUNDS)).replace(" ", ""))


def checked_hints(hints: Sequence[str]) -> tuple[str, ...]:
    """Validate hints. Raises SpeechError when they are not a list of texts."""
    if isinstance(hints, str) or not all(isinstance(hint, str) for hint in hints):
        raise SpeechError("hints must be a list of names, each a text.", ErrorType.VALIDATION)
    return tuple(hints)


@dataclass(frozen=True, slots=True)
class NameCandidates:
    """Words of a transcript that may be any of several known names, the nearest first."""

    heard: str
    names: tuple[str, ...]


class Names:
    """Corrector for the names of one conversation; other text is left unchanged."""

    def __init__(self, hints: Sequence[str] = ()) -> None:
        found: dict[str, str] = {}
        for hint in checked_hints(hints):
            name = " ".join(hint.split())
            key = plain(name)
            if len(key) >= _LETTERS_OF_A_NAME and key not in COMMON:
                found.setdefault(key, name)
            if len(found) >= MOST_HINTS:
                break
        self._names = found
        self._keys = list(found)
        self._sounds = {key: sound(key) for key in found}
        parts = [[plain(part) for part in name.split()] for name in found.values()]
        self._beginnings = {
            tuple(words[:size])
            for words in parts
            for size in range(1, len(words))
            if not COMMON.issuperset(words[:size])
        }
        self._longest = min(_MOST_WORDS, max((len(n.split()) for n in found.values()), default=0))

    def correct(self, text: str, doubted: Collection[str] = ()) -> str:
        """Correct words of a transcript that were surely meant to be a known name; `doubted` are
        those, as `plain` writes them, that were heard unsurely."""
        if not self._keys or not text:
            return text
        words = list(_WORD.finditer(text))
        pieces: list[str] = []
        done = at = 0
        while at < len(words):
            size, name = self._best(text, words[at : at + self._longest + 1], doubted)
            if name:
                start, end = words[at].start(), words[at + size - 1].end()
                tail = text[words[at + size - 1].start() : end]
                # A possessive stays one.
                ending = tail[-2:] if tail[-2:] in ("'s", "\u2019s") else ""
                pieces += [text[done:start], name, ending]
                done = end
            at += max(1, size)
        return "".join([*pieces, text[done:]])

    def unclear(self, text: str, doubted: Collection[str] = ()) -> tuple[NameCandidates, ...]:
        """Words of a corrected transcript that may be one known name or another."""
        found: list[NameCandidates] = []
        words = list(_WORD.finditer(text)) if self._keys else []
        for at, word in enumerate(words):
            parts = _parts([word])
            near = self._near(parts[0], _is_marked(text, word))
            known = plain(word[0]) in self._names or self._best(text, words[at:], doubted)[1]
            near = [each for each in near if self._may_replace(parts, each[1], doubted)]
            if len(near) > 1 and not known:
                names = tuple(self._names[key] for _, key in near[:_MOST_OFFERED])
                found.append(NameCandidates(word[0], names))
        return tuple(found)

    def cut_short(self, text: str) -> bool:
        """Whether the last words are the beginning of a known name, and the rest is yet to come."""
        words = [plain(word) for word in _WORD.findall(text)][-_MOST_WORDS:]
        return any(
            tuple(words[-size:]) in self._beginnings
            for size in range(1, len(words) + 1)
            if "".join(words[-size:]) not in self._names
        )

    def _best(
        self, text: str, words: list[re.Match[str]], doubted: Collection[str]
    ) -> tuple[int, str]:
        """Number of words that are a known name, and that name; 0 and an empty text for none."""
        best = (0.0, 0, "")
        for size in range(1, min(len(words), self._longest + 1) + 1):
            parts = _parts(words[:size])
            if parts[0] in COMMON or parts[-1] in COMMON:
                continue
            key = "".join(parts)
            if key in self._names:
                # Well heard, whatever else comes near; of two such names the longer one.
                best = max(best, (100.0 + size, size, self._names[key]))
                continue
            near = self._near(key, any(_is_marked(text, word) for word in words[:size]))
            near = [each for each in near if self._may_replace(parts, each[1], doubted)]
            if near and (len(near) == 1 or near[0][0] - near[1][0] >= _CLEARLY):
                score, name = near[0]
                best = max(best, (score, size, self._names[name]))
        return best[1], best[2]

    def _may_replace(self, heard: list[str], key: str, doubted: Collection[str]) -> bool:
        """Whether this name may stand where these words were heard: they are no words, or were
        heard unsurely, or are words of it, and none is another name."""
        own = [plain(part) for part in self._names[key].split()]
        # One word heard for a name of one word, or words run together or torn apart.
        if abs(len(own) - len(heard)) > 1:
            return False
        others = [word for word in heard if word not in own]
        return not any(
            is_given_name(word) or (is_word(word) and word not in doubted) for word in others
        )

    def _near(self, key: str, marked: bool) -> list[tuple[float, str]]:
        """Known names that are written and sound like this, the nearest first."""
        from rapidfuzz import fuzz, process

        if len(key) < _LETTERS_OF_A_NAME:
            return []
        spoken = sound(key)
        scored = []
        for name, written, _ in process.extract(
            key, self._keys, scorer=fuzz.ratio, score_cutoff=60, limit=8
        ):
            alike = (written + fuzz.ratio(spoken, self._sounds[name])) / 2
            short = len(name) <= _SHORT
            enough = _ALIKE_USUAL if not marked else _ALIKE_SHORT if short else _ALIKE
            if alike >= enough and (marked or not short):
                scored.append((alike, name))
        return sorted(scored, reverse=True)


@lru_cache(maxsize=8)
def names_for(hints: tuple[str, ...]) -> Names:
    """Cached corrector: the same hints serve utterance after utterance."""
    return Names(hints)


def _parts(words: Sequence[re.Match[str]]) -> list[str]:
    return [plain(word[0].removesuffix("'s").removesuffix("\u2019s")) for word in words]


def _is_marked(text: str, word: re.Match[str]) -> bool:
    """Whether a word is written as a name: with a capital that no sentence begins with."""
    before = text[: word.start()].rstrip(" \"'(")
    first = not before or before[-1] in ".!?"
    return word[0].isupper() if first else word[0][:1].isupper()
