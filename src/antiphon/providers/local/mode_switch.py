"""Mode switches between voice and text: requests that only the other mode can serve."""

from __future__ import annotations

import re
from typing import Any

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools
from antiphon.providers.local.request_forms import form_of
from antiphon.providers.local.router import ToolRouter, VectorMemo
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.utterance_reader import Reading, UtteranceReader
from antiphon.providers.local.words import shortened

# It is offered only for what is rather surely meant, and clearly more than anything here.
_SURE, _LIKE, _CLEARLY = 0.6, 0.6, 0.15
_SURE_HERE = 0.8
_MOST = 300
_PENDING = "pending_request"  # what a spoken conversation begins with
_SWITCH = "switch_to_text"
_HANDED = re.compile(r"You asked for this by voice: \u201c(?P<request>.+)\u201d")


class Elsewhere:
    """The tools that the person has in writing and not here."""

    def __init__(self, catalogue: DeclaredTools, router: ToolRouter, memo: VectorMemo) -> None:
        self._catalogue = catalogue
        self._reader = UtteranceReader(catalogue, router, memo)

    def means(self, text: str, scene: SlotScene, here: Reading) -> bool:
        """Whether the person wants something that can be done in writing only."""
        if here.aim == "question" or (here.aim == "talk" and here.name != "beyond"):
            return False
        if here.aim == "tool" and here.confidence > _SURE_HERE:
            return False
        reading = self._reader.read(text, scene)
        if reading.aim != "tool" or reading.confidence < _SURE or reading.likeness < _LIKE:
            return False
        if here.aim == "tool" and reading.likeness < here.likeness + _CLEARLY:
            return False
        tool = self._catalogue.tools[reading.name]
        return not tool.writes or form_of(text, tool, reading.phrase) != "other"


def offer(catalogue: DeclaredTools, text: str) -> tuple[str, dict[str, Any] | None]:
    """What is said, and the call that a yes makes; none where the session cannot be ended."""
    for tool in catalogue.tools.values():
        for parameter in tool.parameters:
            if _SWITCH in parameter.choices:
                args = {
                    parameter.name: _SWITCH,
                    "closing_message": "I go on in the chat.",
                    "text_response": handed(text),
                }
                fitting = {k: v for k, v in args.items() if tool.parameter(k) is not None}
                said = "I can do that in writing only. Shall we go on in the chat?"
                return said, {"tool": tool.name, "args": fitting}
    return "I can do that in writing only. Please ask me in the chat.", None


def ends_session(tool: DeclaredTool) -> bool:
    return any(_SWITCH in parameter.choices for parameter in tool.parameters)


def controls_voice(tool: DeclaredTool) -> bool:
    """It begins a spoken conversation, or ends one."""
    return ends_session(tool) or tool.parameter(_PENDING) is not None


def handed(text: str) -> str:
    request = shortened(text, _MOST)
    return f"You asked for this by voice: \u201c{request}\u201d. Say yes, and I do it here."


def taken_over(said: str) -> str | None:
    """What was asked for by voice, from the last words of the model."""
    match = _HANDED.search(said)
    return match["request"] if match else None
