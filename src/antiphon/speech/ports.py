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
    """The voice cannot pronounce this text, such as one in another script."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ErrorType.VALIDATION)


class VadStream(Protocol):
    """Voice activity of one stream of audio. Not for several threads at once."""

    def feed(self, pcm: bytes) -> list[float]:
        """Likelihood of speech, from 0 to 1, of each window of 32 ms that is now complete.

        Frames may be of any size, even odd; what does not fill a window waits for the next.
        """

    def reset(self) -> None:
        """Reset the state: what comes next is another stream."""


class Vad(Protocol):
    """Voice activity detector."""

    def warm(self) -> None:
        """Load the model, so that the first frame does not wait. Raises SpeechError."""

    def stream(self) -> VadStream:
        """Create the stream of one conversation; streams share the model."""


class TurnDetector(Protocol):
    """Decision when a turn begins and ends. Pure; time is that of the audio."""

    @property
    def earliest_ms(self) -> int:
        """Shortest silence that can end an utterance, whatever was said."""

    def threshold(self, speaking: bool) -> float:
        """Likelihood from which a window counts as speech; `speaking`: during our playback."""

    def begins(self, speech_ms: int, speaking: bool) -> bool:
        """Whether so much speech is the begin of a turn and not a cough."""

    def is_complete(self, text: str) -> bool:
        """Whether these words may be all that the person wants to say."""

    def ends(self, silence_ms: int, complete: bool) -> bool:
        """Whether so much silence after such words is answered: the answer is made."""

    def yields(self, silence_ms: int, complete: bool) -> bool:
        """Whether so much silence lets the answer be heard."""

    def settles(self, silence_ms: int, complete: bool) -> bool:
        """Whether speech after so much silence is another utterance and not the rest of this."""


class Recognition(Protocol):
    """Recognition of one utterance. Not for several threads at once."""

    def feed(self, pcm: bytes) -> None:
        """Feed more audio: speech and short pauses only, as silence makes engines invent words."""

    def partial(self) -> str:
        """Transcript so far, which later audio may change. Raises SpeechError."""

    def finish(self) -> str:
        """Final transcript with names corrected; empty when there were no words.

        If the person goes on after all, more is fed and it is finished again.
        """


class Recognizer(Protocol):
    """Speech recognizer (speech to text)."""

    @property
    def parallel(self) -> int:
        """Threads that may work at once: 1 for what takes a core, more for a service."""

    @property
    def partials(self) -> bool:
        """Whether partial transcripts are made while the person speaks, not only in pauses.

        False for what is slow, or paid by the request.
        """

    def warm(self) -> None:
        """Load the model, so that the first utterance does not wait. Raises SpeechError."""

    def recognition(self, hints: Sequence[str] = ()) -> Recognition:
        """Start the recognition of one utterance; `hints` are names that are easily misheard."""


class Synthesizer(Protocol):
    """Speech synthesizer (text to speech)."""

    @property
    def parallel(self) -> int:
        """Threads that may work at once: 1 for what takes a core, more for a service."""

    def warm(self) -> None:
        """Load the model, so that the first sentence does not wait. Raises SpeechError."""

    def speak(self, text: str) -> Iterator[bytes]:
        """Synthesize a text in pieces of PCM, the first sentence first, each made on demand.

        What nobody says aloud (addresses, code, marks of Markdown) is left out. Closing the
        iterator cancels the work. An empty text gives no piece. Raises CannotSpeakError for what
        this voice cannot say, and SpeechError for other failures.
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
