"""Metrics of a turn: latency marks, tokens and budget, written to the audit at its end."""

from __future__ import annotations

import logging

from antiphon.contracts.events import Usage
from antiphon.orchestrator import Session
from antiphon.storage import StoreError

TURN_COMPLETED = "turn_completed"

logger = logging.getLogger(__name__)


class TurnMetrics:
    """Latency marks and token usage of the turn under way, written to the audit when it is over."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._marks: dict[str, float] = {}
        self.usage = Usage()

    def mark(self, name: str, ms: float) -> None:
        """Record milliseconds that somebody had to wait."""
        self._marks[name] = round(ms, 3)

    def spoken(self, name: str, ms: float) -> None:
        """Record milliseconds of a spoken turn, in the metrics of all conversations as well."""
        self._session.orchestrator.metrics.record_voice(name, ms)
        self.mark(name, ms)

    def used(self, usage: Usage) -> None:
        """Add the tokens of one answer."""
        own = self.usage
        own.input_tokens += usage.input_tokens
        own.output_tokens += usage.output_tokens
        own.cached_tokens += usage.cached_tokens
        metrics = self._session.orchestrator.metrics
        metrics.record_tokens(
            self._session.provider, usage.input_tokens, usage.output_tokens, usage.cached_tokens
        )
        if usage.input_tokens:
            metrics.context.used(self._session.id, usage.input_tokens + usage.output_tokens)

    def completed(self, finish: str) -> None:
        """Write the audit line of the turn. Call it before the session's turn ends, so that the
        line belongs to that turn."""
        usage = self.usage
        tokens = {
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "cached": usage.cached_tokens,
        }
        details = {
            "finish": finish,
            "marks": self._marks,
            "tokens": tokens,
            "budget": _budget_use(self._session),
        }
        self._marks, self.usage = {}, Usage()
        try:
            self._session.append_audit(TURN_COMPLETED, details=details)
        except StoreError as error:  # whoever keeps the turn itself says so to the person
            logger.error("the end of a turn of %s is not in the audit: %s", self._session.id, error)


def _budget_use(session: Session) -> dict[str, dict[str, float | None]]:
    """Return what the turn used of its budget, each beside its limit; None is no limit."""
    turn, budget = session.view.turn, session.view.budget
    used = {
        "retrievalCalls": (turn.retrieval, budget.retrieval_calls),
        "totalCalls": (turn.total, budget.total_calls),
        "rounds": (turn.rounds, budget.rounds),
        "toolMs": (round(turn.tool_ms, 3), budget.tool_time_ms),
    }
    return {name: {"used": spent, "limit": limit} for name, (spent, limit) in used.items()}
