"""Answer reader: the words of an answer as they come, and the call at its end."""

from __future__ import annotations

from typing import Any

import orjson

from antiphon.providers.gguf.grammar import CALL, CALL_END


class AnswerReader:
    """Reads an answer piece by piece. Without `calls` all of it is words."""

    def __init__(self, *, calls: bool) -> None:
        self._calls = calls
        self._held = ""
        self._written: str | None = None  # of a call, once one has begun
        self._said = False

    @property
    def called(self) -> bool:
        """Whether a call has begun."""
        return self._written is not None

    def read(self, piece: str) -> str:
        """Take a piece; return the words that may be said now."""
        if self._written is not None:
            self._written += piece
            return ""
        self._held += piece
        if not self._calls:
            return self._let_go(len(self._held))
        if not self._said:
            self._held = self._held.lstrip()
            if self._held.startswith("{"):
                self._written = self._held
                return ""
        begin = self._held.find(CALL)
        if begin >= 0:
            self._written = self._held[begin + len(CALL) :]
            self._held = self._held[:begin].rstrip()
            return self._let_go(len(self._held))
        return self._let_go(_surely_words(self._held))

    def rest(self) -> str:
        """The words that were held back, when nothing more comes."""
        return self._let_go(len(self._held.rstrip()))

    def call(self) -> tuple[str, dict[str, Any]]:
        """The name and arguments of the call. Raises ValueError for one that is no call."""
        written = (self._written or "").strip().removesuffix(CALL_END)
        body = orjson.loads(written)
        match body:
            case {"name": str(name), "arguments": dict(arguments)}:
                return name, arguments
        raise ValueError(f"this is no call: {written[:200]}")

    def _let_go(self, count: int) -> str:
        words, self._held = self._held[:count], self._held[count:]
        self._said = self._said or bool(words)
        return words


def _surely_words(text: str) -> int:
    """How many characters are words, whatever comes: not the white space and the beginning of a tag
    at the end."""
    begun = next((n for n in range(len(CALL) - 1, 0, -1) if text.endswith(CALL[:n])), 0)
    return len(text[: len(text) - begun].rstrip())
