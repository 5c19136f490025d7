"""Speech ports: protocols of voice activity, turn detection, recognition and synthesis.

Audio is PCM16 mono, little-endian: 16 kHz in, 24 kHz out. Everything here may block: it is called
from the workers (`antiphon.speech.workers`), never on the event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from antiphon.contracts import ErrorType
from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE

__all__ = [
    "INPUT_RATE",
    "OUTPUT_RATE",
    "CannotSpeakError",
    "Recognition",
    "Recognizer",
    "SpeechError",
    "Synthesizer",
    "TurnDetector",
    "Vad",
    "VadStream",
    "WINDOW",
    "WINDOW_MS",
    "number",
    "whole_number",
]

WINDOW = 512  # samples that voice activity is told for at a time
WINDOW_MS = WINDOW * 1000 // INPUT_RATE


class SpeechError(Exception):
    """Something cannot be heard or said. `type` says what kind of trouble it is.

    VALIDATION: the input or an option must change. NOT_FOUND: no engine of that name (`nearest`
    has the names that come closest). AUTH: the key is missing or refused. RATE_LIMIT and
    TRANSIENT: may work when tried again. PERMANENT: an engine or its model is missing, changed,
    or answers what cannot be used.
    """

    def __init__(
        self,
        message: str,
        type: ErrorType = ErrorType.PERMANENT,
        *,
        nearest: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = type
        self.nearest = nearest


class CannotSpeakError(SpeechError):
    """This voice has no sounds for this text, such as one in another script."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ErrorType.VALIDATION)


class VadStream(Protocol):
    """The voice activity of one stream of audio. Not for several threads at once."""

    def feed(self, pcm: bytes) -> list[float]:
        """How likely each window of 32 ms that is now complete holds speech, from 0 to 1.

        Frames may be of any size, even odd; what does not fill a window waits for the next.
        """

    def reset(self) -> None:
        """Forgets what was heard: what comes next is another stream."""


class Vad(Protocol):
    """Tells speech from everything else."""

    def warm(self) -> None:
        """Loads what is needed, so that the first frame does not wait. Raises SpeechError."""

    def stream(self) -> VadStream:
        """One for each conversation; they share the model."""


class TurnDetector(Protocol):
    """When a person begins to speak and when they are done. Pure; time is that of the audio."""

    @property
    def earliest_ms(self) -> int:
        """The shortest silence that can end an utterance, whatever was said."""

    def threshold(self, speaking: bool) -> float:
        """How likely a window must hold speech to count as such; `speaking`: we speak, too."""

    def begins(self, speech_ms: int, speaking: bool) -> bool:
        """Whether so much speech is somebody who wants to say something, not a cough."""

    def ends(self, silence_ms: int, text: str) -> bool:
        """Whether the person is done: they are silent for so long after these words."""


class Recognition(Protocol):
    """One utterance being recognised. Not for several threads at once."""

    def feed(self, pcm: bytes) -> None:
        """More of what is said. Only speech and short pauses: silence makes engines invent."""

    def partial(self) -> str:
        """What is understood so far; what comes later may change it. Raises SpeechError."""

    def finish(self) -> str:
        """What was said, with names corrected. Empty when there were no words in it."""


class Recognizer(Protocol):
    """Turns speech into text."""

    @property
    def parallel(self) -> int:
        """How many threads may work at once: 1 for what takes a core, more for a service."""

    @property
    def partials(self) -> bool:
        """Whether words are recognised while the person speaks, not only when they pause. Not for
        what is slow, or paid by the request."""

    def warm(self) -> None:
        """Loads what is needed, so that the first utterance does not wait. Raises SpeechError."""

    def recognition(self, hints: Sequence[str] = ()) -> Recognition:
        """For one utterance. `hints` are names that may be said and are easily misheard."""


class Synthesizer(Protocol):
    """Turns text into speech."""

    @property
    def parallel(self) -> int:
        """How many threads may work at once: 1 for what takes a core, more for a service."""

    def warm(self) -> None:
        """Loads what is needed, so that the first sentence does not wait. Raises SpeechError."""

    def speak(self, text: str) -> Iterator[bytes]:
        """Pieces of speech, the first sentence first, each made when it is asked for.

        What nobody says aloud (addresses, code, marks of Markdown) is left out. Closing the
        iterator ends the work. Nothing to say gives no piece. Raises CannotSpeakError for what
        this voice cannot say, and SpeechError for other trouble.
        """


def number(name: str, value: object, least: float, most: float) -> float:
    """The value of an option. Raises SpeechError when it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise SpeechError(
            f"{name} must be a number from {least:g} to {most:g}, not {value!r}.",
            ErrorType.VALIDATION,
        )
    return float(value)


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """The value of an option. Raises SpeechError when it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SpeechError(
            f"{name} must be a whole number from {least} to {most}, not {value!r}.",
            ErrorType.VALIDATION,
        )
    return value
