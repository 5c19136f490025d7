"""Synthesis pipeline that all voices share: clean text, split sentences, PCM frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.speech.audio import master
from antiphon.speech.ports import OUTPUT_RATE, CannotSpeakError, SpeechError
from antiphon.speech.tts_text import speakable
from antiphon.text.sentences import split_clauses, spoken_sentences

# The first audio of a sentence should not wait for the end of a very long one.
SPAN = 160


def spoken_parts(text: str) -> Iterator[str]:
    """Parts of a text to synthesize one by one. Raises SpeechError for what is no text."""
    if not isinstance(text, str):
        raise SpeechError(
            f"Only text can be spoken, not {type(text).__name__}.", ErrorType.VALIDATION
        )
    for sentence in spoken_sentences(speakable(text)):
        yield from split_clauses(sentence, SPAN)


def pieces(
    voice: str, text: str, make: Callable[[str], tuple[Any, int]], volume: float
) -> Iterator[bytes]:
    """PCM16 at 24 kHz of each part. `make` returns a part's samples from -1 to 1 and their rate."""
    for part in spoken_parts(text):
        samples, rate = make(part)
        if not len(samples):
            raise CannotSpeakError(
                f"The voice {voice} has no sounds for {part[:60]!r}; choose another synthesizer "
                "for this language."
            )
        yield master(samples, rate, OUTPUT_RATE, volume)
