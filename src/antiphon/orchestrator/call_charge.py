"""Call charge: the price of one call of a tool, set aside before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType
from antiphon.contracts.metering import Reservation, Spending, SpendingRefused
from antiphon.orchestrator.call_frame import outside_key
from antiphon.policy import Verdict, refuse

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session
    from antiphon.registry.registry import Tool


@dataclass(slots=True)
class CallCharge:
    """What a call costs: money that is set aside, nothing for one that was paid for before, or the
    refusal to spend it."""

    reservation: Reservation | None = None
    refused: SpendingRefused | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the refusal."""
        assert self.refused is not None
        details = {} if self.refused.resets_at is None else {"resetsAt": self.refused.resets_at}
        return refuse("spending_cap", ErrorType.BUDGET_EXCEEDED, self.refused.message, **details)

    def pay(self) -> None:
        """Spend what is set aside: the call runs now, and costs the same however it ends."""
        if self.reservation is not None:
            self.reservation.charge()

    def release(self) -> None:
        """Give back what is set aside, unless it was spent."""
        if self.reservation is not None:
            self.reservation.release()


async def reserve_price(
    session: Session, spending: Spending, name: str, key: str, tool: Tool | None
) -> CallCharge:
    """Set the price of a call aside. A call that changes something is paid for once under its key,
    also when a crash has cut it short and it is run again."""
    once = f"call:{outside_key(session.id, key)}" if tool is not None and tool.writes else None
    try:
        reservation = await spending.reserve_call(
            name, session.payer, once, session.warn_of_spending
        )
    except SpendingRefused as refused:
        return CallCharge(refused=refused)
    return CallCharge(reservation)
