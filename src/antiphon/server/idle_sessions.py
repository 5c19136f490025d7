"""Idle sessions: conversations in text that nobody uses, which are then in the store alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from antiphon.orchestrator import Orchestrator
from antiphon.server.http_sessions import is_shared
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.agents.text import TextAgent

logger = logging.getLogger(__name__)

IDLE_SECONDS = 900.0
LOOK_SECONDS = 60.0


class IdleSessions:
    """Takes sessions out of memory that are at rest. Whoever goes on with one finds it in the
    store, so that thousands of conversations cost no memory but that of today's."""

    def __init__(
        self,
        orchestrator: Orchestrator,
        agent: Callable[[], TextAgent],
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """`agent` gives the agent that answers in them."""
        self._orchestrator = orchestrator
        self._agent = agent
        self._idle_seconds = idle_seconds

    async def keep(self) -> None:
        """Look for them again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.forget_idle()
            except StoreError as error:
                logger.error("idle sessions stay in memory: %s", error)

    async def forget_idle(self) -> int:
        """Save and drop those that are idle; return how many. Raises StoreError."""
        orchestrator, dropped = self._orchestrator, 0
        since = orchestrator.now() - self._idle_seconds
        for session in list(orchestrator.sessions.values()):
            used = max(session.created_at, session.view.now)
            if session.mode != "text" or is_shared(session.id) or used > since:
                continue
            if self._agent().is_at_rest(session):
                await orchestrator.save(session)
                if self._agent().is_at_rest(session):  # nobody has come for it meanwhile
                    orchestrator.forget(session)
                    dropped += 1
        return dropped
