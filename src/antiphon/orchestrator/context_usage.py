"""Context usage: how much of its model's context window each session takes, and took at most."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

# From here on answers may be cut off: 900,000 tokens of a window of a million.
ALERT_SHARE = 0.9
MOST_SESSIONS = 10_000
MOST_SHOWN = 20
RULE = "context_window"

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class SessionContextUsage:
    """Tokens of one session's context. `window` is None where the model's limit is not known."""

    session_id: str
    model: str
    window: int | None
    init: int
    current: int
    peak: int
    alerted: bool = False

    @property
    def limit(self) -> float | None:
        return None if self.window is None else self.window * ALERT_SHARE

    def to_dict(self) -> dict[str, Any]:
        return {
            "sessionId": self.session_id,
            "model": self.model,
            "window": self.window,
            "initTokens": self.init,
            "currentTokens": self.current,
            "peakTokens": self.peak,
            "alert": self.alerted,
        }


class ContextUsage:
    """Context tokens of the running sessions, and the peak of any session since the start."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionContextUsage] = {}
        self.peak = 0
        self.alerts = 0

    def started(self, session_id: str, model: str, init: int, window: int | None) -> None:
        """Record a connection to a model that begins with an estimate of `init` tokens. A session
        that goes on keeps its peak."""
        found = self.sessions.get(session_id)
        if found is None:
            if len(self.sessions) >= MOST_SESSIONS:
                self.sessions.pop(next(iter(self.sessions)))
            found = SessionContextUsage(session_id, model, window, init, init, init)
            self.sessions[session_id] = found
        found.model, found.window, found.init = model, window, init
        self._took(found, max(found.current, init), 0)

    def used(self, session_id: str, tokens: int) -> None:
        """Record what one answer took, as the provider counts: all that was read, and the
        answer."""
        found = self.sessions.get(session_id)
        if found is not None:
            self._took(found, tokens, max(0, tokens - found.current))

    def _took(self, found: SessionContextUsage, tokens: int, growth: int) -> None:
        found.current = tokens
        found.peak = max(found.peak, tokens)
        self.peak = max(self.peak, found.peak)
        limit = found.limit
        # Told when the next turn would get there, growing as this one did.
        if limit is None or tokens + growth < limit:
            found.alerted = False
            return
        if not found.alerted:
            self.alerts += 1
            logger.warning(
                "session %s takes %d of the %d tokens of %s and is about to pass %d",
                found.session_id,
                tokens,
                found.window,
                found.model,
                limit,
            )
        found.alerted = True

    def ended(self, session_id: str) -> None:
        self.sessions.pop(session_id, None)

    @property
    def current(self) -> int:
        """The largest context of any session right now."""
        return max((each.current for each in self.sessions.values()), default=0)

    @property
    def alerted(self) -> list[SessionContextUsage]:
        return [each for each in self.sessions.values() if each.alerted]

    def snapshot(self) -> dict[str, Any]:
        largest = sorted(self.sessions.values(), key=lambda each: each.peak, reverse=True)
        return {
            "currentTokens": self.current,
            "peakTokens": self.peak,
            "sessions": [each.to_dict() for each in largest[:MOST_SHOWN]],
            "alerts": [
                {
                    "sessionId": each.session_id,
                    "rule": RULE,
                    "value": each.current,
                    "limit": each.limit,
                }
                for each in self.alerted
            ],
        }
