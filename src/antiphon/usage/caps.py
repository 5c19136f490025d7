"""Spending caps: the most that a user, an organisation or an agent may spend in a day or month."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.contracts.metering import CapPeriod, CapScope, Payer

SCOPES: tuple[CapScope, ...] = ("agent", "organisation", "user")
# So much of a cap in hundredths is warned of.
WARN_AT = 80


@dataclass(frozen=True, slots=True)
class UsualCaps:
    """The caps of the settings, in billionths, by scope and period; what is not here has none."""

    amounts: tuple[tuple[CapScope, CapPeriod, int], ...] = ()

    def of(self, scope: CapScope, period: CapPeriod) -> int | None:
        return next((most for *key, most in self.amounts if key == [scope, period]), None)


@dataclass(frozen=True, slots=True)
class SpendingCap:
    """The caps of one subject that take the place of the usual ones; None leaves the usual one.

    `subject` is a user or an agent; '' is the organisation itself.
    """

    organisation: str
    scope: CapScope
    subject: str
    currency: str
    day: int | None
    month: int | None
    updated_at: float = 0.0
    updated_by: str = ""

    def of(self, period: CapPeriod) -> int | None:
        return self.day if period == "day" else self.month


@dataclass(frozen=True, slots=True)
class CapState:
    """A cap that is in force, and what is spent and set aside in its period."""

    organisation: str
    scope: CapScope
    subject: str
    period: CapPeriod
    cap: int
    spent: int
    reserved: int
    resets_at: float
    usual: bool  # it is that of the settings


def subjects_of(payer: Payer) -> dict[CapScope, str]:
    """Return what is capped of what a payer spends, by scope."""
    found: dict[CapScope, str] = {"agent": payer.agent, "organisation": "", "user": payer.user}
    if not payer.agent:
        del found["agent"]
    return found
