"""What several of the tests of money share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select

from antiphon.storage import Store
from antiphon.storage.tables import usage_entries
from antiphon.usage.caps import UsualCaps
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.prices import load_prices


def usual(**amounts: int) -> UsualCaps:
    """Caps by scope and period, as in user_day=5."""
    return UsualCaps(tuple((*name.split("_"), most) for name, most in amounts.items()))  # type: ignore[misc]


def counting(caps: UsualCaps | None = None) -> Callable[[Store], UsageLedger]:
    """Make a ledger with the shipped prices over a store."""
    return lambda store: UsageLedger(store, load_prices(), caps)


async def entries(store: Store) -> list[dict[str, Any]]:
    """What was used, oldest first, once all of it is written."""
    await store.flush()

    def work(to: Connection) -> list[dict[str, Any]]:
        rows = to.execute(select(usage_entries).order_by(usage_entries.c.at))
        return [dict(row._mapping) for row in rows]

    return await store.run(work, writes=False)
