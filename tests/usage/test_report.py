"""Reports and caps are the same on every kind of store."""

from __future__ import annotations

from datetime import date

import pytest
from tests.usage.conftest import OpenLedger

from antiphon.contracts.events import Usage
from antiphon.contracts.metering import Payer, SpendingRefused, nobody_to_warn
from antiphon.contracts.owners import Owners
from antiphon.usage.cap_book import CapBook
from antiphon.usage.caps import SpendingCap
from antiphon.usage.ledger import COUNTED, RELEASED, Ending, PaidItem
from antiphon.usage.report import UsageQuery, report_usage

MODEL = PaidItem("claude", "claude-sonnet-4-6")
SAM, SUE = Payer("sam", "shop", "vox"), Payer("sue", "shop")


async def test_sums_are_exact_and_what_is_under_way_stands_apart(open_ledger: OpenLedger) -> None:
    ledger = await open_ledger()
    for payer, state, cost in ((SAM, COUNTED, 3), (SUE, COUNTED, 2**60), (SAM, RELEASED, 0)):
        made = await ledger.reserve(MODEL, payer, 10, nobody_to_warn)
        assert made is not None
        ledger.end(made, MODEL, Ending(state, cost, Usage(7, 5), 1500), nobody_to_warn)
    await ledger.reserve(MODEL, SAM, 40, nobody_to_warn)
    await ledger.flush()
    query = UsageQuery(("user", "day"), owners=Owners("sue", "shop"))
    found = await report_usage(ledger, query)
    assert [(row.group["user"], row.sums["cost"], row.sums["reserved"]) for row in found.rows] == [
        ("sam", "0.000000003", "0.00000004"),
        ("sue", "1152921504.606846976", "0.00"),
    ]
    [total] = found.totals
    assert (total.sums["requests"], total.sums["input_tokens"]) == (3, 14)
    assert (total.sums["voice_seconds"], total.sums["cost"]) == (3.0, "1152921504.606846979")
    own = await report_usage(ledger, UsageQuery(owners=Owners("bo")))
    assert (own.rows, own.totals, own.since) == ([], [], "2026-11-01")
    before = UsageQuery(since=date(2026, 11, 1), until=date(2026, 11, 17))
    assert (await report_usage(ledger, before)).rows == []


async def test_a_cap_that_is_set_holds_at_once_on_every_node(open_ledger: OpenLedger) -> None:
    one, other = await open_ledger(), await open_ledger()
    book = CapBook(one)
    for day in (100, 50):  # the second replaces the first
        await book.set(SpendingCap("shop", "user", "sam", "USD", day, None, updated_by="sue"))
    await other.reserve(MODEL, SAM, 45, nobody_to_warn)
    with pytest.raises(SpendingRefused):
        await other.reserve(MODEL, SAM, 6, nobody_to_warn)
    [state] = await book.states("shop", {"user": "sam"})
    assert (state.cap, state.spent, state.reserved, state.usual) == (50, 0, 45, False)
    assert await book.remove(SpendingCap("shop", "user", "sam", "USD", None, None), "sue")
    await other.reserve(MODEL, SAM, 6, nobody_to_warn)
    assert await book.caps("shop") == []


async def test_a_cap_in_another_currency_refuses_until_it_is_set_anew(
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger()
    await CapBook(ledger).set(SpendingCap("shop", "agent", "vox", "EUR", 10**9, None))
    with pytest.raises(SpendingRefused, match="is in EUR, and the prices are in USD"):
        await ledger.reserve(MODEL, SAM, 1, nobody_to_warn)
    await ledger.reserve(MODEL, SUE, 1, nobody_to_warn)
