"""Façade: tools, a model and a conversation in one object, `Antiphon`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.facade.antiphon import Antiphon
    from antiphon.facade.call_outlet import CallEvent, SpokenAudio
    from antiphon.facade.results import ConfirmationQuestion, RunCall, RunError, RunResult
    from antiphon.facade.voice_call import VoiceCall

_HOMES = {
    "Antiphon": "antiphon.facade.antiphon",
    "CallEvent": "antiphon.facade.call_outlet",
    "ConfirmationQuestion": "antiphon.facade.results",
    "RunCall": "antiphon.facade.results",
    "RunError": "antiphon.facade.results",
    "RunResult": "antiphon.facade.results",
    "SpokenAudio": "antiphon.facade.call_outlet",
    "VoiceCall": "antiphon.facade.voice_call",
}
__all__ = [
    "Antiphon",
    "CallEvent",
    "ConfirmationQuestion",
    "RunCall",
    "RunError",
    "RunResult",
    "SpokenAudio",
    "VoiceCall",
]
__getattr__ = lazy(__name__, _HOMES, globals())
