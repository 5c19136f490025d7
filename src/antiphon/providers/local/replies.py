"""One turn of the built-in model, and what all of its parts know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from antiphon.providers.local.catalogue import Catalogue
from antiphon.providers.local.memory import Past, State
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.reading import Reader
from antiphon.providers.local.router import Memo
from antiphon.providers.local.sheet import Scene


@dataclass(slots=True)
class Reply:
    """What is said, in pieces, and what is called; `state` goes with the turn."""

    pieces: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    state: State = field(default_factory=State)


@dataclass(frozen=True, slots=True)
class Wits:
    """What is needed to think of anything. `spoken`: the answer is heard, not read."""

    catalogue: Catalogue
    reader: Reader
    memo: Memo
    book: Callable[[], NameBook]
    clock: Callable[[], datetime]
    spoken: bool

    def scene(self, past: Past) -> Scene:
        return Scene(
            self.catalogue,
            self.book(),
            self.clock(),
            lists={name: found for name, found in past.lists.items() if found},
            results=past.results,
            entities=past.state.entities,
            made=past.made,
        )
