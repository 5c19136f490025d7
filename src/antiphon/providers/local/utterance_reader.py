"""The utterance reader: intent, arguments and confidence of one utterance."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from antiphon.providers.local import small_talk
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Phrase
from antiphon.providers.local.followup import owns
from antiphon.providers.local.free_text_slot import head
from antiphon.providers.local.request_forms import forbids, is_about
from antiphon.providers.local.router import Route, Routes, ToolRouter, VectorMemo
from antiphon.providers.local.slots import Filled, SlotScene, fill
from antiphon.providers.local.words import is_question, order_verb, tokens, without_courtesy
from antiphon.text.sentences import line_sentences
from antiphon.understanding.router import Hearing

Aim = Literal["tool", "talk", "question", "beyond", "unclear"]

SURE_TOOL = 0.40
# A tool that fits counts for so much at least, whatever sort of utterance it seems to be.
_FITS = 0.6
_LOOKED_AT = 400  # characters; what is wanted stands in these
# In a longer message the sentences that ask for something say what is wanted.
_LONG = 34
_ASKS = re.compile(
    r"\b(?:(?:can|could|would|will) you|please|i(?:'d| would) like|i (?:want|need)|i'd rather|"
    r"so (?:what|how|when|where|who)|let's)\b|\?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """`confidence` is how often such a reading is right, about; `likeness` is how near the
    utterance is to a text of the tool. `inner` is run through the tool that is named."""

    aim: Aim
    name: str = ""
    confidence: float = 0.0
    likeness: float = 0.0
    filled: Filled = field(default_factory=Filled)
    phrase: str = ""  # the likest one of the tool
    inner: str = ""
    hearing: Hearing | None = None

    @property
    def act(self) -> str:
        return self.hearing.act if self.hearing is not None else "new"


class UtteranceReader:
    def __init__(self, catalogue: DeclaredTools, router: ToolRouter, memo: VectorMemo) -> None:
        self._catalogue = catalogue
        self._router = router
        self._memo = memo

    def hear(self, text: str, before: str = "") -> Hearing:
        """What the utterance does: asks, answers, corrects, cancels …"""
        wanted = _wanted(text)
        hearing = self._memo.hear(wanted, before)
        # Where the second request begins is told only of what was looked at from its start.
        return hearing if text.startswith(wanted) else replace(hearing, second=None)

    def read(self, text: str, scene: SlotScene, before: str = "") -> Reading:
        asked = without_courtesy(text)
        exact = _EXACT.get(tuple(token.key for token in tokens(asked)))
        routes = self._router.routes(_wanted(text), before)
        if (called := self._called(asked)) is not None:
            return self._as_tool(called, 1.0, asked, scene, routes.hearing)
        hearing, best = routes.hearing, routes.found[0] if routes.found else None
        if exact is not None and not (best is not None and best.likeness > 0.9):
            return Reading("talk", exact, 1.0, hearing=hearing)
        scores = self._scores(routes, asked, scene)
        aim = max(scores, key=lambda name: scores[name])
        sure = scores[aim]
        if aim == "tool" and best is not None:
            if not self._meant(best, text):
                asks = is_question(asked)
                return Reading("question" if asks else "talk", "" if asks else "dismissal", sure)
            return self._as_tool(best, sure, asked, scene, hearing)
        if aim == "talk":
            return Reading("talk", self._kind_of_talk(hearing), sure, hearing=hearing)
        if aim == "self":
            kind = self._kind_of_talk(hearing, ("identity", "help"))
            return Reading("talk", kind, sure, hearing=hearing)
        if aim == "fact":
            return Reading("question", confidence=sure, hearing=hearing)
        if is_question(asked) or scene.book.mentions(asked):
            return Reading("question", confidence=sure, hearing=hearing)
        return Reading("beyond", confidence=sure, hearing=hearing)

    def _called(self, asked: str) -> Route | None:
        """A tool of the catalogue that is called by its name: "run the word_count on …"."""
        match = _CALLED.match(asked)
        rest = asked[match.end() :].lower() if match else ""
        for name, tool in self._catalogue.inner.items():
            if rest and any(
                rest == form or rest.startswith((f"{form} ", f"{form}:", f"{form},"))
                for form in (name, name.replace("_", " "))
            ):
                return Route(tool, 1.0, 1.0, Phrase(""))
        return None

    def _scores(self, routes: Routes, asked: str, scene: SlotScene) -> dict[str, float]:
        """How likely each is: a tool, a fact, talk, the assistant itself, nothing that is here."""
        sorts = routes.hearing.sorts
        best = routes.found[0].probability if routes.found else 0.0
        named = bool(scene.book.mentions(asked)) or (bool(scene.entities) and owns(asked))
        fact = sorts["fact"]
        if named and is_question(asked):
            fact = max(fact, 0.5 * (1.0 - best))
        # A tool that surely fits comes before talk around it: "thank you, please hang up".
        unlike = 1.0 - best
        return {
            "tool": best * max(sorts["tool"], _FITS),
            "fact": fact,
            "talk": sorts["talk"] * unlike,
            "self": sorts["self"] * unlike,
            "none": routes.none * sorts["tool"],
        }

    def _meant(self, route: Route, text: str) -> bool:
        """Whether it may be asked for at all, rather than forbidden or asked about."""
        phrase = route.phrase.text
        if forbids(text) and not forbids(phrase):
            return False
        if route.tool.reads or is_question(phrase):
            return True
        return not is_about(text)

    def _as_tool(
        self, route: Route, sure: float, asked: str, scene: SlotScene, hearing: Hearing
    ) -> Reading:
        tool = route.tool
        if tool.name not in self._catalogue.tools:
            carrier = self._carrier()
            name = carrier.name if carrier is not None else ""
            return Reading("tool", name, sure, route.likeness, inner=tool.name, hearing=hearing)
        filled = fill(tool, asked, scene, route.phrase)
        return Reading(
            "tool", tool.name, sure, route.likeness, filled, route.phrase.text, hearing=hearing
        )

    def _carrier(self) -> DeclaredTool | None:
        for tool in self._catalogue.tools.values():
            if any("catalogue tool" in parameter.description for parameter in tool.required):
                return tool
        return None

    def _kind_of_talk(
        self, hearing: Hearing, kinds: tuple[small_talk.Kind, ...] = ()
    ) -> small_talk.Kind:
        """The kind of small talk that is nearest by meaning."""
        said = [
            (kind, text)
            for kind, texts in small_talk.SAID.items()
            if kind in kinds or (not kinds and kind not in ("identity", "help", "beyond"))
            for text in texts
        ]
        near = self._memo.vectors([text for _, text in said]) @ hearing.vector
        return said[int(near.argmax())][0]


def _wanted(text: str) -> str:
    """The part of an utterance that says what is wanted, without a text that it carries."""
    short = head(text)
    if order_verb(without_courtesy(short)) is None and not _ASKS.search(short):
        short = text  # "here is the thing: …" asks for nothing
    if len(short.split()) > _LONG:
        asks = [line for line in line_sentences(short) if _ASKS.search(line)]
        short = " ".join(asks[-2:]) or short
    return (short if len(short.split()) > 2 else text)[:_LOOKED_AT]


_CALLED = re.compile(
    r"^(?:run|use|start|call|execute|launch)\s+(?:the\s+)?(?:catalogue\s+)?(?:tool\s+)?", re.I
)
_EXACT = {
    tuple(token.key for token in tokens(text)): kind
    for kind, texts in small_talk.SAID.items()
    for text in texts
}
__all__ = ["Aim", "Phrase", "Reading", "SURE_TOOL", "UtteranceReader"]
