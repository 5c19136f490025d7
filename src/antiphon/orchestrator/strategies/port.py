"""Strategy port: the interface of the ways in which a call is carried out."""

from __future__ import annotations

from typing import Protocol

from antiphon.contracts import Envelope
from antiphon.orchestrator.governed_call import GovernedCall


class CallStrategy(Protocol):
    """Carries a call out and answers it. The call has been decided on; nothing is asked here."""

    def execute_now(self, governed: GovernedCall) -> Envelope | None:
        """Execute a call without waiting; None when `execute` has to go on with it."""

    async def execute(self, governed: GovernedCall) -> Envelope:
        """Execute a call, or go on with one that `execute_now` has begun."""

    async def recover(self, governed: GovernedCall) -> Envelope:
        """Take up a call again that a crash has cut short."""
