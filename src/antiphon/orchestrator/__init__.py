"""Governed dispatch: the one path of every tool call, and its metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.orchestrator.metrics import Metrics, estimate_tokens
    from antiphon.orchestrator.orchestrator import Orchestrator
    from antiphon.orchestrator.session import Session
    from antiphon.orchestrator.session_state import SessionState, create_state_controller

__all__ = [
    "Metrics",
    "Orchestrator",
    "Session",
    "SessionState",
    "create_state_controller",
    "estimate_tokens",
]

__getattr__ = lazy(
    __name__,
    {
        "Metrics": "antiphon.orchestrator.metrics",
        "Orchestrator": "antiphon.orchestrator.orchestrator",
        "Session": "antiphon.orchestrator.session",
        "SessionState": "antiphon.orchestrator.session_state",
        "create_state_controller": "antiphon.orchestrator.session_state",
        "estimate_tokens": "antiphon.orchestrator.metrics",
    },
    globals(),
)
