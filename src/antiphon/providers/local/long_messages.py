"""Long messages: their beginning is read, and a text that they carry is carried whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# So many characters of a message are read. Words are looked for in it in dozens of ways, and
# everybody else waits for that.
LONGEST = 2_000
_FENCE = "```"
# A shorter value at the end is rather a word that stands there by chance.
_LEAST_CARRIED = 200


class LongMessage:
    """A message of which `beginning` is read. `carried` is set once a value was completed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read = text[:LONGEST]
        self._in_fence = self._read.count(_FENCE) % 2 == 1
        self.beginning = f"{self._read}\n{_FENCE}" if self._in_fence else self._read
        self.carried = False

    def completed(self, value: Any) -> Any:
        """The value with the rest of every text that reaches the end of what was read."""
        if isinstance(value, str):
            return self._text_from(value)
        if isinstance(value, Mapping):
            return {name: self.completed(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.completed(each) for each in value]
        return value

    def _text_from(self, value: str) -> str:
        read = self._read.rstrip()
        if len(value) < _LEAST_CARRIED or not read.endswith(value.rstrip()):
            return value
        self.carried = True
        whole = self._text[len(read) - len(value.rstrip()) :]
        return whole.partition(_FENCE)[0].rstrip("\n") if self._in_fence else whole.rstrip()

    def said(self) -> str:
        """What the person is told of it."""
        return f"Your message has {len(self._text):,} characters; I read the first {LONGEST:,}."
