"""The router: what a person wants by an utterance, and which tool is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from antiphon.text.wordpiece import WordPieces
from antiphon.understanding import sequences
from antiphon.understanding.network import Network

if TYPE_CHECKING:
    from antiphon.understanding.network import Floats

# The order in which the heads were trained.
ACTS = (
    "new", "answer", "none", "correct", "more", "yes", "no", "cancel", "negated", "injection",
    "garbled",
)  # fmt: skip
SORTS = ("tool", "fact", "talk", "self")
_TOGETHER = 24  # texts of tools that are worked on at once


@dataclass(frozen=True, slots=True)
class Hearing:
    """What one utterance does, each with its probability.

    `acts`: a new request, an answer to the open question, a correction …; `sorts`: whether a tool,
    a fact, small talk or the assistant itself is meant; `second` is where a second request begins.
    """

    vector: Floats
    acts: dict[str, float]
    sorts: dict[str, float]
    second: int | None

    @property
    def act(self) -> str:
        return max(self.acts, key=lambda name: self.acts[name])

    @property
    def sort(self) -> str:
        return max(self.sorts, key=lambda name: self.sorts[name])


class UtteranceRouter:
    """Blocks while it computes, a few thousandths of a second for each utterance."""

    def __init__(self, network: Network, pieces: WordPieces) -> None:
        self._network = network
        self._pieces = pieces

    def hear(self, text: str, before: str = "") -> Hearing:
        """`before` is what the person was asked or told just before."""
        import numpy

        found = sequences.said(self._pieces, text, before)
        (hidden,) = self._network.hidden("router", [found])
        acts = _softmax(self._head("act", hidden[0]))
        sorts = _softmax(self._head("sort", hidden[0]))
        own = found.text.stop + 1  # the closing mark included
        places = self._head("second", hidden[:own])[:, 0]
        at = int(numpy.argmax(places))
        inside = at in found.text and at > found.text.start
        second = found.places[at - found.text.start][0] if inside else None
        return Hearing(
            _normalised(hidden[:own].mean(0)),
            dict(zip(ACTS, map(float, acts), strict=True)),
            dict(zip(SORTS, map(float, sorts), strict=True)),
            second,
        )

    def vectors(self, texts: Sequence[str]) -> Floats:
        """A vector for each text of a tool; their products with that of an utterance are their
        likeness to it."""
        import numpy

        found = []
        for start in range(0, len(texts), _TOGETHER):
            batch = [sequences.tool_text(self._pieces, t) for t in texts[start : start + _TOGETHER]]
            for hidden in self._network.hidden("router", batch):
                found.append(_normalised(hidden.mean(0)))
        return numpy.stack(found) if found else numpy.zeros((0, 384), numpy.float32)

    def _head(self, name: str, hidden: Floats) -> Floats:
        weight = self._network.head(f"router.{name}.weight")
        return hidden @ weight.T + self._network.head(f"router.{name}.bias")


def _softmax(logits: Floats) -> Floats:
    import numpy

    powers = numpy.exp(logits - logits.max())
    shares: Floats = powers / powers.sum()
    return shares


def _normalised(vector: Floats) -> Floats:
    import numpy

    unit: Floats = vector / max(float(numpy.linalg.norm(vector)), 1e-9)
    return unit
