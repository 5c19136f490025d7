"""The tool router: the tools that an utterance may mean, by the trained encoders."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from antiphon.providers.local.catalogue import SLOT, DeclaredTool, DeclaredTools, Phrase
from antiphon.understanding.model import Understanding
from antiphon.understanding.router import Hearing
from antiphon.understanding.sequences import card

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vectors: TypeAlias = numpy.typing.NDArray[numpy.float32]
else:
    Vectors: TypeAlias = Any

Embed: TypeAlias = Callable[[Sequence[str]], Vectors]

_TRIED = 5  # tools that are read closely
_SCALE = 20.0  # of likeness, as it was trained
# How much the likeness counts beside the close reading; found on what was held out of training.
_LIKENESS_SHARE = 0.5
_SAME_WORDS = 0.2
_KEPT = 20_000
_HEARD = 64
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Route:
    """A tool that may be meant: how likely, how near to one of its texts, and to which phrase."""

    tool: DeclaredTool
    probability: float
    likeness: float
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Routes:
    """The tools that may be meant, the likeliest first, and how likely it is none of all."""

    hearing: Hearing
    found: tuple[Route, ...]
    none: float


class RoutingCancelled(Exception):
    """The model is being closed; nobody waits for this any more."""


class VectorMemo:
    """Vectors of tools' texts, remembered; `keep` may keep them longer than the process."""

    def __init__(self, understanding: Understanding, keep: Embed | None = None) -> None:
        self.understanding = understanding
        self._embed = keep or understanding.router.vectors
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._heard: OrderedDict[tuple[str, str], Hearing] = OrderedDict()
        self.stopped = False

    def vectors(self, texts: Sequence[str]) -> Vectors:
        import numpy

        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        for start in range(0, len(fresh), _CHUNK):
            if self.stopped:
                raise RoutingCancelled
            chunk = fresh[start : start + _CHUNK]
            self._known |= dict(zip(chunk, self._embed(chunk), strict=True))
        found = numpy.array([self._known[text] for text in texts], numpy.float32)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found

    def hear(self, text: str, before: str) -> Hearing:
        """What an utterance does; it is asked for more than once in a turn."""
        key = text, before
        if key not in self._heard:
            self._heard[key] = self.understanding.router.hear(text, before)
            while len(self._heard) > _HEARD:
                self._heard.popitem(last=False)
        return self._heard[key]


class ToolRouter:
    """The tools of one conversation, those that are run through another included."""

    def __init__(self, catalogue: DeclaredTools, memo: VectorMemo) -> None:
        self._memo = memo
        self._tools = [*catalogue.tools.values(), *_others(catalogue)]
        self._texts: list[str] = []
        self._phrases: list[Phrase] = []
        self._owners: list[int] = []
        for number, tool in enumerate(self._tools):
            first = card(tool.name, tool.summary, [p.name for p in tool.parameters])
            for text, phrase in [(first, Phrase("")), *((plain(p.text), p) for p in tool.phrases)]:
                self._texts.append(text)
                self._phrases.append(phrase)
                self._owners.append(number)
        self._matrix: Vectors | None = None

    def warm(self) -> None:
        """Compute the vectors of all texts, before anybody waits for them."""
        if self._matrix is None:
            self._matrix = self._memo.vectors(self._texts)

    def routes(self, text: str, before: str = "") -> Routes:
        hearing = self._memo.hear(text, before)
        if not self._tools:
            return Routes(hearing, (), 1.0)
        self.warm()
        assert self._matrix is not None
        near = self._matrix @ hearing.vector
        best: dict[int, int] = {}
        liked: dict[int, int] = {}  # the likest phrase of each
        said = _words(text)
        nearest: dict[int, float] = {}
        for at, owner in enumerate(self._owners):
            if owner not in best or near[at] > near[best[owner]]:
                best[owner] = at
            if self._phrases[at].text:
                own = float(near[at]) + _shared(said, self._texts[at])
                if owner not in liked or own > nearest[owner]:
                    liked[owner], nearest[owner] = at, own
        tried = sorted(best, key=lambda owner: -float(near[best[owner]]))[:_TRIED]
        cards = []
        for owner in tried:
            tool = self._tools[owner]
            phrase = plain(self._phrases[liked[owner]].text) if owner in liked else ""
            cards.append(card(tool.name, tool.summary, [p.name for p in tool.parameters], phrase))
        pairs = self._memo.understanding.reader.meant(text, cards)
        likeness = [float(near[best[owner]]) for owner in tried]
        top = max(likeness)
        powers = [
            math.exp(pair + _LIKENESS_SHARE * _SCALE * (like - top))
            for pair, like in zip(pairs, likeness, strict=True)
        ]
        total = sum(powers) + 1.0
        found = [
            Route(
                self._tools[owner],
                power / total,
                like,
                self._phrases[liked[owner]] if owner in liked else Phrase(""),
            )
            for owner, power, like in zip(tried, powers, likeness, strict=True)
        ]
        found.sort(key=lambda route: (-route.probability, route.tool.name))
        return Routes(hearing, tuple(found), 1.0 / total)


def _others(catalogue: DeclaredTools) -> list[DeclaredTool]:
    """Those that are run by name, where there is a tool that runs them."""
    if not any(
        "catalogue tool" in p.description
        for tool in catalogue.tools.values()
        for p in tool.required
    ):
        return []
    return [tool for name, tool in catalogue.inner.items() if name not in catalogue.tools]


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z']+", text.lower()))


def _shared(said: set[str], phrase: str) -> float:
    """A little for a phrase that has the same words: it says what goes with them."""
    words = _words(phrase)
    return _SAME_WORDS * len(said & words) / max(1, len(said | words))


def plain(template: str) -> str:
    """A phrase as it would sound with something in its slots."""
    return re.sub(r"\s+", " ", SLOT.sub("something", template))
