"""Text to the numbers of word pieces, as the BERT models without upper case were taught to read."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

VOCABULARY = Path(__file__).with_name("vocabulary.txt")
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

# Longer words are not looked at: they are data rather than language.
LONGEST_WORD = 100
# More than this cannot change the first few hundred pieces of anything that people write, and a
# text of many megabytes must not cost more than a page.
LONGEST_TEXT = 20_000
# How many different words are remembered with their pieces (some 10 MB).
KNOWN_WORDS = 50_000
KNOWN_CHARACTERS = 20_000

_BREAKS = "\t\n\r"
_SPACES = ("Zs", "Zl", "Zp")
# Controls, formats, private use, surrogates and accents. Characters that Unicode has not given a
# meaning stay, because the model was taught so.
_DROPPED = ("Cc", "Cf", "Co", "Cs", "Mn")
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class VocabularyError(RuntimeError):
    """The vocabulary is missing or changed."""


class WordPieces:
    """WordPiece tokenizer and its vocabulary. Safe to use from several threads."""

    def __init__(self, path: Path = VOCABULARY) -> None:
        """Read the vocabulary. Raises VocabularyError when it is missing or changed."""
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise VocabularyError(
                f"The vocabulary {path} cannot be read ({error.strerror or error}); "
                "install antiphon again."
            ) from error
        if hashlib.sha256(raw).hexdigest() != VOCABULARY_SHA256:
            raise VocabularyError(
                f"The vocabulary {path} is not the one this version came with; "
                "install antiphon again."
            )
        pieces = raw.decode("utf-8").split("\n")
        self._numbers = {piece: number for number, piece in enumerate(pieces) if piece}
        self._first = self._numbers["[CLS]"]
        self._last = self._numbers["[SEP]"]
        self._unknown = self._numbers["[UNK]"]
        # How many letters of a word each piece is; an unknown word is one piece, however long.
        self._sizes = {
            number: len(piece.removeprefix("##")) if piece != "##" else len(piece)
            for piece, number in self._numbers.items()
        }
        del self._sizes[self._unknown]
        self._pieces = lru_cache(KNOWN_WORDS)(self._cut)

    def numbers(self, text: str, limit: int) -> list[int]:
        """Token ids of a text, at most `limit`, the marks at both ends included.

        Names of marks inside the text, such as "[SEP]", are text like any other.
        """
        found = [self._first]
        for word in words(text[:LONGEST_TEXT]):
            found += self._pieces(word)
            if len(found) >= limit:
                break
        del found[limit - 1 :]
        found.append(self._last)
        return found

    def located(self, text: str, limit: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Token ids of a text without the marks, at most `limit`, and the place of each in it."""
        numbers: list[int] = []
        places: list[tuple[int, int]] = []
        for word, at in _located_words(text[:LONGEST_TEXT]):
            start = 0
            for number in self._pieces(word):
                size = self._sizes.get(number, len(word))
                numbers.append(number)
                places.append((at[start], at[min(start + size, len(word)) - 1] + 1))
                start = min(start + size, len(word) - 1)
            if len(numbers) >= limit:
                break
        return numbers[:limit], places[:limit]

    def _cut(self, word: str) -> tuple[int, ...]:
        """Split a word greedily: the longest known piece, then the longest that continues it."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        found = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def words(text: str) -> list[str]:
    """The words, in small letters and without accents; punctuation and ideographs stand alone."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text)
    return text.translate(_PLAIN).split()


def _located_words(text: str) -> Iterator[tuple[str, list[int]]]:
    """Each word as `words` has it, and where in the text each of its letters stands."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        parts = character if character.isascii() else unicodedata.normalize("NFD", character)
        for plain in parts.translate(_PLAIN):
            if plain.isspace():
                if letters:
                    yield "".join(letters), places
                    letters, places = [], []
            else:
                letters.append(plain)
                places.append(place)
    if letters:
        yield "".join(letters), places


class _Plain(dict[int, str]):
    """Translation table to plain characters, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        plain = _plain(code)
        if len(self) < KNOWN_CHARACTERS:
            self[code] = plain
        return plain


def _plain(code: int) -> str:
    character = chr(code)
    category = unicodedata.category(character)
    if character in _BREAKS or category in _SPACES:
        return " "
    if category in _DROPPED or character == "\ufffd":
        return ""
    if any(first <= code <= last for first, last in _IDEOGRAPHS):
        return f" {character} "
    if category[0] == "P" or (code < 128 and not character.isalnum()):
        return f" {character} "
    return character.lower()


_PLAIN = _Plain()
