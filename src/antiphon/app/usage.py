"""Usage factory: prices and caps of the settings, and the ledger over the store."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from antiphon.usage.caps import SCOPES, UsualCaps
from antiphon.usage.ledger import PaidItem, UsageLedger
from antiphon.usage.money import nano
from antiphon.usage.periods import PERIODS
from antiphon.usage.prices import load_prices

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.orchestrator import Metrics
    from antiphon.storage import Store


def usage_ledger(
    settings: Settings,
    store: Store,
    metrics: Metrics,
    *,
    clock: Callable[[], float] | None = None,
) -> UsageLedger:
    """Make the ledger over an open store. Without a clock the time is the database's. Raises
    PricesError."""
    return UsageLedger(
        store,
        load_prices(settings.usage.prices),
        usual_caps(settings),
        clock=clock,
        spent=partial(record_spent, metrics),
        warned=lambda warning: metrics.record_cap_warning(warning.scope, warning.period),
    )


def usual_caps(settings: Settings) -> UsualCaps:
    """Return the caps of the settings."""
    caps = settings.usage.caps
    return UsualCaps(
        tuple(
            (scope, period, nano(amount))
            for scope in SCOPES
            for period in PERIODS
            if (amount := getattr(caps, f"{scope}_{period}")) is not None
        )
    )


def record_spent(metrics: Metrics, item: PaidItem, currency: str, cost: int) -> None:
    """Count what was spent in the metrics."""
    metrics.record_cost(
        item.tool or item.model, "tool" if item.tool else item.backend, currency, cost
    )
