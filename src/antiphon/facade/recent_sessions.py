"""Recent sessions: the conversations of a program that stay in memory; older ones are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.agents.text import TextAgent
    from antiphon.orchestrator import Session

MOST_SESSIONS = 1000


class RecentSessions:
    """The sessions that were used last. When there are too many, the oldest that is at rest goes
    out of memory; its next run takes it from the store."""

    def __init__(self, most: int = MOST_SESSIONS) -> None:
        self._most = most
        self._sessions: dict[str, Session] = {}

    async def use(self, session: Session, agent: TextAgent) -> None:
        """Note that the agent has used a session just now."""
        self._sessions.pop(session.id, None)
        self._sessions[session.id] = session
        if len(self._sessions) <= self._most:
            return
        oldest = self._sessions.pop(next(iter(self._sessions)))
        if agent.is_at_rest(oldest):
            await oldest.orchestrator.save(oldest)
            if agent.is_at_rest(oldest):  # nobody has come for it meanwhile
                oldest.orchestrator.forget(oldest)
