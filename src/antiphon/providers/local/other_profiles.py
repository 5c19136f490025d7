"""Tools of other profiles: requests this conversation cannot serve, refused in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from antiphon.providers.local import small_talk
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools
from antiphon.providers.local.knowledge import is_search
from antiphon.providers.local.mode_switch import ends_session
from antiphon.providers.local.questions import doing
from antiphon.providers.local.router import ToolRouter, VectorMemo
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.utterance_reader import Reading, UtteranceReader
from antiphon.providers.local.values import kind_of

_SURE, _LIKE = 0.6, 0.6
# A time or an address that only such a tool takes says as much as its words.
_TOLD, _LIKE_TOLD = 2, 0.45
# What is here and was said nearly in its own words is meant, whatever else comes near.
_OWN_WORDS, _SURER = 0.85, 0.8


class Others:
    """`catalogue` has the tools of this conversation, which are `here`, and those of `profiles`."""

    def __init__(
        self,
        catalogue: DeclaredTools,
        router: ToolRouter,
        memo: VectorMemo,
        here: Collection[str],
        profiles: Mapping[str, Collection[str]],
    ) -> None:
        self._catalogue = catalogue
        self._reader = UtteranceReader(catalogue, router, memo)
        self._here = here
        self._profiles = profiles

    def means(self, text: str, scene: SlotScene, here: Reading) -> DeclaredTool | None:
        """The tool that is wanted and not here."""
        if here.aim == "talk" and here.confidence >= 1.0:
            return None  # said in just these words
        if here.aim == "tool" and (here.likeness > _OWN_WORDS or here.confidence >= _SURE):
            return None  # what is here is done, whatever else comes near
        if here.aim == "question" and scene.book.mentions(text):
            return None
        reading = self._reader.read(text, scene)
        if reading.aim != "tool" or reading.name in self._here or reading.confidence < _SURE:
            return None
        told = reading.filled.evidence
        if reading.likeness < (_LIKE_TOLD if told >= _TOLD else _LIKE):
            return None
        if here.aim == "question" and not told:
            return None  # the knowledge base may know it
        if here.aim == "tool" and reading.confidence < _SURER:
            return None
        return self._catalogue.tools[reading.name]

    def refusal(self, tool: DeclaredTool, spoken: bool) -> str:
        """What is said instead; the profile that is named has most of what is here as well."""
        if ends_session(tool):
            return small_talk.parting(spoken)
        having = [name for name, tools in self._profiles.items() if tool.name in tools]
        best = max(
            having, key=lambda name: (len(set(self._profiles[name]) & set(self._here)), name)
        )
        what = doing(tool).replace("the user's", "your")
        return (
            f"I cannot {what} in this conversation. Start a new one with the agent {best}: it can."
        )


def offered(
    tools: Collection[str], profiles: Mapping[str, Collection[str]], known: DeclaredTools
) -> list[str]:
    """The tools that another profile has and these do not hold. What only looks into the knowledge
    base is none: questions are answered here with what there is."""
    found = {name for each in profiles.values() for name in each} - set(tools)
    return sorted(
        name
        for name in found
        if (tool := known.get(name)) is not None
        and not is_search(tool)
        and not any(kind_of(p, known) in ("record", "results") for p in tool.parameters)
    )
