"""Realtime response state: one response at a time, barge-in, and none requested twice."""

from __future__ import annotations

from typing import Any, Literal

Void = Literal["by_us", "by_service"]
Refusal = Literal["harmless", "no_answer", "other"]

UNKNOWN = "?"  # the name of a response that was never told


class ResponseState:
    """State of the response that is under way, and of the one to request when it is over.

    A response is void when somebody cut in: what still comes of it is nobody's to hear.
    """

    def __init__(self) -> None:
        self.active: str | None = None
        self._asked: str | None = None  # our response.create that has not become a response yet
        self._wanted = False
        self._void: Void | None = None  # the response that is active or asked for
        self._void_name: str | None = None
        self._ended: Void | None = None
        self._announced = False  # whether this server tells when it has taken an item
        self._unseen = False  # whether it took one after the response that is active began
        self._speech_over = False  # the service hears by itself, and is to answer
        self.speaking = False  # the person is, and will be answered when they are done
        self._number = 0

    # -- our part

    def name(self, kind: str) -> str:
        """Return a new id for an event of ours."""
        self._number += 1
        return f"{kind}_{self._number}"

    def ask(self) -> str | None:
        """Return the id of a response.create to send now; None if it has to wait, and `on_message`
        will tell."""
        self._wanted = self.active is not None or self._asked is not None
        if self._wanted:
            return None
        self._asked = self.name("ask")
        return self._asked

    def void_by_us(self) -> bool:
        """Void the response on our side; return whether there is something to cancel."""
        return self._set_void("by_us")

    def void_by_service(self) -> bool:
        """Void the response that the service cancels by itself; return whether there is one."""
        return self.active is not None and self._set_void("by_service")

    def _set_void(self, why: Void) -> bool:
        if self._void is not None or (self.active is None and self._asked is None):
            return False
        self._void, self._void_name = why, self.active
        return True

    # -- the service's part

    @property
    def owed(self) -> bool:
        """Whether it is the model's turn."""
        return self.active is not None or self._asked is not None or self._speech_over

    def is_void(self, message: dict[str, Any]) -> bool:
        return self._void is not None and message.get("response_id") == self._void_name

    def on_message(self, message: dict[str, Any]) -> bool:
        """Update the state by a message; return whether to request the response that waits."""
        kind = message.get("type")
        if kind == "response.created":
            response = message.get("response")
            name = response.get("id") if isinstance(response, dict) else None
            self.active, self._asked = name or UNKNOWN, None
            self._unseen = self._speech_over = self.speaking = False
            if self._void is not None:
                self._void_name = self.active
        elif kind == "response.done":
            response = message.get("response")
            name = response.get("id") if isinstance(response, dict) else None
            if self.active not in (None, UNKNOWN, name):
                return False  # an old one once more
            self.active = None
            self._speech_over = False
            self._ended = self._void
            self._void = self._void_name = None
        elif kind == "conversation.item.added":
            self._announced = True
            item = message.get("item")
            self._unseen |= isinstance(item, dict) and item.get("role") != "assistant"
        elif kind == "input_audio_buffer.speech_stopped":
            self._speech_over, self.speaking = True, False
        elif kind == "input_audio_buffer.speech_started":
            self._speech_over, self.speaking = False, True
        elif kind == "error":
            self._collided(message.get("error"))
        else:
            return False
        return self._wanted and self.active is None and self._asked is None

    @property
    def ended(self) -> Void | None:
        """Whether the response that was over last was void, and by whom."""
        return self._ended

    def refused(self, error: Any) -> Refusal:
        """Return what an error means for the turn. One that is harmless need not be told."""
        if not isinstance(error, dict):
            return "other"
        code, name = error.get("code"), str(error.get("event_id"))
        if code in ("conversation_already_has_active_response", "response_cancel_not_active"):
            return "harmless"
        if name.startswith("cut_") or "is already shorter than" in str(error.get("message")):
            return "harmless"
        return "no_answer" if name.startswith("ask_") else "other"

    def _collided(self, error: Any) -> None:
        if not isinstance(error, dict):
            return
        if error.get("code") == "conversation_already_has_active_response":
            self._asked = None
            # The response that was faster knows what we said, unless it began before that.
            if self._unseen or not self._announced:
                self._wanted = True
                self.active = self.active or UNKNOWN
        elif error.get("event_id") is not None and error.get("event_id") == self._asked:
            self._asked = None
            self._void = self._void_name = None
