"""Call strategies: how a call that may run is carried out, as a read, a write or a task."""

from __future__ import annotations

from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.strategies.background import BACKGROUND
from antiphon.orchestrator.strategies.port import CallStrategy
from antiphon.orchestrator.strategies.read import READ
from antiphon.orchestrator.strategies.write import WRITE

__all__ = ["CallStrategy", "strategy_of"]


def strategy_of(governed: GovernedCall) -> CallStrategy:
    """The strategy of a call. A background tool that another call uses is part of that call,
    which waits for its result."""
    tool = governed.tool
    if tool.definition.execution == "background" and governed.frame is None:
        return BACKGROUND
    return WRITE if tool.writes else READ
