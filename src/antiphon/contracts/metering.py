"""Metering of paid work: who pays, what a request may use, and what it was counted at."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from antiphon.contracts.events import Usage

# The one rule by which spending is refused, whatever would have cost something.
SPENDING_RULE = "spending_cap"

CapScope = Literal["user", "organisation", "agent"]
CapPeriod = Literal["day", "month"]


@dataclass(frozen=True, slots=True)
class Payer:
    """On whose account something is done: a user of an organisation, by an agent (a profile)."""

    user: str
    organisation: str = ""
    agent: str = ""
    session: str = ""


def payer_of(fields: Mapping[str, Any]) -> Payer:
    """Return the payer of a session, by its fields."""
    user, organisation, profile, session = (
        str(fields.get(name) or "") for name in ("user", "organisation", "profile", "id")
    )
    return Payer(user, organisation, profile, session)


@dataclass(frozen=True, slots=True)
class PaidRequest:
    """The most that one request to a model may use; with `seconds`, so much of a live
    connection."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CapWarning:
    """Most of a cap is spent or reserved. Amounts are decimal numbers of the currency."""

    scope: CapScope
    subject: str
    period: CapPeriod
    spent: str
    cap: str
    currency: str
    resets_at: float

    @property
    def message(self) -> str:
        """The warning in words for the person. What others spend is nobody else's business."""
        whose = {
            "user": "your own spending cap",
            "organisation": "the spending cap of your organisation",
            "agent": f"the spending cap of the agent {self.subject}",
        }[self.scope]
        span = "today" if self.period == "day" else "this month"
        return f"Most of {whose} for {span} is used up."


class SpendingRefused(Exception):
    """Something that costs money is not done. The message says why, and when that changes;
    `resets_at` is that time, where it is known."""

    def __init__(
        self,
        message: str,
        code: Literal["cap", "unknown_model", "store"],
        *,
        resets_at: float | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.resets_at = resets_at
        self.retry_after = retry_after


class Reservation(Protocol):
    """Money that is set aside for one request. The first of its endings counts; none of them
    waits, and none raises."""

    def is_exceeded(self, usage: Usage) -> bool:
        """Whether so much costs as much as was set aside, or more."""

    def settle(self, usage: Usage, *, seconds: float = 0.0, uncounted: float = 0.0) -> None:
        """End it with what the provider has counted, after so many `seconds` of a live connection;
        for the last `uncounted` of them the provider owes its count."""

    def charge(self) -> None:
        """End it at its estimate: nobody has counted what was used."""

    def release(self) -> None:
        """End it without cost: the request was not made, or refused."""


class Meter(Protocol):
    """Meter of one payer's requests to one model."""

    async def reserve(self, request: Callable[[], PaidRequest]) -> Reservation:
        """Set aside what a request may cost; how much that is, is asked only where it costs
        something. Raises SpendingRefused."""


class Spending(Protocol):
    """What decides about money, and keeps account of it. A caller's `warn` is told of caps that are
    nearly used up."""

    @property
    def priced_tools(self) -> Container[str]:
        """The tools whose calls cost something."""

    def meter(
        self,
        backend: str,
        model: str,
        payer: Callable[[], Payer],
        warn: Callable[[CapWarning], None],
    ) -> Meter:
        """Return the meter for requests to a model; `payer` is asked for each of them."""

    async def reserve_call(
        self, tool_id: str, payer: Payer, key: str | None, warn: Callable[[CapWarning], None]
    ) -> Reservation | None:
        """Set the price of a call aside; None where the call of that key was paid for before.
        Raises SpendingRefused."""


def nobody_to_warn(warning: CapWarning) -> None:
    """Take a warning where no person waits: it is in the audit and the metrics."""
    del warning
