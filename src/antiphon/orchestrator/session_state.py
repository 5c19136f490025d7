"""Session state: flags of one session, changed only by intents and by their controller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from antiphon.contracts.definition import Mode
from antiphon.contracts.intents import IntentType, intent_problem

FIELDS: dict[str, Any] = {
    "mode": "text",
    "is_active": True,
    "pending_end_voice_session": None,
    "pending_message": None,
    "should_suppress_audio": False,
    "should_suppress_transcript": False,
    "is_model_generating": False,
    "turn": 1,
    "user_audio_chunk_count": 0,  # pieces of the person's speech, in the whole session
    "audio_chunk_counter": 0,  # pieces of the model's speech that went to the person in this turn
    "interruption_sent": False,  # whether the person's end was told to fall silent in this turn
}

Log = Callable[[str, str | None], None]


class SessionState:
    """The flags of one session. Unknown names are a programming error: KeyError."""

    __slots__ = ("_log", "_values")

    def __init__(self, values: dict[str, Any], log: Log | None = None) -> None:
        unknown = values.keys() - FIELDS.keys()
        if unknown:
            raise KeyError(f"no such state: {', '.join(sorted(unknown))}")
        # Only what differs from the defaults is kept: ten thousand idle sessions share the rest.
        self._values = {k: v for k, v in values.items() if v != FIELDS[k]}
        self._log = log

    def get(self, name: str) -> Any:
        return self._values.get(name, FIELDS[name])

    def set(self, name: str, value: Any) -> None:
        if name == "mode":
            raise ValueError("the mode of a session is fixed when it is created")
        if value == FIELDS[name]:
            self._values.pop(name, None)
        else:
            self._values[name] = value

    def count(self, name: str) -> None:
        """Increment a counter."""
        self._values[name] = self.get(name) + 1

    def restore(self, values: dict[str, Any]) -> None:
        """Restore a saved state; names that today's sessions do not know are left out."""
        for name, value in values.items():
            if name in FIELDS and name != "mode":
                self.set(name, value)

    def begin_turn(self, number: int) -> None:
        """Start a turn: what tools asked to be suppressed ended with the one before."""
        values = self._values
        values["turn"] = number
        values.pop("should_suppress_audio", None)
        values.pop("should_suppress_transcript", None)

    def clear_effects(self) -> None:
        """Drop what tools asked for: suppression, and the end of the voice session."""
        self.set("should_suppress_audio", False)
        self.set("should_suppress_transcript", False)
        self.set("pending_end_voice_session", None)

    def apply_intent(self, intent: object, data: dict[str, Any] | None = None) -> str | None:
        """Apply an intent of a tool whose result is `data`; return why it was refused, or None."""
        problem = intent_problem(intent) or self._transition(intent, data or {})  # type: ignore[arg-type]
        if self._log is not None:
            kind = intent.get("type") if isinstance(intent, dict) else None
            self._log(str(kind), problem)
        return problem

    def _transition(self, intent: dict[str, Any], data: dict[str, Any]) -> str | None:
        match intent["type"]:
            case IntentType.END_VOICE_SESSION:
                return self._end_voice(intent, data)
            case IntentType.SUPPRESS_AUDIO:
                self.set("should_suppress_audio", intent["value"])
            case IntentType.SUPPRESS_TRANSCRIPT:
                self.set("should_suppress_transcript", intent["value"])
            case IntentType.SET_PENDING_MESSAGE:
                self.set("pending_message", intent["message"])
        return None

    def _end_voice(self, intent: dict[str, Any], data: dict[str, Any]) -> str | None:
        if not self.get("is_active"):
            return "the session has already ended"
        if self.get("mode") != "voice":
            return "there is no voice session to end"
        pending = self.get("pending_end_voice_session")
        if pending is not None and pending["after"] == "farewell_spoken":
            return "the session is already ending"
        self.set(
            "pending_end_voice_session",
            {
                "after": intent["after"],
                "reason": data.get("reason") or "user_requested",
                "closingMessage": data.get("finalMessage"),
                "textResponse": data.get("textResponse"),
            },
        )
        return None

    def snapshot(self) -> dict[str, Any]:
        return {**FIELDS, **self._values}


def create_state_controller(mode: Mode, log: Log | None = None, **values: Any) -> SessionState:
    """Create the state of a new session. The mode is stored here and never inferred."""
    return SessionState({"mode": mode, **values}, log)
