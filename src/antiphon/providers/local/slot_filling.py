"""Slot filling: the facts known while arguments are filled in, and the state of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter, Phrase
from antiphon.providers.local.free_text_slot import Span, quoted
from antiphon.providers.local.names import Name, NameBook, NameMention
from antiphon.providers.local.values import ChoiceValue, ValueMatch
from antiphon.understanding.reader import SlotSpan, SpanReader
from antiphon.understanding.sequences import SlotCard

# Words that say how the parts of a time belong together.
_JOINING = re.compile(
    r"(?:(?<=\s)|^)(?:from|to|until|till|for|at|on|between|and|by|starting|in|next|this|the|about|"
    r"around|-|\u2013)\s+$",
    re.IGNORECASE,
)


def slot_cards(tool: DeclaredTool, asked: str) -> list[SlotCard]:
    """The parameters of a tool as the reader sees them."""
    found = []
    for parameter in tool.parameters:
        choices = tuple(str(value) for value in parameter.choices if value is not None)
        if parameter.types == ("boolean",):
            choices = ("yes", "no")
        about = parameter.description or parameter.label
        found.append(SlotCard(parameter.name, about, choices, parameter.name == asked))
    return found


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
    reader: SpanReader | None = None
    read: dict[tuple[str, str, str], list[SlotSpan]] = field(default_factory=dict)

    def spans(self, tool: DeclaredTool, text: str, asked: str) -> list[SlotSpan]:
        """The words that the trained reader gives to the parameters; read once in a turn."""
        if self.reader is None or not tool.parameters:
            return []
        key = tool.name, text, asked
        if key not in self.read:
            self.read[key] = self.reader.slots(text, slot_cards(tool, asked))
        return self.read[key]


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
        self,
        tool: DeclaredTool,
        text: str,
        scene: SlotScene,
        phrase: Phrase | None = None,
        asked: str = "",
    ) -> None:
        self.asked = asked
        self.tool = tool
        self.text = text
        self.scene = scene
        self.phrase = phrase or Phrase("")
        self.masked: list[Span] = []
        self.filled = Filled()
        self._mentions = scene.book.mentions(text)

    def spans(self, *names: str) -> list[SlotSpan]:
        """The words that the trained reader gives to these parameters."""
        found = self.scene.spans(self.tool, self.text, self.asked)
        return [span for span in found if span.parameter in names]

    def only(self, *names: str) -> str:
        """The text with blanks for all but the words of these parameters, and what joins them;
        empty where there are none."""
        found = self.spans(*names)
        if not found:
            return ""
        kept = [" "] * len(self.text)
        for span in found:
            start = span.start
            while (before := _JOINING.search(self.text, 0, start)) is not None:
                start = before.start()
            kept[start : span.end] = self.text[start : span.end]
        return "".join(kept)

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
