"""Question which of several known names was meant, where what was heard may be any of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from antiphon.providers.local.speech_port import UnclearName

_WORD = re.compile(r"[^\W_]+")
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """What the person said, with a name in it that has to be asked for."""

    said: str
    unclear: UnclearName

    @property
    def text(self) -> str:
        """What they are asked."""
        *others, last = self.unclear.names
        return f"Did you mean {', '.join(others)} or {last}?"

    def resolve(self, answer: str) -> str | None:
        """What they said, with the name that they answer; None if they answer something else."""
        words = [word.casefold() for word in _WORD.findall(answer)]
        said = f" {' '.join(words)} "
        named = [name for name in self.unclear.names if f" {_plain(name)} " in said]
        if not named:
            places = [_PLACES[word] for word in words if word in _PLACES]
            named = [
                self.unclear.names[place] for place in places if place < len(self.unclear.names)
            ]
        if len(named) != 1:
            return None
        return self.said.replace(self.unclear.heard, named[0], 1)


def _plain(name: str) -> str:
    return " ".join(word.casefold() for word in _WORD.findall(name))
