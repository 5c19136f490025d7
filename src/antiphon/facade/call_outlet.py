"""Call outlet: events and speech of a spoken conversation, queued for the program to read."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from antiphon.contracts.events import OUTPUT_RATE
from antiphon.contracts.session_events import PersonMessage, VoiceEnded, VoiceEvent

MAX_SPEECH_BYTES = OUTPUT_RATE * 2  # a second of 16-bit samples


@dataclass(frozen=True, slots=True)
class SpokenAudio:
    """A piece of the model's speech: 16-bit mono samples at 24 kHz, of that turn."""

    pcm: bytes = field(repr=False)
    turn: int


CallEvent = SpokenAudio | VoiceEvent


class CallOutlet:
    """The engine's way to the program (`ClientOutlet`). Events wait until they are read; the model
    waits while more than a second of its speech does."""

    def __init__(self) -> None:
        self.has_ended = False  # the program is told that the conversation is over
        self._waiting: deque[CallEvent] = deque()
        self._speech_bytes = 0
        self._flushes = 0
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closed = False

    # -- the engine ----------------------------------------------------------------------------

    def send(self, event: VoiceEvent, turn: int | None = None) -> None:
        """Queue an event; never blocks."""
        del turn  # the events that have one say so
        self.has_ended = self.has_ended or isinstance(event, VoiceEnded)
        self._put(event)

    def send_message(self, message: dict[str, Any]) -> None:
        """Queue a message of the person's own channel."""
        self._put(PersonMessage(message))

    async def send_audio(self, pcm: bytes, turn_id: int) -> None:
        """Queue a piece of speech, waiting while a second of it is queued already."""
        flushes = self._flushes
        await self._room.wait()
        if flushes == self._flushes:  # else it was to be dropped with what is queued
            self.send_audio_now(pcm, turn_id)

    @property
    def writable(self) -> bool:
        """Whether there is room for speech."""
        return self._room.is_set()

    def send_audio_now(self, pcm: bytes, turn_id: int) -> None:
        """Queue a piece of speech synchronously."""
        if self._closed:
            return
        self._speech_bytes += len(pcm)
        if self._speech_bytes >= MAX_SPEECH_BYTES:
            self._room.clear()
        self._put(SpokenAudio(pcm, turn_id))

    def flush(self) -> None:
        """Drop the speech that is still queued."""
        self._flushes += 1
        kept = [each for each in self._waiting if not isinstance(each, SpokenAudio)]
        self._waiting.clear()
        self._waiting.extend(kept)
        self._speech_bytes = 0
        self._room.set()

    def _put(self, event: CallEvent) -> None:
        if not self._closed:
            self._waiting.append(event)
            self._news.set()

    # -- the program ---------------------------------------------------------------------------

    def close(self) -> None:
        """Take nothing more; what is queued can still be read."""
        self._closed = True
        self._news.set()
        self._room.set()

    async def next(self) -> CallEvent | None:
        """Return the next event, once it is there; None when it is closed and all was read."""
        while not self._waiting:
            if self._closed:
                return None
            self._news.clear()
            await self._news.wait()
        event = self._waiting.popleft()
        if isinstance(event, SpokenAudio):
            self._speech_bytes -= len(event.pcm)
            if self._speech_bytes < MAX_SPEECH_BYTES:
                self._room.set()
        return event
