"""Listener events: begin of speech, partial transcripts, utterances and failures, in order.

All `…_ms` are in the time of the audio.
"""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.speech.ports import SpeechError


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Somebody speaks. With `barge_in` it is while we do, so we should stop."""

    at_ms: int
    barge_in: bool = False


@dataclass(frozen=True, slots=True)
class PartialTranscript:
    """What is understood so far. The next such event, or the utterance, replaces it."""

    text: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """The person is done. `text` is empty when there were no words in what was heard."""

    text: str
    duration_ms: int  # from the first sound of speech to the last
    silence_ms: int  # that was waited for after it
    at_ms: int  # when it was over
    barge_in: bool = False


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """What was said is lost, as the recognizer failed. Listening goes on."""

    error: SpeechError


ListenerEvent = SpeechBegan | PartialTranscript | Utterance | RecognitionFailed
