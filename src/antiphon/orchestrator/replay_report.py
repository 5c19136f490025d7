"""Replay report: the calls of a recorded audit that today's tools and policy decide differently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ReplayedDecision:
    """A decision on a call, recorded or made again."""

    decision: str
    rule: str
    error_type: str | None = None
    message: str | None = None

    def to_dict(self) -> dict[str, Any]:
        found = {"decision": self.decision, "rule": self.rule, "errorType": self.error_type}
        return found if self.message is None else {**found, "message": self.message}


@dataclass(frozen=True, slots=True)
class DecisionDifference:
    """One call that would be decided differently today."""

    seq: int
    at: float
    session_id: str
    turn: int
    tool_id: str
    recorded: ReplayedDecision
    now: ReplayedDecision

    def to_dict(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "at": self.at,
            "sessionId": self.session_id,
            "turnId": self.turn,
            "toolId": self.tool_id,
            "recorded": self.recorded.to_dict(),
            "now": self.now.to_dict(),
        }


@dataclass(slots=True)
class ReplayReport:
    lines: int = 0  # all that the log has
    compared: int = 0  # those that were decisions
    sessions: int = 0
    differences: list[DecisionDifference] = field(default_factory=list)
    assumed: Counter[str] = field(default_factory=Counter)

    @property
    def changes(self) -> Counter[tuple[str, str]]:
        """How often a decision by one rule would be one by another."""
        return Counter((d.recorded.rule, d.now.rule) for d in self.differences)

    def to_dict(self) -> dict[str, Any]:
        return {
            "lines": self.lines,
            "compared": self.compared,
            "sessions": self.sessions,
            "different": len(self.differences),
            "changes": [
                {"recorded": then, "now": now, "count": count}
                for (then, now), count in self.changes.most_common()
            ],
            "assumed": dict(sorted(self.assumed.items())),
            "differences": [difference.to_dict() for difference in self.differences],
        }
