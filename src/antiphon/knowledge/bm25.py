"""BM25 as the text index computes it, for single texts: new records and finalists of a search."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from antiphon.knowledge.analysis import words

K1 = 1.2
B = 0.75
# A word in the title says more about a record than one in its text.
TITLE_BOOST = 2.0
# Queries are cut to their rarest words; more words cost time and say little.
MAX_WORDS = 24


class TextDoc(NamedTuple):
    """What the text index is given of a record."""

    row: int
    revision: int
    title: str
    text: str
    tags: tuple[str, ...]
    type: str
    source_type: str
    stamp: float | None

    def body(self) -> str:
        return f"{self.text}\n{' '.join(self.tags)}" if self.tags else self.text


class Counted(NamedTuple):
    """How often each word is in the title and in the body."""

    title: Mapping[str, int]
    title_length: int
    body: Mapping[str, int]
    body_length: int


def count(title: str, body: str) -> Counted:
    title_words, body_words = words(title), words(body)
    return Counted(Counter(title_words), len(title_words), Counter(body_words), len(body_words))


@dataclass(frozen=True, slots=True)
class Weights:
    """What each word of a query is worth in this database just now."""

    words: tuple[str, ...]
    title: Mapping[str, float]
    body: Mapping[str, float]
    worth: Mapping[str, float]
    title_average: float
    body_average: float
    total: float  # what all words of the query are worth, those that no record has included
    telling: float  # from 0, when every record has the words, to 1, as a word of one record alone

    def share(self, bm25: float) -> float:
        """About which part of the query a record with this BM25 score has."""
        return min(1.0, bm25 / self.total) if self.total else 0.0

    def covered(self, doc: Counted) -> float:
        """Which part of the query the record has, rare words counting for more."""
        have = sum(
            value for word, value in self.worth.items() if word in doc.body or word in doc.title
        )
        return have / self.total if self.total else 0.0

    def score(self, doc: Counted) -> float:
        return sum(value for _, value in self.parts(doc))

    def parts(self, doc: Counted) -> Iterable[tuple[str, float]]:
        """Each word of the query that the record has, and what it adds to the score."""
        for word in self.words:
            value = 0.0
            if often := doc.title.get(word):
                value += (
                    TITLE_BOOST
                    * self.title[word]
                    * _saturated(often, doc.title_length, self.title_average)
                )
            if often := doc.body.get(word):
                value += self.body[word] * _saturated(often, doc.body_length, self.body_average)
            if value:
                yield word, value


def weigh(
    having: Mapping[str, tuple[int, int]],
    documents: int,
    title_average: float,
    body_average: float,
) -> Weights:
    """What the words of a query are worth, by how many titles and how many bodies have each."""
    used = [word for word, (title, body) in having.items() if title or body]
    if len(used) > MAX_WORDS:
        used = sorted(used, key=lambda word: max(having[word]))[:MAX_WORDS]
    total = sum(rarity(documents, max(pair)) for pair in having.values())
    return Weights(
        tuple(used),
        {word: rarity(documents, having[word][0]) for word in used},
        {word: rarity(documents, having[word][1]) for word in used},
        {word: rarity(documents, max(having[word])) for word in used},
        max(1.0, title_average),
        max(1.0, body_average),
        total,
        min(1.0, total / rarity(documents, 1)) if documents else 0.0,
    )


def rarity(documents: int, having: int) -> float:
    """The inverse document frequency."""
    having = min(having, documents)
    return math.log(1.0 + (documents - having + 0.5) / (having + 0.5))


def _saturated(often: int, length: int, average: float) -> float:
    return often * (K1 + 1.0) / (often + K1 * (1.0 - B + B * length / average))
