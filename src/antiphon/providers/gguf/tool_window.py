"""Tool window: the few tools of a conversation that a small model is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from antiphon.contracts.events import HistoryTurn, ModelTurn
from antiphon.providers.port import ToolDeclarations

# Of the tools in the registry's own form, with their guides, those that fit a text: the best first.
ChooseTools = Callable[[str, Sequence[dict[str, Any]], int], Sequence[dict[str, Any]]]

SHOWN = 6  # for one thing that was said
MOST_SHOWN = 12
_RECENT = 6  # turns back in which a call keeps its tool


class ToolWindow:
    """Shows the tools that fit, and those that were shown before as long as they are not too many:
    a prompt that only grows at its end is read once."""

    def __init__(self, tools: ToolDeclarations, form: str, choose: ChooseTools) -> None:
        self._tools = tools
        self._form = form
        self._choose = choose
        self._shown: list[str] = []

    def tools(self, said: str, history: Sequence[HistoryTurn]) -> list[dict[str, Any]]:
        """The declarations to show for what was said last."""
        declared = {each["function"]["name"]: each for each in self._tools.declared(self._form)}
        if len(declared) <= SHOWN:
            return list(declared.values())
        chosen = self._choose(said, self._tools.declared("local"), SHOWN)
        names = [name for body in chosen if (name := body["toolId"]) in declared]
        called = [
            call.name
            for turn in history[-_RECENT:]
            if isinstance(turn, ModelTurn)
            for call in turn.calls
            if call.name in declared
        ]
        together = list(dict.fromkeys([*self._shown, *called, *names]))
        if len(together) > MOST_SHOWN:
            together = list(dict.fromkeys([*called, *names]))[:MOST_SHOWN]
        self._shown = together
        return [declared[name] for name in together]
