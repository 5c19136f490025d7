"""Metrics of a turn: latency marks, tokens and budget, written to the audit at its end."""

from __future__ import annotations

import logging

from antiphon.contracts.events import Usage
from antiphon.orchestrator import Session
from antiphon.storage import StoreError

TURN_COMPLETED = "turn_completed"

logger = logging.getLogger(__name__)


class TurnMetrics:
    """Latency marks, moments and token usage of the turn under way, written to the audit when it is
    over."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._marks: dict[str, float] = {}
        self._moments: dict[str, float] = {}
        self._rounds: list[dict[str, float]] = []
        self.usage = Usage()

    def mark(self, name: str, ms: float) -> None:
        """Record milliseconds that somebody had to wait."""
        self._marks[name] = round(ms, 3)

    def moment(self, name: str, at: float | None = None) -> None:
        """Record when something happened first in this turn, in seconds of the epoch; now, unless
        another time is given."""
        if name not in self._moments:
            self._moments[name] = self._time(at)

    def asked_model(self) -> None:
        """Record that the model is asked: a round of it begins, unless one is under way."""
        if not self._rounds or "end" in self._rounds[-1]:
            self._rounds.append({"start": self._time()})

    def model_answers(self) -> None:
        """Record the first that the model gives in its round."""
        if self._rounds:
            self._rounds[-1].setdefault("first", self._time())

    def model_done(self) -> None:
        """Record the end of the model's round: it has said everything, or waits for its calls."""
        if self._rounds:
            self._rounds[-1].setdefault("end", self._time())

    def _time(self, at: float | None = None) -> float:
        return round(self._session.orchestrator.now() if at is None else at, 4)

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
            "moments": self._moments,
            **({"rounds": self._rounds} if self._rounds else {}),
            "tokens": tokens,
            "budget": _budget_use(self._session),
        }
        self._marks, self._moments, self._rounds, self.usage = {}, {}, [], Usage()
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
