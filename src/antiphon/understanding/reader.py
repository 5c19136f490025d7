"""The reader: words that fill parameters, the tool that fits a request, answers in records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from antiphon.text.wordpiece import WordPieces
from antiphon.understanding import sequences
from antiphon.understanding.network import Network
from antiphon.understanding.sequences import SlotCard, TokenSequence

if TYPE_CHECKING:
    from antiphon.understanding.network import Floats

_LONGEST = 60  # pieces of an answer
_BEGINNINGS = 8


@dataclass(frozen=True, slots=True)
class SlotSpan:
    """Words that give a parameter its value. `choice` is the listed value that they mean."""

    parameter: str
    start: int
    end: int
    confidence: float
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Where a record answers a question, and how surely it does at all."""

    start: int  # in title, line break and text together
    end: int
    confidence: float


class SpanReader:
    """Blocks while it computes, a hundredth of a second for each hundred words."""

    def __init__(self, network: Network, pieces: WordPieces) -> None:
        self._network = network
        self._pieces = pieces

    def meant(self, text: str, cards: Sequence[str]) -> list[float]:
        """For each tool's card how surely it is the one that is meant: above 0 rather than not."""
        if not cards:
            return []
        found = [sequences.pair(self._pieces, text, card) for card in cards]
        hidden = self._network.hidden("reader", found)
        return [float(self._head("meant", each[0])[0]) for each in hidden]

    def slots(self, text: str, cards: Sequence[SlotCard]) -> list[SlotSpan]:
        """The words of a request that fill these parameters, in the order of the text."""
        if not cards or not text.strip():
            return []
        found = sequences.slots(self._pieces, text, cards)
        while len(found.ids) > sequences.SLOTS and len(cards) > 1:
            cards = cards[:-1]
            found = sequences.slots(self._pieces, text, cards)
        (hidden,) = self._network.hidden("reader", [found])
        begin = self._spans("begin", hidden, found, 0)
        inside = self._spans("inside", hidden, found, 1)
        spans: list[SlotSpan] = []
        number = 0
        for card in cards:
            own = _decoded(begin[number], inside[number])
            options = card.choices[: sequences.OPTIONS]
            chosen = [
                (value, span)
                for offset, value in enumerate(options, 1)
                for span in _decoded(begin[number + offset], inside[number + offset])
            ]
            number += 1 + len(options)
            for value, (first, last, sure) in chosen:
                start, end = found.places[first][0], found.places[last][1]
                spans.append(SlotSpan(card.name, start, end, sure, value))
            for first, last, sure in own:
                start, end = found.places[first][0], found.places[last][1]
                if not any(
                    s.parameter == card.name and s.start < end and s.end > start for s in spans
                ):
                    spans.append(SlotSpan(card.name, start, end, sure))
        return sorted(spans, key=lambda span: (span.start, -span.confidence))

    def answers(self, question: str, records: Sequence[tuple[str, str]]) -> list[AnswerSpan]:
        """For each record, a title and a text, where it answers the question and how surely."""
        if not records:
            return []
        found = [sequences.passage(self._pieces, question, *record) for record in records]
        return [
            self._answer(one, hidden)
            for one, hidden in zip(found, self._network.hidden("reader", found), strict=True)
        ]

    def _answer(self, found: TokenSequence, hidden: Floats) -> AnswerSpan:
        import numpy

        sure = _sigmoid(float(self._head("there", hidden[0])[0]))
        ends = self._head("ends", hidden[found.text.start : found.text.stop])
        if not len(ends):
            return AnswerSpan(0, 0, 0.0)
        best, place = -math.inf, (0, 0)
        for start in numpy.argsort(ends[:, 0])[::-1][:_BEGINNINGS]:
            behind = ends[start : start + _LONGEST, 1]
            end = int(start) + int(numpy.argmax(behind))
            score = float(ends[start, 0] + ends[end, 1])
            if score > best:
                best, place = score, (int(start), end)
        return AnswerSpan(found.places[place[0]][0], found.places[place[1]][1], sure)

    def _spans(self, name: str, hidden: Floats, found: TokenSequence, bias: int) -> Floats:
        marks = self._head(f"{name}_mark", hidden[found.marks])
        text = self._head(f"{name}_text", hidden[found.text.start : found.text.stop])
        scale = marks.shape[1] ** -0.5
        return marks @ text.T * scale + self._network.head("reader.bias")[bias]  # type: ignore[no-any-return]

    def _head(self, name: str, hidden: Floats) -> Floats:
        weight = self._network.head(f"reader.{name}.weight")
        return hidden @ weight.T + self._network.head(f"reader.{name}.bias")


def _decoded(begin: Floats, inside: Floats) -> list[tuple[int, int, float]]:
    """First and last piece of each span, and how sure it is."""
    found, at = [], 0
    while at < len(begin):
        if begin[at] > 0:
            last = at
            while last + 1 < len(begin) and inside[last + 1] > 0 and begin[last + 1] <= 0:
                last += 1
            found.append((at, last, _sigmoid(float(begin[at]))))
            at = last
        at += 1
    return found


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
