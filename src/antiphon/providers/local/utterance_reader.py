"""The utterance reader: intent, arguments and confidence of one utterance."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from antiphon.providers.local import small_talk
from antiphon.providers.local.catalogue import DeclaredTools
from antiphon.providers.local.followup import owns
from antiphon.providers.local.free_text_slot import head, quoted
from antiphon.providers.local.names import RECORD_ID
from antiphon.providers.local.request_forms import forbids, form_of, is_about
from antiphon.providers.local.router import Route, Router, confidence, standin
from antiphon.providers.local.slots import Filled, SlotScene, fill
from antiphon.providers.local.values import ChoiceValue, choices, kind_of
from antiphon.providers.local.words import (
    DEFINES,
    asking_clause,
    is_question,
    stems,
    tokens,
    without_courtesy,
)

Aim = Literal["tool", "talk", "question", "unclear"]

# So many tools are tried with their parameters.
_TRIED = 8
# The weights below were found on the development half of the test set.
# How much the utterance without its values counts beside the utterance as it is.
_BARE = 0.25
# A value of the right form speaks for a tool, a place that it cannot look in against it.
_FOR, _MOST_FOR, _AGAINST = 0.05, 4, 0.12
# A question that leaves out what a tool needs is rather one for the knowledge base.
_ASKED, _UNANSWERABLE, _INCOMPLETE, _COMPLETE = 0.12, 0.12, 0.04, 2
# "Launch the macro" is nearer to running it than to deleting it.
_VERB, _MOST_VERB = 0.25, 0.04
# What writes is hardly meant by what is no order.
_NOT_ASKED = 0.08
# Of a tool and mere talk that are about as likely, the tool is meant.
_TOOL_BEFORE_TALK, _SAME = 0.08, 0.7
# A few words that mean goodbye end a conversation that can be ended.
_BRIEF, _SAME_ENDING = 4, 0.6
_TOOL_BEFORE_QUESTION, _EQUAL = 0.05, 0.9
SURE_TOOL = 0.40
# Who names somebody or something that is known rather wants to know about it.
SURE_TALK_OF = {False: 0.30, True: 0.60}

_CLOSE = " .!"  # what was said has none of them, what was written may
_EXACT = {
    tuple(token.key for token in tokens(text)): kind
    for kind, texts in small_talk.SAID.items()
    for text in texts
}


@dataclass(frozen=True, slots=True)
class Reading:
    """`confidence` is how often such a reading is right, about; `likeness` is how near the
    utterance is to a phrase of what it is read as."""

    aim: Aim
    name: str = ""
    confidence: float = 0.0
    likeness: float = 0.0
    filled: Filled = field(default_factory=Filled)
    phrase: str = ""  # that one


@dataclass(frozen=True, slots=True)
class _Weighed:
    route: Route
    score: float
    filled: Filled


class UtteranceReader:
    def __init__(self, catalogue: DeclaredTools, router: Router) -> None:
        self._catalogue = catalogue
        self._router = router

    def read(self, text: str, scene: SlotScene) -> Reading:
        asked = without_courtesy(text)
        exact = _EXACT.get(tuple(token.key for token in tokens(asked)))
        weighed = self._weighed(asked, scene, text)
        best = _before_talk(weighed)
        rest = [one.score for one in weighed if one is not best]
        margin = max(best.score - rest[0], 0.0) if rest else best.score
        sure = confidence(best.score, margin)
        if exact is not None and (end := _ending(exact, weighed)) is not None:
            best = end
        elif exact is not None and not (best.route.aim == "tool" and best.route.likeness > _EQUAL):
            return Reading("talk", exact, 1.0)
        if best.route.aim == "tool" and not self._meant(best.route, text):
            asks = is_question(asked)
            return Reading("question", confidence=sure) if asks else Reading("talk", "dismissal")
        named = bool(scene.book.mentions(asked)) or (bool(scene.entities) and owns(asked))
        if best.route.aim == "tool" and sure >= SURE_TOOL:
            # "What is Ada's phone number?" gives a tool nothing to work on.
            idle = best.filled.missing and not best.filled.evidence
            if not (named and idle and is_question(asked)) or best.route.likeness > _SAME:
                return _as_tool(best, sure)
            return Reading("question", confidence=sure)
        brief = len(tokens(asked)) <= _BRIEF
        if best.route.name == "goodbye" and brief and (end := _ending("goodbye", weighed)):
            return _as_tool(end, sure)
        told = not (named and is_question(asked)) or best.route.likeness > _EQUAL
        if best.route.aim == "talk" and told and sure >= SURE_TALK_OF[named]:
            return Reading("talk", best.route.name, sure)
        if is_question(asked) or best.route.aim == "question" or named:
            return Reading("question", confidence=sure)
        if best.route.aim == "tool" and best.score > 0.45:
            return _as_tool(best, sure)
        return Reading("unclear", confidence=sure)

    def _meant(self, route: Route, text: str) -> bool:
        """Whether it may be asked for at all, rather than forbidden or asked about."""
        phrase = route.phrase.text
        if forbids(text) and not forbids(phrase):
            return False
        if self._catalogue.tools[route.name].reads or is_question(phrase):
            return True
        return not is_about(text)

    def _weighed(self, text: str, scene: SlotScene, said: str) -> list[_Weighed]:
        places = choices(text, [ChoiceValue(name, (name,)) for name in scene.book.databases], True)
        routes = self._router.routes(_views(text, [place.span for place in places]))
        tried = [route for route in routes if route.aim == "tool"]
        if DEFINES.match(text) and (defining := [r for r in tried if self._defines(r.name)]):
            tried = routes = defining
        tried = tried[:_TRIED]
        fills = {r.name: fill(self._catalogue.tools[r.name], text, scene, r.phrase) for r in tried}
        bare = [self._bare(text, fills[route.name]) for route in tried]
        again = self._router.again([route.name for route in tried], bare) if tried else []
        verbs = self._router.verbs(text, [route.name for route in tried])
        named = len({place.value for place in places})
        asked = is_question(text)
        found: list[_Weighed] = []
        for route in routes:
            if route.aim == "tool" and route.name not in fills:
                continue
            score, filled = route.score, Filled()
            if route.aim == "tool":
                tool, filled = self._catalogue.tools[route.name], fills[route.name]
                other = next(one for one in again if one.name == route.name)
                if other.score > score:
                    score += _BARE * (other.score - score)
                    route = other
                    filled = fill(tool, text, scene, route.phrase)
                score += _FOR * min(filled.evidence, _MOST_FOR)
                score += max(_VERB * verbs.get(route.name, 0.0), -_MOST_VERB)
                score -= _AGAINST * _unused(filled, named)
                if filled.missing and not filled.evidence:
                    score -= _UNANSWERABLE if asked else _INCOMPLETE
                if _unnamed(filled, text):
                    score -= _UNANSWERABLE
                complete = filled.evidence >= _COMPLETE and not filled.missing
                if asked and not route.anchored and not complete:
                    score -= _UNANSWERABLE
                if tool.writes and form_of(said, tool, route.phrase.text) == "other":
                    score -= _NOT_ASKED
            elif route.aim == "question" and asked:
                score += _ASKED
            elif route.name == "beyond" and asked and not is_question(route.phrase.text):
                score -= _ASKED  # what is beyond us is ordered
            found.append(_Weighed(route, score, filled))
        return sorted(found, key=lambda one: (-one.score, one.route.name))

    def _defines(self, name: str) -> bool:
        """Whether the tool keeps a routine for later."""
        parameters = self._catalogue.tools[name].parameters
        return any(kind_of(each, self._catalogue) == "steps" for each in parameters)

    def _bare(self, text: str, filled: Filled) -> str:
        """The utterance with something common in the place of each value."""
        for (start, end), parameter in sorted(filled.spans, key=lambda one: one[0], reverse=True):
            text = f"{text[:start]}{standin(parameter, self._catalogue)}{text[end:]}"
        return re.sub(r"[\"\u201c\u201d]|\s+", " ", text)[:400].rstrip(_CLOSE)


def _as_tool(best: _Weighed, sure: float) -> Reading:
    route = best.route
    return Reading("tool", route.name, sure, route.likeness, best.filled, route.phrase.text)


def _ending(exact: str, weighed: list[_Weighed]) -> _Weighed | None:
    """A goodbye is mere talk, unless there is a tool that people say goodbye to."""
    tools = [one for one in weighed if one.route.aim == "tool"]
    if exact == "goodbye" and tools and tools[0].route.likeness > _SAME_ENDING:
        return tools[0]
    return None


def _before_talk(weighed: list[_Weighed]) -> _Weighed:
    best = weighed[0]
    if best.route.aim == "question":
        for one in weighed[1:]:
            near = best.score - one.score < _TOOL_BEFORE_QUESTION
            if one.route.aim == "tool" and near and one.route.likeness > _EQUAL:
                return one
    if best.route.aim == "talk":
        for one in weighed[1:]:
            near = best.score - one.score < _TOOL_BEFORE_TALK
            if one.route.aim == "tool" and near and one.route.likeness > _SAME:
                return one
    return best


def _unnamed(filled: Filled, text: str) -> bool:
    """Whether a tool works with one of several things of which neither a name nor the kind was
    said: an agent, an expert."""
    said = stems(text)
    taken = {parameter.name for _, parameter in filled.spans}
    return any(
        parameter.examples and parameter.name not in taken and not stems(parameter.label) & said
        for parameter in filled.missing
    )


def _unused(filled: Filled, places: int) -> int:
    """1 when places were named and the tool looks in none, or in fewer of them."""
    if not places:
        return 0
    taken = 0
    for name, value in filled.args.items():
        if name.startswith(("database", "namespace")):
            taken += len(value) if isinstance(value, list) else 1
    return int(taken < places)


def _views(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """The utterance as it is, and without what it carries; places and records are all called the
    same."""
    masked = text.rstrip(_CLOSE)
    for start, end in reversed([span for span in spans if span[1] <= len(masked)]):
        masked = f"{masked[:start]}main{masked[end:]}"
    masked = RECORD_ID.sub("this record", masked)
    for (start, end), _ in reversed(quoted(masked)):
        masked = f"{masked[:start]}this{masked[end:]}"
    short = head(masked)
    if short == masked:
        short = without_courtesy(asking_clause(masked))
    masked = re.sub(r"\s+", " ", masked)[:400]
    return [masked] if short == masked or len(short.split()) < 2 else [masked, short]
