"""Listener events: begin of speech, transcripts, utterances and their settling, failures.

All `…_ms` are in the time of the audio.
"""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.speech.names import NameCandidates
from antiphon.speech.ports import SpeechError


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Begin of speech. With `barge_in` it is during our playback, which should stop. With `goes_on`
    it is the rest of the last utterance: an answer to that is void, and the next utterance has
    the words of both."""

    at_ms: int
    barge_in: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class PartialTranscript:
    """Transcript so far. The next one, or the utterance, replaces it."""

    text: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """Whole utterance, as far as can be told: until it is settled, the person may go on with it.
    `text` is empty when there were no words in it."""

    text: str
    duration_ms: int  # from the first sound of speech to the last
    silence_ms: int  # that was waited for after it
    at_ms: int  # when it was over
    barge_in: bool = False
    unclear_names: tuple[NameCandidates, ...] = ()  # in the order of the text


@dataclass(frozen=True, slots=True)
class FloorYielded:
    """After an utterance: the person has been silent for so long that an answer may be heard."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class UtteranceSettled:
    """After an utterance: what is said from now on is another one."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """Failure of the recognizer: what was said is lost, and listening goes on."""

    error: SpeechError


ListenerEvent = (
    SpeechBegan
    | PartialTranscript
    | Utterance
    | FloorYielded
    | UtteranceSettled
    | RecognitionFailed
)
