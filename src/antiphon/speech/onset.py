"""Onset of speech: the windows of sound that may be its beginning, and what counts as one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from antiphon.speech.barge_in import Loudness, shows_listening
from antiphon.speech.echo import Echo
from antiphon.speech.ports import WINDOW_MS, Recognizer, TurnDetector
from antiphon.speech.workers import Lane

# Sound before the first window of speech that belongs to it: soft first consonants.
_BEFORE_MS = 256
# What is compared with our own words, if it may be them: a short piece would be misheard.
_COMPARED_MS = 2_000
# A dip of likelihood inside the first word does not make it another attempt.
_DIP_MS = 96
# From this likelihood of speech on somebody may be about to speak.
_STIRS = 0.15
# While we speak, the words so far are looked at again after so much more speech, and from so much
# on it does not matter what they are.
_LOOK_MS = 128
_LONG_MS = 1_600


@dataclass(frozen=True, slots=True)
class Onset:
    """Begin of speech: its sound so far with the moment before it, and how long it lasts."""

    windows: tuple[bytes, ...]
    length_ms: int
    barge_in: bool


class SpeechOnset:
    """Detector of the begin of speech, in the sound of one person.

    While we speak it takes more: clear, loud words that are more than a sign of listening, and
    that are not our own.
    """

    def __init__(
        self, turns: TurnDetector, recognizer: Recognizer, lane: Lane, *, echo_cancelled: bool
    ) -> None:
        self.echo = Echo(echo_cancelled)
        self.loudness = Loudness()
        self._turns = turns
        self._recognizer = recognizer
        self._lane = lane
        self._before: deque[bytes] = deque(maxlen=_BEFORE_MS // WINDOW_MS)
        self._recent: deque[bytes] = deque(maxlen=_COMPARED_MS // WINDOW_MS)  # while we speak
        self._attempt: list[bytes] = []  # windows that may be the beginning of speech
        self._attempt_ms = 0  # of speech in it
        self._looked_ms = 0  # of speech in it when its words were looked at
        self._dip_ms = 0
        self._murmured = False  # it sounded like no word
        self._likely = 0.0  # that the last window is speech

    @property
    def pending(self) -> bool:
        """Whether somebody may have begun to speak."""
        return bool(self._attempt) or self._likely >= _STIRS

    def add_silence(self, windows: Iterable[bytes]) -> None:
        """Add sound before which somebody spoke, in case they go on."""
        self._before.extend(windows)

    def drop(self) -> None:
        """Forget that somebody may have begun to speak."""
        self._before.extend(self._attempt)
        self._attempt.clear()
        self._attempt_ms = self._looked_ms = self._dip_ms = 0
        self._murmured = False

    async def hear(self, window: bytes, likely: float, now_ms: int) -> Onset | None:
        """Hear one window of sound; return the begin of speech, once it is one. Raises SpeechError
        when the words cannot be looked at."""
        speaking = self.echo.active(now_ms)
        self._likely = likely
        if speaking:
            self._recent.append(window)
        elif self._recent:
            self._recent.clear()
        if likely >= self._turns.threshold(speaking):
            self._attempt.append(window)
            self._attempt_ms += WINDOW_MS
            self._dip_ms = 0
            return await self._begun(speaking, over=False)
        if not self._attempt:
            self._before.append(window)
            return None
        self._attempt.append(window)
        self._dip_ms += WINDOW_MS
        if self._dip_ms < _DIP_MS:
            return None
        begun = await self._begun(speaking, over=True) if speaking else None
        if begun is None:
            self.drop()
        return begun

    async def _begun(self, speaking: bool, *, over: bool) -> Onset | None:
        extra = self.echo.extra_ms if speaking else 0
        if not self._turns.begins(self._attempt_ms - extra, speaking):
            return None
        if speaking and not await self._cuts_in(over):
            return None
        onset = Onset(
            (*self._before, *self._attempt), len(self._attempt) * WINDOW_MS, barge_in=speaking
        )
        self.drop()
        self._before.clear()
        self._recent.clear()
        return onset

    async def _cuts_in(self, over: bool) -> bool:
        """Whether the attempt is somebody who wants to speak. `over`: it is all that was said."""
        if self.loudness.is_faint(self._attempt):
            self.drop()
            return False
        more = self._attempt_ms - self._looked_ms
        if more < (WINDOW_MS if over else _LOOK_MS) and self._looked_ms:
            return False
        self._looked_ms = self._attempt_ms
        doubtful = self.echo.doubtful
        if not doubtful and (not self._recognizer.partials or self._attempt_ms >= _LONG_MS):
            return True
        text, murmur = await self._look(self._recent if doubtful else self._before)
        if doubtful and self.echo.is_own_speech(text):
            self.drop()
            return False
        if self._attempt_ms >= _LONG_MS:
            return True
        # What began as a murmur is not made a word by its end.
        self._murmured = murmur or (self._murmured and len(text.split()) < 2)
        return not self._murmured and not shows_listening(text, asked=self.echo.asks)

    async def _look(self, before: Iterable[bytes]) -> tuple[str, bool]:
        """The words of the attempt with the moment before it, and whether they may be none."""
        recognition = self._recognizer.recognition()
        audio = b"".join((*before, *(() if before is self._recent else self._attempt)))

        def look() -> tuple[str, bool]:
            recognition.feed(audio)
            return recognition.finish(), getattr(recognition, "is_murmur", False)

        return await self._lane.run(look)
