"""One turn of the built-in model, and what all of its parts know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from antiphon.providers.local.catalogue import DeclaredTools
from antiphon.providers.local.dialogue_state import DialogueState, Past
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.router import VectorMemo
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.utterance_reader import UtteranceReader


@dataclass(slots=True)
class LocalReply:
    """What is said, in pieces, and what is called; `state` goes with the turn."""

    pieces: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    state: DialogueState = field(default_factory=DialogueState)


@dataclass(frozen=True, slots=True)
class Wits:
    """What is needed to think of anything. `spoken`: the answer is heard, not read."""

    catalogue: DeclaredTools
    reader: UtteranceReader
    memo: VectorMemo
    book: Callable[[], NameBook]
    clock: Callable[[], datetime]
    spoken: bool

    def scene(self, past: Past) -> SlotScene:
        return SlotScene(
            self.catalogue,
            self.book(),
            self.clock(),
            lists={name: found for name, found in past.lists.items() if found},
            results=past.results,
            entities=past.state.entities,
            made=past.made,
            reader=self.memo.understanding.reader,
        )
