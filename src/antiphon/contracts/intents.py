"""Intents: requests of a tool to the session, which the state controller applies."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal


class IntentType(StrEnum):
    """The types of intents."""

    END_VOICE_SESSION = "END_VOICE_SESSION"
    SUPPRESS_AUDIO = "SUPPRESS_AUDIO"
    SUPPRESS_TRANSCRIPT = "SUPPRESS_TRANSCRIPT"
    SET_PENDING_MESSAGE = "SET_PENDING_MESSAGE"


END_MOMENTS = ("current_turn", "farewell_spoken")


class Intent:
    """Factories of intents. An intent is plain data, the same in Python as on the wire."""

    @staticmethod
    def end_voice_session(
        after: Literal["current_turn", "farewell_spoken"] = "current_turn",
    ) -> dict[str, Any]:
        """End the spoken conversation after this turn, or once the farewell was spoken."""
        return {"type": "END_VOICE_SESSION", "after": after}

    @staticmethod
    def suppress_audio(value: bool = True) -> dict[str, Any]:
        """Mute or unmute the model's speech."""
        return {"type": "SUPPRESS_AUDIO", "value": value}

    @staticmethod
    def suppress_transcript(value: bool = True) -> dict[str, Any]:
        """Hide or show the transcript of the model's speech."""
        return {"type": "SUPPRESS_TRANSCRIPT", "value": value}

    @staticmethod
    def set_pending_message(message: str) -> dict[str, Any]:
        """Keep a message in the session's state as its pending message."""
        return {"type": "SET_PENDING_MESSAGE", "message": message}


def intent_problem(intent: object) -> str | None:
    """Return what is wrong with an intent, or None when it may be applied."""
    if not isinstance(intent, dict):
        return f"an intent is an object, not {type(intent).__name__}"
    kind = intent.get("type")
    match kind:
        case IntentType.END_VOICE_SESSION:
            if intent.get("after") not in END_MOMENTS:
                return f"END_VOICE_SESSION needs `after`: one of {', '.join(END_MOMENTS)}"
        case IntentType.SUPPRESS_AUDIO | IntentType.SUPPRESS_TRANSCRIPT:
            if not isinstance(intent.get("value"), bool):
                return f"{kind} needs `value`: true or false"
        case IntentType.SET_PENDING_MESSAGE:
            if not isinstance(intent.get("message"), str):
                return "SET_PENDING_MESSAGE needs `message`: a string"
        case _:
            return f"unknown intent type {kind!r}"
    return None
