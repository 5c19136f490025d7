"""Watchdog over answers: a `waiting` message for a person whose model takes long."""

from __future__ import annotations

import asyncio
from typing import Literal

from antiphon.agents.voice.scope import ConversationScope
from antiphon.agents.voice.turn_taking import TurnTaking
from antiphon.contracts.session_events import WaitingForModel

About = Literal["connection", "answer"]

WAITING_SECONDS = 5.0

_WORDS = {
    "connection": "The model cannot be reached yet. Still trying.",
    "answer": "The model has not answered yet. Still waiting.",
}


class AnswerWatch:
    """Watchdog that sends one `waiting` message for each wait that lasts too long, and never a
    second one for the same wait: what comes after it is the answer, or an `error`."""

    def __init__(self, scope: ConversationScope, turns: TurnTaking) -> None:
        self._scope = scope
        self._turns = turns
        self._timer: asyncio.TimerHandle | None = None
        self._about: About = "connection"

    def expect(self, about: About) -> None:
        """Start the timer for a connection or an answer, in place of the one under way."""
        self.stop()
        self._about = about
        loop, mark = self._scope.loop, self._mark()
        self._timer = loop.call_later(WAITING_SECONDS, self._tell, about, mark)

    def connecting(self) -> None:
        """Start waiting for a connection, unless an answer is waited for already."""
        if self._timer is None:
            self.expect("connection")

    def connected(self) -> None:
        """Stop waiting for a connection."""
        if self._about == "connection":
            self.stop()

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self, about: About, mark: object) -> None:
        self._timer = None
        if mark == self._mark():
            self._scope.send(WaitingForModel(about, _WORDS[about], WAITING_SECONDS))

    def _mark(self) -> tuple[object, ...]:
        """Return a value that changes with whatever the model does, and when the person begins to
        speak."""
        playback = self._turns.playback
        return playback.turn, playback.amount, playback.calls, self._turns.speaking
