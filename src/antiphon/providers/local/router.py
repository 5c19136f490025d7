"""The intent router: the tool or kind of talk an utterance is about, by meaning and keywords."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from antiphon.providers.local import small_talk
from antiphon.providers.local.catalogue import SLOT, DeclaredTool, DeclaredTools, Parameter, Phrase
from antiphon.providers.local.values import Kind, kind_of
from antiphon.providers.local.words import DETERMINERS, STOP, order_words, stem, tokens

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vectors: TypeAlias = numpy.typing.NDArray[numpy.float32]
else:
    Vectors: TypeAlias = Any

Embed: TypeAlias = Callable[[Sequence[str]], Vectors]
Aim = Literal["tool", "talk", "question"]

# Telling words count for so much beside meaning; found on the development half of the test set.
WORDS_SHARE = 0.30
# Words that no phrase has speak against all of them, a few of them and less than known ones.
_STRANGERS, _STRANGER = 3, 0.5
# Telling words count in full from this likeness on.
_LIKE = 0.45
# Confidence is a logistic function of the score and of its distance from the next best.
_SCORE_SLOPE, _SCORE_MIDDLE = 6.0, 0.40
_MARGIN_SLOPE, _MARGIN_MIDDLE = 16.0, 0.03
# Who begins as a phrase does before its first slot, with so many words, rather means its tool.
_LEAD_WORDS, _LED, _LED_LIKENESS = 3, 0.20, 0.75
_KEPT = 20_000
_CHUNK = 32
# What is wanted stands in so many characters; a longer text would only take longer to embed.
_MEANT = 300


@dataclass(frozen=True, slots=True)
class Route:
    """One thing that may be meant."""

    aim: Aim
    name: str
    score: float
    phrase: Phrase
    likeness: float  # to that phrase alone
    anchored: bool = False  # one of its telling words was said
    led: bool = False  # it begins as one of its phrases does


class RoutingCancelled(Exception):
    """The model is being closed; nobody waits for this any more."""


class Memo:
    """Vectors of texts that come again: the phrases of tools, which all sessions share.

    `embed_phrases` makes them where given, so that it may keep them; what people say is never
    given to it.
    """

    def __init__(self, embed: Embed, embed_phrases: Embed | None = None) -> None:
        self._embed = embed
        self._embed_phrases = embed_phrases or embed
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self.stopped = False

    def vectors(self, texts: Sequence[str]) -> Vectors:
        import numpy

        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for start in range(0, len(new), _CHUNK):
            if self.stopped:
                raise RoutingCancelled("the built-in model is closed")
            chunk = new[start : start + _CHUNK]
            self._kept.update(zip(chunk, self._embed_phrases(chunk), strict=True))
        found = numpy.stack([self._kept[text] for text in texts])
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def fresh(self, texts: Sequence[str]) -> Vectors:
        """Of texts that will hardly come again."""
        return self._embed([text[:_MEANT] for text in texts])


@dataclass(frozen=True, slots=True)
class _Entry:
    aim: Aim
    name: str
    phrase: Phrase


class Router:
    """Made once for a set of tools; every utterance is compared with all their phrases."""

    def __init__(self, catalogue: DeclaredTools, memo: Memo) -> None:
        self._memo = memo
        self._entries = [
            *(_Entry("tool", t.name, p) for t in catalogue.tools.values() for p in _asked(t)),
            *(
                _Entry("talk", kind, Phrase(text))
                for kind, texts in small_talk.SAID.items()
                for text in texts
            ),
            *(_Entry("question", "question", Phrase(text)) for text in small_talk.QUESTIONS),
        ]
        self._matrix = memo.vectors(
            [
                plain(entry.phrase.text, catalogue.get(entry.name), catalogue)
                for entry in self._entries
            ]
        )
        self._groups: dict[tuple[Aim, str], list[int]] = {}
        for at, entry in enumerate(self._entries):
            self._groups.setdefault((entry.aim, entry.name), []).append(at)
        self._words = _telling(self._entries)
        self._verbs = {
            tool.name: {v for phrase in tool.phrases if (v := order_words(phrase.text))}
            for tool in catalogue.tools.values()
        }
        self._leads = [(_lead(entry.phrase.text), entry) for entry in self._entries]
        self._leads = [(lead, entry) for lead, entry in self._leads if lead]
        count = len(self._groups)
        seen: dict[str, int] = {}
        for words in self._words.values():
            for word in words:
                seen[word] = seen.get(word, 0) + 1
        self._worth = {word: math.log((count + 1) / n) for word, n in seen.items()}
        self._stranger = _STRANGER * math.log(count + 1)

    def routes(self, views: Sequence[str]) -> list[Route]:
        """What may be meant, the most likely first. `views` are ways to read one utterance: as it
        is, and without what it only carries."""
        likeness = (self._memo.fresh(views) @ self._matrix.T).max(axis=0)
        # Words of the request itself: what it carries says nothing about what is wanted.
        found = [self._route(key, likeness, views[-1]) for key in self._groups]
        said = tuple(token.key for token in tokens(views[0]))
        for lead, entry in self._leads:
            if said[: len(lead)] == lead:
                found = [
                    _led(route, entry) if route.name == entry.name else route for route in found
                ]
        return sorted(found, key=lambda route: (-route.score, route.name))

    def again(self, names: Sequence[str], views: Sequence[str]) -> list[Route]:
        """Each tool once more, for the utterance as it reads when its values are taken out."""
        vectors = self._memo.fresh(views)
        return [
            self._route(("tool", name), vector @ self._matrix.T, view)
            for name, vector, view in zip(names, vectors, views, strict=True)
        ]

    def verbs(self, text: str, names: Sequence[str]) -> dict[str, float]:
        """How near the verb of an order is to those with which people ask for each tool, compared
        with the tool that it is nearest to: 0 for that one. Empty for what is no order."""
        said = order_words(text)
        known = {name: self._verbs[name] for name in names if self._verbs.get(name)}
        if said is None or not known:
            return {}
        # Verbs are few, and none of them is the person's own: they are kept.
        of = {verb for verbs in known.values() for verb in verbs}
        kept = [f"{verb} it" for verb in sorted(of)]
        like = self._memo.vectors([f"{said} it"])[0] @ self._memo.vectors(kept).T
        near = dict(zip(sorted(of), (float(one) for one in like), strict=True))
        best = {name: max(near[verb] for verb in verbs) for name, verbs in known.items()}
        return {name: one - max(best.values()) for name, one in best.items()}

    def _route(self, key: tuple[Aim, str], likeness: Vectors, words: str) -> Route:
        said = {stem(t.key) for t in tokens(words) if t.key not in STOP} - _NOT_SAID
        strange = min(_STRANGERS, sum(word not in self._worth for word in said))
        total = sum(self._worth.get(word, 0.0) for word in said) + strange * self._stranger
        best = max(self._groups[key], key=lambda at: float(likeness[at]))
        like = float(likeness[best])
        shared = sum(self._worth[word] for word in said & self._words[key])
        part = shared / total * min(1.0, like / _LIKE) if total else 0.0
        score = (1 - WORDS_SHARE) * like + WORDS_SHARE * part
        return Route(*key, score, self._entries[best].phrase, like, shared > 0)


def _lead(template: str) -> tuple[str, ...]:
    """The words of a phrase before its first slot, where they are enough to know it by."""
    slot = SLOT.search(template)
    words = tokens(template[: slot.start()]) if slot is not None else []
    telling = any(word.key not in STOP for word in words)
    enough = len(words) >= _LEAD_WORDS and words[-1].key not in DETERMINERS
    return tuple(word.key for word in words) if enough and telling else ()


def _led(route: Route, entry: _Entry) -> Route:
    if route.led:
        return route
    like = max(route.likeness, _LED_LIKENESS)
    return replace(route, score=route.score + _LED, phrase=entry.phrase, likeness=like, led=True)


def plain(
    template: str, tool: DeclaredTool | None = None, catalogue: DeclaredTools | None = None
) -> str:
    """A phrase as it would sound with something in its slots."""

    def filled(match: re.Match[str]) -> str:
        parameter = tool.parameter(match[1]) if tool is not None else None
        if parameter is None or catalogue is None:
            return "something"
        return standin(parameter, catalogue)

    return SLOT.sub(filled, template)


def standin(parameter: Parameter, catalogue: DeclaredTools) -> str:
    return _STANDINS.get(kind_of(parameter, catalogue), "something")


# What stands for a value when a phrase is compared by meaning.
_STANDINS: dict[Kind, str] = {
    "person": "Anna Smith",
    "zone": "London",
    "reference": "main",
    "choice": "main",
    "duration": "ten minutes",
    "moment": "3 March",
    "record": "this record",
    "type": "people",
    "count": "5",
    "email": "anna@example.com",
}
_NOT_SAID = frozenset(stem(t.key) for text in _STANDINS.values() for t in tokens(text)) | {
    stem("something")
}


def _asked(tool: DeclaredTool) -> Iterable[Phrase]:
    yield from tool.phrases
    yield Phrase(tool.title)
    yield Phrase(tool.summary)


def _telling(entries: Sequence[_Entry]) -> dict[tuple[Aim, str], set[str]]:
    found: dict[tuple[Aim, str], set[str]] = {}
    for entry in entries:
        words = found.setdefault((entry.aim, entry.name), set())
        if len(entry.phrase.text) < 120:  # a summary speaks of much that nobody says
            text = SLOT.sub(" ", re.sub(r"_", " ", entry.phrase.text))
            words |= {stem(token.key) for token in tokens(text) if token.key not in STOP}
    return found


def confidence(score: float, margin: float) -> float:
    power = _SCORE_SLOPE * (score - _SCORE_MIDDLE) + _MARGIN_SLOPE * (margin - _MARGIN_MIDDLE)
    return 1.0 / (1.0 + math.exp(-power))
