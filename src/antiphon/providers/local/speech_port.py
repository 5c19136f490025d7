"""The speech port: recognition and synthesis as the spoken connection uses them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from antiphon.contracts.events import (
    Fault,
    Interrupted,
    Settled,
    SpeechStarted,
    SpeechStopped,
    Transcript,
)


@dataclass(frozen=True, slots=True)
class FloorFree:
    """The person has been silent for so long after an utterance that an answer may be heard."""


@dataclass(frozen=True, slots=True)
class UnclearName:
    """Words of the utterance that is told next which may be any of several known names."""

    heard: str
    names: tuple[str, ...]


Heard = (
    SpeechStarted
    | Interrupted
    | SpeechStopped
    | UnclearName
    | Transcript
    | FloorFree
    | Settled
    | Fault
)


@dataclass(frozen=True, slots=True)
class Manner:
    """How it listens and speaks at the person's end.

    `echo_cancelled`: what the microphone gives does not hold our own voice, as in browsers and
    with headsets. `lead` is how many seconds of speech are given out before they are played; None:
    they are recorded instead.
    """

    echo_cancelled: bool = True
    lead: float | None = 3.0


class Ears(Protocol):
    """Listens to one person; one task feeds, another reads."""

    hints: Sequence[str]  # names that may be said

    async def feed(self, pcm: bytes) -> None:
        """More of what the microphone gives. Waits while too much is waiting."""

    def speaking(self, text: str) -> None:
        """We say this now. Empty: the person has heard the end of it."""

    def finish_utterance(self) -> None:
        """The microphone is off for now."""

    def close(self) -> None:
        """No more comes. Events end when all of it is told."""

    def events(self) -> AsyncIterator[Heard]:
        """SpeechStarted, and Interrupted after it when we were speaking; interim transcripts; then
        SpeechStopped and the final transcript, which is empty when there were no words. A Fault
        that is not fatal says that an utterance was lost."""


class Mouth(Protocol):
    """Speaks one text, which may come in pieces."""

    def say(self, text: str) -> None: ...

    def finish(self) -> None:
        """The text is complete."""

    def stop(self) -> None:
        """Silence, at once."""

    def pieces(self) -> AsyncIterator[tuple[bytes, str]]:
        """Speech, and with the first piece of each sentence that sentence as it was written.
        Raises ProviderFault."""


class Sound(Protocol):
    """The engines of speech, for any number of conversations."""

    async def warm(self) -> None:
        """Loads them, once. Raises ProviderFault when they are not there."""

    def ears(self, hints: Sequence[str], *, echo_cancelled: bool) -> Ears: ...

    def mouth(self) -> Mouth: ...
