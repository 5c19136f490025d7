"""Listener events: begin of speech, partial transcripts, utterances and failures, in order.

All `…_ms` are in the time of the audio.
"""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.speech.ports import SpeechError


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Begin of speech. With `barge_in` it is during our playback, which should stop."""

    at_ms: int
    barge_in: bool = False


@dataclass(frozen=True, slots=True)
class PartialTranscript:
    """Transcript so far. The next one, or the utterance, replaces it."""

    text: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """Whole utterance. `text` is empty when there were no words in it."""

    text: str
    duration_ms: int  # from the first sound of speech to the last
    silence_ms: int  # that was waited for after it
    at_ms: int  # when it was over
    barge_in: bool = False


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """Failure of the recognizer: what was said is lost, and listening goes on."""

    error: SpeechError


ListenerEvent = SpeechBegan | PartialTranscript | Utterance | RecognitionFailed
