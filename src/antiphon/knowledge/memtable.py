"""Memtable of the text index: records newer than the index on disk, searchable from memory."""

from __future__ import annotations

from collections.abc import Iterable

from antiphon.knowledge.bm25 import TextDoc, Weights, WordCounts, count_words


class Memtable:
    """Inverted index in memory."""

    def __init__(self) -> None:
        self.docs: dict[int, TextDoc] = {}
        self._counted: dict[int, WordCounts] = {}
        self._rows: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self.docs)

    def put(self, doc: TextDoc) -> None:
        """Add or replace a document."""
        self.drop(doc.row)
        counted = count_words(doc.title, doc.body())
        self.docs[doc.row] = doc
        self._counted[doc.row] = counted
        for word in counted.title.keys() | counted.body.keys():
            self._rows.setdefault(word, set()).add(doc.row)

    def drop(self, row: int) -> None:
        """Remove a document, if it is there."""
        counted = self._counted.pop(row, None)
        if counted is None:
            return
        del self.docs[row]
        for word in counted.title.keys() | counted.body.keys():
            rows = self._rows[word]
            rows.discard(row)
            if not rows:
                del self._rows[word]

    def clear(self) -> None:
        """Remove all documents."""
        self.docs.clear()
        self._counted.clear()
        self._rows.clear()

    def lengths(self) -> tuple[int, int]:
        """Numbers of words in all titles and in all documents, titles included."""
        counted = self._counted.values()
        titles = sum(one.title_length for one in counted)
        return titles, titles + sum(one.body_length for one in counted)

    def document_frequency(self, word: str) -> int:
        """Number of documents that have the word."""
        return len(self._rows.get(word, ()))

    def candidates(self, words: Iterable[str]) -> set[int]:
        """Rows that have any of these words."""
        found: set[int] = set()
        for word in words:
            found |= self._rows.get(word, set())
        return found

    def score(self, row: int, weights: Weights) -> float:
        """BM25 score of a row."""
        return weights.score(self._counted[row])

    def matched_weight(self, row: int, weights: Weights) -> float:
        """Sum of the weights of the query's words that a row has."""
        return weights.matched_weight(self._counted[row])
