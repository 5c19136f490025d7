"""Slot filling: the facts known while arguments are filled in, and the state of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter, Phrase
from antiphon.providers.local.free_text_slot import Span, quoted
from antiphon.providers.local.names import Name, NameBook, NameMention
from antiphon.providers.local.values import ChoiceValue, ValueMatch


@dataclass(slots=True)
class SlotScene:
    """What is known besides the utterance."""

    catalogue: DeclaredTools
    book: NameBook
    now: datetime
    lists: Mapping[str, Sequence[ChoiceValue]] = field(default_factory=dict)  # by the listing tool
    results: Sequence[Mapping[str, Any]] = ()  # what was found last
    entities: Sequence[Name] = ()  # what was spoken of, the latest first
    made: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by the tool: its last


@dataclass(slots=True)
class Filled:
    """The arguments that were said. `missing` are required and were not; `ask_first` lists what
    one of them may be. `evidence` counts values that fit this tool by their form."""

    args: dict[str, Any] = field(default_factory=dict)
    missing: list[Parameter] = field(default_factory=list)
    ask_first: DeclaredTool | None = None
    evidence: int = 0
    spans: list[tuple[Span, Parameter]] = field(default_factory=list)  # where each value stands


class SlotSheet:
    """One tool and one utterance, while its arguments are filled in."""

    def __init__(
        self, tool: DeclaredTool, text: str, scene: SlotScene, phrase: Phrase | None = None
    ) -> None:
        self.tool = tool
        self.text = text
        self.scene = scene
        self.phrase = phrase or Phrase("")
        self.masked: list[Span] = []
        self.filled = Filled()
        self._mentions = scene.book.mentions(text)

    @property
    def args(self) -> dict[str, Any]:
        return self.filled.args

    def put(
        self, parameter: Parameter, found: ValueMatch | None, *, evidence: bool = False
    ) -> None:
        if found is None:
            return
        low, high = parameter.schema.get("minimum"), parameter.schema.get("maximum")
        if isinstance(found.value, int | float) and not isinstance(found.value, bool):
            whole = "integer" in parameter.types and "number" not in parameter.types
            if whole and found.value != int(found.value):
                return
            below = low is not None and found.value < low
            # Out of range is for the tool to say, when it was asked for in so many words.
            if (below or (high is not None and found.value > high)) and not parameter.required:
                return
        self.args[parameter.name] = found.value
        self.filled.evidence += evidence
        self.mask(found.span, parameter)

    def mask(self, span: Span, parameter: Parameter, value: Span | None = None) -> None:
        """Nothing else is made of this part; `value` is the value itself in it."""
        self.masked.append(span)
        self.filled.spans.append((value or span, parameter))

    def blanked(self) -> str:
        """The text with spaces where something was found already, and in what it quotes."""
        text = list(self.text)
        for a, b in (*self.masked, *(span for span, _ in quoted(self.text))):
            text[a:b] = " " * (b - a)
        return "".join(text)

    def is_free(self, span: Span) -> bool:
        return not any(span[0] < b and span[1] > a for a, b in self.masked)

    def free_mentions(self) -> list[NameMention]:
        return [m for m in self._mentions if self.is_free((m.start, m.end))]

    def is_slotted(self, parameter: Parameter) -> bool:
        return f"{{{parameter.name}}}" in self.phrase.text
