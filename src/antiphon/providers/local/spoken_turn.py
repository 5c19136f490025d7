"""Parts of a spoken turn: texts to say, playback position, events for the reader."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from antiphon.contracts.events import (
    OUTPUT_RATE,
    Audio,
    EndReason,
    Event,
    Text,
    ToolCalls,
    Transcript,
)
from antiphon.providers.local.speech_port import Mouth


@dataclass(slots=True)
class SpokenPart:
    """Text that is spoken in one go, and how much of it was told already."""

    mouth: Mouth
    text: str = ""
    told: int = 0

    def upto(self, sentence: str) -> str:
        """The text up to the end of a sentence, with what stands before it and is not spoken."""
        at = self.text.find(sentence, self.told) if sentence else -1
        return self._tell(at + len(sentence)) if at >= 0 else ""

    def rest(self) -> str:
        return self._tell(len(self.text))

    def _tell(self, end: int) -> str:
        start, self.told = self.told, end
        return self.text[start:end]


@dataclass(slots=True)
class TurnEnd:
    """Behind the last part of a turn."""

    reason: EndReason


@dataclass(slots=True)
class Outbox:
    """Events for the one reader."""

    events: deque[Event] = field(default_factory=deque)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, *events: Event) -> None:
        self.events.extend(events)
        self.news.set()

    def drop_answer(self) -> None:
        """What the model said or wanted and nobody has taken yet is void."""
        kept = [event for event in self.events if not _is_answer(event)]
        self.events.clear()
        self.events.extend(kept)


def _is_answer(event: Event) -> bool:
    return isinstance(event, Audio | Text | ToolCalls) or (
        isinstance(event, Transcript) and event.role == "model"
    )


class PartPlayback:
    """How long the person still listens to what was given out. `told` gets each sentence as it
    begins, and nothing when all of it was heard or need not be."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told = told
        self._loop = asyncio.get_running_loop()
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def goes_on(self) -> bool:
        return self.ahead > 0

    @property
    def ahead(self) -> float:
        """Seconds of speech that the person has not heard."""
        return self._until - self._loop.time()

    def add(self, audio: bytes, sentence: str) -> None:
        now = self._loop.time()
        self._until = max(now, self._until) + len(audio) / (2 * OUTPUT_RATE)
        self.forget()
        self._timer = self._loop.call_at(self._until, self.over)
        if sentence:
            self._told(sentence)

    def over(self) -> None:
        self._until = 0.0
        self.forget()
        self._told("")

    def forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
