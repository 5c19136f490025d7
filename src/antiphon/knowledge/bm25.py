"""BM25 as the text index computes it, for single texts: new records and finalists of a search."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from antiphon.knowledge.analysis import words
from antiphon.knowledge.records import Record

K1 = 1.2
B = 0.75
# The title counts as a part of the text, and this much more besides: words in it say a little more
# about a record. Measured on judged sets; more than that takes the order away from the text.
TITLE_BOOST = 0.1
# Queries are cut to their rarest words; more words cost time and say little.
MAX_WORDS = 24


class TextDoc(NamedTuple):
    """The fields of a record that the text index stores or filters by."""

    row: int
    revision: int
    title: str
    text: str
    tags: tuple[str, ...]
    type: str
    source_type: str
    stamp: float | None

    def body(self) -> str:
        """Text and tags, which are searched together."""
        return body_of(self.text, self.tags)


class WordCounts(NamedTuple):
    """Word frequencies in the title and in the body of a record."""

    title: Mapping[str, int]
    title_length: int
    body: Mapping[str, int]
    body_length: int


def body_of(text: str, tags: Sequence[str]) -> str:
    """The searched body of a record: its text and its tags."""
    return f"{text}\n{' '.join(tags)}" if tags else text


def count_record(record: Record) -> WordCounts:
    """Count the words of a record."""
    return count_words(record.title, body_of(record.text, record.tags))


def count_words(title: str, body: str) -> WordCounts:
    """Count the words of a title and a body."""
    title_words, body_words = words(title), words(body)
    return WordCounts(Counter(title_words), len(title_words), Counter(body_words), len(body_words))


@dataclass(frozen=True, slots=True)
class Weights:
    """BM25 weights of a query's words at the present state of the database."""

    words: tuple[str, ...]
    worth: Mapping[str, float]
    title_average: float
    average: float  # words of a record, title included
    total: float  # what all words of the query are worth, those that no record has included
    telling: float  # from 0, when every record has the words, to 1, as a word of one record alone

    def matched_weight(self, doc: WordCounts) -> float:
        """Sum of the weights of the query's words that the record has."""
        return sum(
            value for word, value in self.worth.items() if doc.body.get(word) or doc.title.get(word)
        )

    def score(self, doc: WordCounts) -> float:
        return sum(value for _, value in self.parts(doc))

    def parts(self, doc: WordCounts) -> Iterable[tuple[str, float]]:
        """Each word of the query that the record has, with what it adds to the BM25 score."""
        length = doc.title_length + doc.body_length
        for word in self.words:
            in_title = doc.title.get(word, 0)
            often = in_title + doc.body.get(word, 0)
            if not often:
                continue
            value = self.worth[word] * _saturated(often, length, self.average)
            if in_title:
                title = _saturated(in_title, doc.title_length, self.title_average)
                value += TITLE_BOOST * self.worth[word] * title
            yield word, value


class Matches:
    """BM25 scores of the records that have words of a query, and the part of it that each covers.

    Only the best records are known. For any other the lowest known score is the estimate.
    """

    def __init__(
        self,
        weights: Weights,
        scores: Mapping[int, float],
        having: Mapping[int, float],
        *,
        complete: bool,
    ) -> None:
        """`scores` is in order, best first; `having` is the summed weight of a row's words."""
        self.scores = scores
        self.complete = complete  # whether these are all that have any of the words
        self._having = having
        self._total = max(weights.total, 1e-9)
        self._score = 0.0 if complete else min(scores.values(), default=0.0) / 2
        self._least = min(having.values(), default=0.0)

    def scores_of(self, rows: Sequence[int]) -> tuple[list[float], list[float]]:
        """BM25 score of each row, and the part of the query that it covers."""
        scores = [self.scores.get(row, self._score) for row in rows]
        parts = []
        for row, score in zip(rows, scores, strict=True):
            worth = self._having.get(row)
            parts.append(min(self._least, score) if worth is None else worth)
        return scores, [min(1.0, part / self._total) for part in parts]


def weigh(
    having: Mapping[str, int],
    documents: int,
    title_average: float,
    average: float,
) -> Weights:
    """Weights of a query's words by their document frequencies; of many words only the rarest."""
    used = [word for word, records in having.items() if records]
    if len(used) > MAX_WORDS:
        used = sorted(used, key=lambda word: having[word])[:MAX_WORDS]
    total = sum(rarity(documents, records) for records in having.values())
    return Weights(
        tuple(used),
        {word: rarity(documents, having[word]) for word in used},
        max(1.0, title_average),
        max(1.0, average),
        total,
        min(1.0, total / rarity(documents, 1)) if documents else 0.0,
    )


def rarity(documents: int, having: int) -> float:
    """The inverse document frequency."""
    having = min(having, documents)
    return math.log(1.0 + (documents - having + 0.5) / (having + 0.5))


def _saturated(often: int, length: int, average: float) -> float:
    return often * (K1 + 1.0) / (often + K1 * (1.0 - B + B * length / average))
