"""One utterance, recognised by an engine that knows whole recordings: cut, joined, corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from antiphon.speech.babble import without_loops
from antiphon.speech.names import NameCandidates, Names, checked_hints, names_for
from antiphon.speech.ports import INPUT_RATE

# Engines of this kind lose words, or invent some, when a recording is longer than they were
# taught with. A longer utterance is cut where it is quietest within the last seconds.
SEGMENT_S = 18
_LOOK_BACK_S = 6
_BYTES_A_SECOND = 2 * INPUT_RATE
_STEP = INPUT_RATE // 100  # 10 ms
_PAUSE_STEPS = 12  # a quiet place is this long


@dataclass(frozen=True, slots=True)
class Transcription:
    """Transcript of one recording, from an engine that knows how sure it is.

    `doubted` are words that may be others, in lower case without accents; `is_murmur` says that it
    may be no word at all.
    """

    text: str
    doubted: frozenset[str] = frozenset()
    is_murmur: bool = False


class SegmentedRecognition:
    """Recognition by an engine for short recordings: audio is cut into segments.

    The cuts depend on the sound alone, not on the frames in which it comes.
    """

    def __init__(
        self, transcribe: Callable[[bytes], str | Transcription], hints: Sequence[str] = ()
    ) -> None:
        """`transcribe` gets PCM16 of at most SEGMENT_S seconds."""
        self._transcribe = transcribe
        self._hints = checked_hints(hints)
        self._names: Names | None = None  # made by the worker: many take a while
        self._over: list[Transcription] = []
        self._cut: list[bytes] = []  # complete, but not transcribed yet
        self._growing = bytearray()
        # Of what grows; None when there is more than was read.
        self._current: Transcription | None = Transcription("")

    def feed(self, pcm: bytes) -> None:
        self._growing += pcm
        if pcm:
            self._current = None
        limit = SEGMENT_S * _BYTES_A_SECOND
        while len(self._growing) > limit:
            at = quietest(bytes(self._growing[:limit]))
            self._cut.append(bytes(self._growing[:at]))
            del self._growing[:at]

    def partial(self) -> str:
        if self._names is None:
            self._names = names_for(self._hints)
        while self._cut:
            self._over.append(self._read(self._cut[0]))
            del self._cut[0]  # only now: a failure loses nothing
        if self._current is None:
            self._current = self._read(bytes(self._growing))
        return joined([each.text for each in self._heard])

    def finish(self) -> str:
        text = self.partial()
        return self._names.correct(text, self._doubted) if self._names else text

    @property
    def is_murmur(self) -> bool:
        """Whether the transcript so far may be no words at all."""
        return all(each.is_murmur or not each.text for each in self._heard)

    @property
    def unclear_names(self) -> tuple[NameCandidates, ...]:
        """Words of the transcript so far that may be one known name or another."""
        return self._names.unclear(self.finish(), self._doubted) if self._names else ()

    def _read(self, pcm: bytes) -> Transcription:
        found = self._transcribe(pcm) if pcm else ""
        if isinstance(found, str):
            found = Transcription(found)
        return replace(found, text=without_loops(found.text))

    @property
    def _heard(self) -> list[Transcription]:
        return [*self._over, self._current] if self._current else self._over

    @property
    def _doubted(self) -> frozenset[str]:
        return frozenset(word for each in self._heard for word in each.doubted)


def quietest(pcm: bytes) -> int:
    """Offset in bytes to cut a recording at: the middle of the quietest place near its end."""
    samples = np.frombuffer(pcm, "<i2", len(pcm) >> 1)
    first = max(0, len(samples) - _LOOK_BACK_S * INPUT_RATE)
    steps = (len(samples) - first) // _STEP
    if steps <= _PAUSE_STEPS:
        return len(samples) * 2
    tail = samples[first : first + steps * _STEP].astype(np.float64).reshape(steps, _STEP)
    energy = np.concatenate(([0.0], np.cumsum((tail**2).sum(axis=1))))
    places = energy[_PAUSE_STEPS:] - energy[:-_PAUSE_STEPS]
    # The last of the quietest: the longer the segment, the fewer cuts.
    place = len(places) - 1 - int(np.argmin(places[::-1]))
    return 2 * (first + (place + _PAUSE_STEPS // 2) * _STEP)


def joined(parts: Sequence[str]) -> str:
    """Transcripts of segments joined to one."""
    return " ".join(part for part in parts if part)
