"""Tool index: one set of tools by words and vectors, and how well each fits a request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.tool_search.encoders import ToolVectors, Vectors
from antiphon.tool_search.tool_texts import ToolTexts, tool_texts
from antiphon.tool_search.word_index import WordIndex

# What the words count beside each encoder, whose scores are from -1 to 1. Found on one half of a
# public set of function calls; `bench/tool_search.py` measures on the other.
WORDS_WEIGHT = 0.3
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_SHORTEST_SENTENCE = 9
MOST_SENTENCES = 8


class ToolIndex:
    """The tools of one set. Vectors are added when they are there; without them words decide."""

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self.tools: list[ToolTexts] = [tool_texts(entry) for entry in entries]
        self._words = WordIndex(self.tools)
        self._encoded: list[_EncodedTools] = []
        self.is_complete = False  # every encoder that there is has had its say

    def texts_for(self, memo: ToolVectors) -> list[str]:
        """Return every text that an encoder knows these tools by."""
        return [text for tool in self.tools for text in (*memo.encoder.texts(tool), *tool.phrases)]

    def set_vectors(self, memos: Sequence[ToolVectors]) -> None:
        """Take the vectors of memos that have one for each of the texts."""
        self._encoded = [_EncodedTools(memo, self.tools) for memo in memos]
        self.is_complete = True

    def best_by_words(self, request: str, n: int) -> list[tuple[str, float]]:
        """Return the ids of the `n` tools that share most with a request in words, with their
        scores; the best first."""
        return self._ranked(self._words.scores(request), n)

    def best(self, request: str, n: int) -> list[tuple[str, float]]:
        """Return the ids of the `n` tools that fit best, with their scores; the best first. A tool
        that nothing speaks for is left out."""
        scores = {at: WORDS_WEIGHT * each for at, each in self._words.scores(request).items()}
        said = [request, *sentences(request)]
        for encoded in self._encoded:
            for at, score in enumerate(encoded.scores(said)):
                scores[at] = scores.get(at, 0.0) + score
        return self._ranked(scores, n)

    def _ranked(self, scores: Mapping[int, float], n: int) -> list[tuple[str, float]]:
        order = sorted(scores, key=lambda at: (-scores[at], self.tools[at].tool_id))
        return [(self.tools[at].tool_id, scores[at]) for at in order[:n] if scores[at] > 0]


class _EncodedTools:
    """The vectors of a set of tools by one encoder."""

    def __init__(self, memo: ToolVectors, tools: Sequence[ToolTexts]) -> None:
        short: list[str] = []
        long: list[str] = []
        phrases: list[str] = []
        self._owners: list[int] = []
        for at, tool in enumerate(tools):
            texts = memo.encoder.texts(tool)
            short.append(texts[0])
            long.append(texts[1])
            phrases += tool.phrases
            self._owners += [at] * len(tool.phrases)
        self._encoder = memo.encoder
        self._short: Vectors = memo.matrix(short)
        self._long: Vectors = memo.matrix(long)
        self._phrases: Vectors = memo.matrix(phrases)

    def scores(self, said: Sequence[str]) -> list[float]:
        """Return for each tool how near it is to the whole request, the first of `said`, and to the
        nearest of its sentences, half each."""
        import numpy

        different = list(dict.fromkeys(said))
        vectors = self._encoder.requests(different)
        near = vectors @ self._short.T
        if self._owners:  # whichever way of asking is nearest
            numpy.maximum.at(near.T, self._owners, (vectors @ self._phrases.T).T)
        near = (near + vectors @ self._long.T) / 2
        parts = near[1:] if len(different) > 1 else near
        found: list[float] = ((near[0] + parts.max(axis=0)) / 2).tolist()
        return found


def sentences(request: str) -> list[str]:
    """Return the sentences of a request, as many as count; none where it is a single one."""
    found = [each.strip() for each in _SENTENCE_END.split(request)]
    found = [each for each in found if len(each) >= _SHORTEST_SENTENCE]
    return found[:MOST_SENTENCES] if len(found) > 1 else []
