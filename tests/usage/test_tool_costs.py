"""Calls of tools that have a price: paid for before they run, once, or refused by the rule."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import HeldStore, House, house
from tests.usage.counting import entries, usual

from antiphon import ErrorType, Principal, ToolCall, ToolError
from antiphon.usage.caps import UsualCaps
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.meter import UsageMeters
from antiphon.usage.prices import load_prices

PRICES = """
date = 2026-01-01
currency = "USD"
source = "A test"
[[tools]]
tool = "save_note"
call = 0.04
[[tools]]
tool = "compute"
call = 0.01
"""
CENT = 10_000_000
TODAY = date(2026, 11, 18)


@asynccontextmanager
async def priced(
    tmp_path: Path, caps: UsualCaps | None = None, **more: Any
) -> AsyncIterator[House]:
    file = tmp_path / "prices.toml"
    file.write_text(PRICES)
    prices = load_prices(file, today=TODAY)
    url = f"sqlite:///{tmp_path / 'store.db'}"
    opened = await asyncio.to_thread(HeldStore.open, url)
    ledger = UsageLedger(opened, prices, caps)
    try:
        async with house(store=url, spending=UsageMeters(ledger), **more) as found:
            yield found
        await ledger.close()
    finally:
        await opened.close()


def call(name: str, number: int = 1, **args: Any) -> ToolCall:
    return ToolCall(f"call_{number:010}", name, args)


async def spent(h: House) -> list[tuple[str, str, int]]:
    spending = h.orchestrator.spending
    assert isinstance(spending, UsageMeters)
    await spending.ledger.flush()
    found = await entries(spending.ledger.store)
    return [(each["tool"], each["state"], each["cost"]) for each in found]


@pytest.mark.rule("spending_cap")
async def test_a_call_beyond_a_cap_is_refused_before_it_runs(tmp_path: Path) -> None:
    async with priced(tmp_path, usual(user_day=5 * CENT)) as h:
        session = h.session(profile="clerk")
        assert (await session.dispatch(call("save_note", text="milk")))["ok"]
        refused = await session.dispatch(call("save_note", 2, text="bread"))
        assert refused["error"]["type"] == "BUDGET_EXCEEDED"
        assert "your spending cap for today is used up" in refused["error"]["message"]
        assert refused["error"]["resetsAt"] % 86_400 == 0  # a midnight
        assert h.work.count("save_note") == 1
        decided = [line["rule"] for line in await h.told(tool_id="save_note") if "rule" in line]
        assert decided == ["run", "spending_cap"]
        assert len(await h.lines(event="spending_refused")) == 1
        assert await spent(h) == [("save_note", "counted", 4 * CENT)]
        # What costs nothing still runs.
        assert (await session.dispatch(call("put_note", 3, text="eggs")))["ok"]


async def test_a_call_that_is_repeated_is_paid_for_once(tmp_path: Path) -> None:
    async with priced(tmp_path) as h:
        session = h.session()
        first = await session.dispatch(call("save_note", text="milk"))
        again = await session.dispatch(call("save_note", text="milk"))
        assert first["ok"]
        assert again["meta"]["replayed"]
        assert await spent(h) == [("save_note", "counted", 4 * CENT)]


async def test_a_call_that_fails_costs_the_same_and_one_that_is_refused_nothing(
    tmp_path: Path,
) -> None:
    def breaks(args: Any, context: Any) -> Any:
        raise ToolError(ErrorType.PERMANENT, "The printer is on fire.")

    async with priced(tmp_path) as h:
        h.work.does("save_note", breaks)
        session = h.session()
        assert not (await session.dispatch(call("save_note", text="milk")))["ok"]
        invalid = await session.dispatch(call("save_note", 2, nonsense=True))
        assert invalid["error"]["type"] == "VALIDATION"
        assert await spent(h) == [("save_note", "counted", 4 * CENT)]


async def test_calls_at_once_of_several_sessions_stay_within_the_cap(tmp_path: Path) -> None:
    async with priced(tmp_path, usual(organisation_month=10 * CENT)) as h:
        sessions = [
            h.session(user=user, principal=Principal(user, organisation="north"))
            for user in ("ada", "bo", "cy", "dot", "eve")
        ]
        done = await asyncio.gather(
            *(each.dispatch(call("save_note", text="milk")) for each in sessions)
        )
        assert sum(each["ok"] for each in done) == 2
        words = {each["error"]["message"] for each in done if not each["ok"]}
        assert len(words) == 1
        assert "the spending cap of your organisation for this month" in words.pop()


async def test_without_the_store_a_priced_call_is_refused(tmp_path: Path) -> None:
    async with priced(tmp_path) as h:
        spending = h.orchestrator.spending
        assert isinstance(spending, UsageMeters)
        await spending.ledger.store.close()
        refused = await h.session().dispatch(call("compute"))
        assert refused["error"]["type"] == "BUDGET_EXCEEDED"
        assert "the store does not answer" in refused["error"]["message"]
        assert "compute" not in h.work.started


async def test_a_tool_without_a_price_is_not_in_the_ledger(tmp_path: Path) -> None:
    async with priced(tmp_path) as h:
        assert (await h.session().dispatch(call("put_note", text="eggs")))["ok"]
        assert await spent(h) == []
