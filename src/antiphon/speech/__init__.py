"""Speech recognition and synthesis: ports, embedded and other engines, listeners, speakers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.speech.engines import (
        SpeechEngines,
        recognizer_for,
        speech_for,
        synthesizer_for,
        turns_for,
        vad_for,
    )
    from antiphon.speech.listener import Listener
    from antiphon.speech.listener_events import (
        FloorYielded,
        ListenerEvent,
        PartialTranscript,
        RecognitionFailed,
        SpeechBegan,
        Utterance,
        UtteranceSettled,
    )
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
    from antiphon.speech.speaker import Speaker, SpokenPiece
    from antiphon.speech.tts_text import speakable
    from antiphon.speech.turn_detection import TurnRules

_HERE = "antiphon.speech"
_HOMES = {
    "CannotSpeakError": f"{_HERE}.ports",
    "FloorYielded": f"{_HERE}.listener_events",
    "Listener": f"{_HERE}.listener",
    "ListenerEvent": f"{_HERE}.listener_events",
    "PartialTranscript": f"{_HERE}.listener_events",
    "Recognition": f"{_HERE}.ports",
    "RecognitionFailed": f"{_HERE}.listener_events",
    "Recognizer": f"{_HERE}.ports",
    "Speaker": f"{_HERE}.speaker",
    "SpeechBegan": f"{_HERE}.listener_events",
    "SpeechEngines": f"{_HERE}.engines",
    "SpeechError": f"{_HERE}.ports",
    "SpokenPiece": f"{_HERE}.speaker",
    "Synthesizer": f"{_HERE}.ports",
    "TurnDetector": f"{_HERE}.ports",
    "TurnRules": f"{_HERE}.turn_detection",
    "Utterance": f"{_HERE}.listener_events",
    "UtteranceSettled": f"{_HERE}.listener_events",
    "Vad": f"{_HERE}.ports",
    "VadStream": f"{_HERE}.ports",
    "recognizer_for": f"{_HERE}.engines",
    "speakable": f"{_HERE}.tts_text",
    "speech_for": f"{_HERE}.engines",
    "synthesizer_for": f"{_HERE}.engines",
    "turns_for": f"{_HERE}.engines",
    "vad_for": f"{_HERE}.engines",
}
__all__ = [
    "CannotSpeakError",
    "FloorYielded",
    "Listener",
    "ListenerEvent",
    "PartialTranscript",
    "Recognition",
    "RecognitionFailed",
    "Recognizer",
    "Speaker",
    "SpeechBegan",
    "SpeechEngines",
    "SpeechError",
    "SpokenPiece",
    "Synthesizer",
    "TurnDetector",
    "TurnRules",
    "Utterance",
    "UtteranceSettled",
    "Vad",
    "VadStream",
    "recognizer_for",
    "speakable",
    "speech_for",
    "synthesizer_for",
    "turns_for",
    "vad_for",
]
__getattr__ = lazy(__name__, _HOMES, globals())
