"""One utterance read: what it asks for, with which arguments, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from antiphon.providers.local import talk
from antiphon.providers.local.catalogue import Catalogue, Tool
from antiphon.providers.local.remainder import head
from antiphon.providers.local.router import Route, Router, confidence
from antiphon.providers.local.slots import Filled, Scene, fill
from antiphon.providers.local.values import Choice, choices
from antiphon.providers.local.words import is_question, tokens, without_courtesy

Aim = Literal["tool", "talk", "question", "unclear"]

# So many tools are tried with their parameters.
_TRIED = 6
# A value of the right form speaks for a tool, a place that it cannot look in against it.
_FOR, _MOST_FOR, _AGAINST = 0.05, 3, 0.08
# A question that leaves out what a tool needs is rather one for the knowledge base.
_ASKED, _UNANSWERABLE = 0.05, 0.12
# Of a tool and mere talk that are about as likely, the tool is meant.
_TOOL_BEFORE_TALK = 0.06
SURE_TOOL = 0.40
SURE_TALK = 0.30

_EXACT = {
    tuple(token.key for token in tokens(text)): kind
    for kind, texts in talk.SAID.items()
    for text in texts
}


@dataclass(frozen=True, slots=True)
class Reading:
    """`confidence` is how often such a reading is right, about."""

    aim: Aim
    name: str = ""
    confidence: float = 0.0
    filled: Filled = field(default_factory=Filled)


@dataclass(frozen=True, slots=True)
class _Weighed:
    route: Route
    score: float
    filled: Filled


class Reader:
    def __init__(self, catalogue: Catalogue, router: Router) -> None:
        self._catalogue = catalogue
        self._router = router

    def read(self, text: str, scene: Scene) -> Reading:
        asked = without_courtesy(text)
        exact = _EXACT.get(tuple(token.key for token in tokens(asked)))
        weighed = self._weighed(asked, scene)
        best = weighed[0]
        margin = best.score - weighed[1].score if len(weighed) > 1 else best.score
        sure = confidence(best.score, margin)
        if exact is not None and not (best.route.aim == "tool" and best.route.likeness > 0.9):
            return Reading("talk", exact, 1.0)
        if best.route.aim == "tool" and sure >= SURE_TOOL:
            return Reading("tool", best.route.name, sure, best.filled)
        if best.route.aim == "talk" and sure >= SURE_TALK:
            return Reading("talk", best.route.name, sure)
        if is_question(asked) or best.route.aim == "question" or scene.book.mentions(asked):
            return Reading("question", confidence=sure)
        if best.route.aim == "tool" and best.score > 0.45:
            return Reading("tool", best.route.name, sure, best.filled)
        return Reading("unclear", confidence=sure)

    def _weighed(self, text: str, scene: Scene) -> list[_Weighed]:
        places = choices(text, [Choice(name, (name,)) for name in scene.book.databases], True)
        views = _views(text, [place.span for place in places])
        asked = is_question(text)
        found: list[_Weighed] = []
        tried = 0
        for route in self._router.routes(views):
            filled = Filled()
            score = route.score
            if route.aim == "tool" and tried < _TRIED:
                tried += 1
                tool = self._catalogue.tools[route.name]
                filled = fill(tool, text, scene, route.phrase)
                score += _FOR * min(filled.evidence, _MOST_FOR)
                score -= _AGAINST * _unused(tool, filled, len({p.value for p in places}))
                score += _TOOL_BEFORE_TALK
                if asked and filled.missing and not filled.evidence:
                    score -= _UNANSWERABLE
            elif route.aim == "question" and asked:
                score += _ASKED
            found.append(_Weighed(route, score, filled))
        return sorted(found, key=lambda one: (-one.score, one.route.name))


def _unused(tool: Tool, filled: Filled, places: int) -> int:
    """1 when places were named and the tool looks in none, or in fewer of them."""
    del tool
    if not places:
        return 0
    taken = 0
    for name, value in filled.args.items():
        if name.startswith(("database", "namespace")):
            taken += len(value) if isinstance(value, list) else 1
    return int(taken < places)


def _views(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """The utterance as it is, and without what it carries; places are all called the same."""
    masked = text
    for start, end in reversed(spans):
        masked = f"{masked[:start]}main{masked[end:]}"
    short = head(masked)
    masked = re.sub(r"\s+", " ", masked)[:400]
    return [masked] if short == masked or len(short.split()) < 2 else [masked, short]
