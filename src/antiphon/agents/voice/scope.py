"""Scope shared by the parts of a spoken conversation: client outlet, task group, ending."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from antiphon.agents.conversation import Conversation
from antiphon.agents.turn_metrics import TurnMetrics
from antiphon.agents.voice.client_outlet import ClientOutlet
from antiphon.agents.voice.recording import SessionRecorder
from antiphon.contracts.session_events import VoiceEvent
from antiphon.orchestrator import Session


class Ended(Exception):
    """End of the conversation: raised to cancel the session's tasks; the text is the reason."""


class ConversationScope:
    """What the parts of one conversation share. Each part holds it, and it holds none of them: what
    has ended is freed without the garbage collector."""

    def __init__(
        self,
        session: Session,
        outlet: ClientOutlet,
        conversation: Conversation,
        recorder: SessionRecorder | None = None,
    ) -> None:
        self.session = session
        self.outlet = outlet
        self.conversation = conversation
        self.recorder = recorder
        self.marks = TurnMetrics(session)
        self.now = session.orchestrator.now
        self.loop = asyncio.get_running_loop()
        self.group: asyncio.TaskGroup | None = None  # while it lasts
        self.ending: str | None = None

    def send(self, event: VoiceEvent) -> None:
        """Send an event of the turn under way to the client."""
        self.outlet.send(event, self.session.view.turn.number)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a coroutine in the conversation's task group; drop it if the conversation is over."""
        if self.group is not None:
            try:
                self.group.create_task(work, name=f"voice {name}")
                return
            except RuntimeError:  # it is being cancelled
                pass
        work.close()

    def fail(self, error: Exception) -> None:
        """Raise an error in the conversation's task group, not in whoever noticed it."""
        self.spawn(_raised(error), "fault")

    def end(self, reason: str) -> None:
        """End the conversation. The first reason counts."""
        if self.ending is None:
            self.ending = reason
            self.spawn(_raised(Ended(reason)), "end")

    def end_if_blocked(self) -> bool:
        """Tell whether the person is blocked. If so they are told, and the conversation ends,
        unless a farewell is on its way that will end it, or a call that may ask for one."""
        session = self.session
        notice = session.orchestrator.blocks.block_notice(session.user)
        if notice is not None:
            self.send(notice)
            if not session.running and session.state.get("pending_end_voice_session") is None:
                self.end("blocked")
        return notice is not None


async def _raised(error: Exception) -> None:
    raise error
