"""Hearing and speaking: ports, the embedded engines, other engines, listeners and speakers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.speech.choice import (
        RECOGNIZERS,
        SYNTHESIZERS,
        VADS,
        Speech,
        recognizer_for,
        speech_for,
        synthesizer_for,
        turns_for,
        vad_for,
    )
    from antiphon.speech.heard import Heard, NotHeard, SpeechBegan, Utterance, Words
    from antiphon.speech.listening import Listener
    from antiphon.speech.ports import (
        CannotSpeakError,
        Recognition,
        Recognizer,
        SpeechError,
        Synthesizer,
        TurnDetector,
        Vad,
        VadStream,
    )
    from antiphon.speech.speaking import Speaker, SpokenPiece
    from antiphon.speech.spoken import speakable
    from antiphon.speech.turns import TurnRules

_HERE = "antiphon.speech"
_HOMES = {
    "CannotSpeakError": f"{_HERE}.ports",
    "Heard": f"{_HERE}.heard",
    "Listener": f"{_HERE}.listening",
    "NotHeard": f"{_HERE}.heard",
    "RECOGNIZERS": f"{_HERE}.choice",
    "Recognition": f"{_HERE}.ports",
    "Recognizer": f"{_HERE}.ports",
    "SYNTHESIZERS": f"{_HERE}.choice",
    "Speaker": f"{_HERE}.speaking",
    "Speech": f"{_HERE}.choice",
    "SpeechBegan": f"{_HERE}.heard",
    "SpeechError": f"{_HERE}.ports",
    "SpokenPiece": f"{_HERE}.speaking",
    "Synthesizer": f"{_HERE}.ports",
    "TurnDetector": f"{_HERE}.ports",
    "TurnRules": f"{_HERE}.turns",
    "Utterance": f"{_HERE}.heard",
    "VADS": f"{_HERE}.choice",
    "Vad": f"{_HERE}.ports",
    "VadStream": f"{_HERE}.ports",
    "Words": f"{_HERE}.heard",
    "recognizer_for": f"{_HERE}.choice",
    "speakable": f"{_HERE}.spoken",
    "speech_for": f"{_HERE}.choice",
    "synthesizer_for": f"{_HERE}.choice",
    "turns_for": f"{_HERE}.choice",
    "vad_for": f"{_HERE}.choice",
}
__all__ = [
    "CannotSpeakError",
    "Heard",
    "Listener",
    "NotHeard",
    "RECOGNIZERS",
    "Recognition",
    "Recognizer",
    "SYNTHESIZERS",
    "Speaker",
    "Speech",
    "SpeechBegan",
    "SpeechError",
    "SpokenPiece",
    "Synthesizer",
    "TurnDetector",
    "TurnRules",
    "Utterance",
    "VADS",
    "Vad",
    "VadStream",
    "Words",
    "recognizer_for",
    "speakable",
    "speech_for",
    "synthesizer_for",
    "turns_for",
    "vad_for",
]
__getattr__ = lazy(__name__, _HOMES, globals())
