"""Realtime transcripts: interim pieces, and the final text of each item."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from antiphon.contracts.events import Transcript


class Transcripts:
    """Transcripts under assembly. What is told at the end of an item stands, whatever its pieces
    were."""

    def __init__(self) -> None:
        self._said: dict[str | None, str] = {}  # by the model, so far, of each item
        self._heard: dict[str, str] = {}  # of the person
        self._complete: deque[str] = deque(maxlen=32)  # items of the person

    def add_model_text(self, text: str, item: str | None) -> Transcript:
        """Add a piece of the model's words to its item; return it as an event."""
        self._said[item] = self._said.get(item, "") + text
        return Transcript("model", text, item=item)

    def finish_model_text(self, whole: str, item: str | None) -> Transcript:
        """Return the event that completes one item of the model with its whole text."""
        pieces = self._said.pop(item, "")
        if not whole or whole.startswith(pieces):
            return Transcript("model", whole[len(pieces) :], final=True, item=item)
        return Transcript("model", whole, final=True, item=item, replaces=pieces)

    def add_user_transcript(self, kind: str, message: dict[str, Any]) -> Iterator[Transcript]:
        """Yield the events for a `delta`, `completed` or `failed` transcript of the person."""
        item = message["item_id"]
        if item in self._complete:
            return
        if kind == "delta" and message.get("delta"):
            self._heard[item] = self._heard.get(item, "") + message["delta"]
            yield Transcript("user", self._heard[item], item=item, interim=True)
        elif kind in ("completed", "failed"):
            yield self._ended(item, message.get("transcript") or "")

    def close_open_items(self, next_item: str | None) -> Iterator[Transcript]:
        """Yield final events for items of the person that were never completed, but for the one
        that begins now."""
        for item in [item for item in self._heard if item != next_item]:
            yield self._ended(item, "")

    def _ended(self, item: str, whole: str) -> Transcript:
        pieces = self._heard.pop(item, "")
        self._complete.append(item)
        return Transcript("user", whole or pieces, final=True, item=item)
