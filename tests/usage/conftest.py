"""Ledgers to test with, over stores of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeAlias

import pytest
from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
    sqlite_template,
    sqlite_url,
    store_url,
)
from tests.storage.helpers import Clock

from antiphon.storage import Store
from antiphon.usage.caps import UsualCaps
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.prices import load_prices

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC).timestamp()

OpenLedger: TypeAlias = Callable[..., Awaitable[UsageLedger]]


@pytest.fixture
def clock() -> Clock:
    return Clock(NOON)


@pytest.fixture
async def open_ledger(store_url: str, clock: Clock) -> AsyncIterator[OpenLedger]:  # noqa: F811
    """Ledgers of as many nodes as are asked for, on one database."""
    opened: list[UsageLedger] = []

    async def make(caps: UsualCaps | None = None) -> UsageLedger:
        store = Store.open(store_url, now=clock)
        ledger = UsageLedger(store, load_prices(), caps, clock=clock)
        opened.append(ledger)
        return ledger

    yield make
    for ledger in opened:
        await ledger.close()
        await ledger.store.close()
