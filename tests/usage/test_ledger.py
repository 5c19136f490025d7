"""Money is set aside before it is spent, and counted once, whatever happens in between."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select
from tests.effort import examples
from tests.storage.helpers import Clock
from tests.usage.conftest import NOON, OpenLedger
from tests.usage.counting import usual

from antiphon.contracts.metering import CapWarning, Payer, SpendingRefused
from antiphon.storage import Store
from antiphon.storage.tables import usage_entries, usage_sums
from antiphon.usage.ledger import COUNTED, ESTIMATED, RELEASED, Ending, PaidItem, UsageLedger
from antiphon.usage.money import decimal
from antiphon.usage.prices import load_prices

MODEL = PaidItem("claude", "claude-sonnet-4-6")
ADA = Payer("ada", "", "assistant", "s1")
EURO = 1_000_000_000
DAY = 86_400.0


def ignore(warning: CapWarning) -> None:
    del warning


async def sums(ledger: UsageLedger) -> dict[tuple[str, str, str], tuple[int, int]]:
    await ledger.flush()

    def work(to: Connection) -> dict[tuple[str, str, str], tuple[int, int]]:
        return {
            (row.scope, row.subject, row.period): (row.spent, row.reserved)
            for row in to.execute(select(usage_sums))
        }

    return await ledger.store.run(work, writes=False)


async def states(ledger: UsageLedger) -> list[tuple[str, int]]:
    await ledger.flush()
    statement = select(usage_entries.c.state, usage_entries.c.cost).order_by(usage_entries.c.cost)
    return await ledger.store.run(
        lambda to: [(row.state, row.cost) for row in to.execute(statement)], writes=False
    )


async def test_what_is_counted_replaces_what_was_set_aside(open_ledger: OpenLedger) -> None:
    ledger = await open_ledger()
    made = await ledger.reserve(MODEL, ADA, 1000, ignore)
    assert made is not None
    found = await sums(ledger)
    assert found["user", "ada", "2026-11-18"] == (0, 1000)
    assert found["organisation", "", "2026-11"] == (0, 1000)
    assert found["agent", "assistant", "2026-11"] == (0, 1000)
    ledger.end(made, MODEL, Ending(COUNTED, 750), ignore)
    ledger.end(made, MODEL, Ending(ESTIMATED, 1000), ignore)  # the first end counts
    assert set((await sums(ledger)).values()) == {(750, 0)}
    assert await states(ledger) == [(COUNTED, 750)]


async def test_requests_at_once_over_two_nodes_never_exceed_a_cap(open_ledger: OpenLedger) -> None:
    """Each may cost 10; of 40 at once on two nodes exactly so many are let through as fit."""
    caps = usual(user_day=175)
    nodes = [await open_ledger(caps), await open_ledger(caps)]

    async def attempt(number: int) -> bool:
        ledger = nodes[number % 2]
        payer = Payer("ada", "", "assistant", f"s{number}")
        try:
            made = await ledger.reserve(MODEL, payer, 10, ignore)
        except SpendingRefused:
            return False
        assert made is not None
        ledger.end(made, MODEL, Ending(COUNTED, 10), ignore)
        return True

    passed = await asyncio.gather(*(attempt(number) for number in range(40)))
    await nodes[1].flush()
    assert sum(passed) == 17
    assert (await sums(nodes[0]))["user", "ada", "2026-11-18"] == (170, 0)


async def test_an_estimate_that_was_too_low_costs_one_request_at_the_most(
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger(usual(user_day=100))
    made = await ledger.reserve(MODEL, ADA, 60, ignore)
    assert made is not None
    ledger.end(made, MODEL, Ending(COUNTED, 130), ignore)
    with pytest.raises(SpendingRefused):
        await ledger.reserve(MODEL, ADA, 1, ignore)
    assert (await sums(ledger))["user", "ada", "2026-11-18"] == (130, 0)


async def test_a_refusal_says_which_cap_and_when_it_is_reset(open_ledger: OpenLedger) -> None:
    ledger = await open_ledger(usual(user_day=5 * EURO, agent_month=7 * EURO))
    await ledger.reserve(MODEL, ADA, 4 * EURO, ignore)
    with pytest.raises(SpendingRefused) as refused:
        await ledger.reserve(MODEL, ADA, 2 * EURO, ignore)
    assert (
        "your spending cap for today is used up (4.00 of 5.00 USD, and this may cost 2.00 USD)"
        in (refused.value.message)
    )
    assert refused.value.resets_at == datetime(2026, 11, 19, tzinfo=UTC).timestamp()
    assert refused.value.retry_after == DAY / 2
    # Another user meets the cap of the agent, and is not told what others have spent.
    with pytest.raises(SpendingRefused) as refused:
        await ledger.reserve(MODEL, Payer("bo", "", "assistant"), 4 * EURO, ignore)
    assert "of the agent assistant for this month is used up. It" in refused.value.message
    assert refused.value.resets_at == datetime(2026, 12, 1, tzinfo=UTC).timestamp()
    await ledger.store.flush()
    lines = await ledger.store.audit_lines(event="spending_refused")
    assert len(lines) == 2
    assert b'"rule":"spending_cap"' in lines[0].line


async def test_four_fifths_of_a_cap_are_warned_of_once_in_its_period(
    open_ledger: OpenLedger, clock: Clock
) -> None:
    told: list[CapWarning] = []
    ledger = await open_ledger(usual(user_day=100))
    for _ in range(4):
        await ledger.reserve(MODEL, ADA, 20, told.append)
    assert [(each.scope, each.period, each.spent) for each in told] == [
        ("user", "day", decimal(80))
    ]
    await ledger.reserve(MODEL, ADA, 20, told.append)
    assert len(told) == 1
    clock.now += DAY
    await ledger.reserve(MODEL, ADA, 90, told.append)
    assert len(told) == 2
    await ledger.store.flush()
    assert len(await ledger.store.audit_lines(event="spending_warning")) == 2


async def test_days_and_months_end_in_utc(open_ledger: OpenLedger, clock: Clock) -> None:
    ledger = await open_ledger(usual(user_day=10, user_month=15))
    clock.now = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC).timestamp()
    await ledger.reserve(MODEL, ADA, 10, ignore)
    with pytest.raises(SpendingRefused, match="today"):
        await ledger.reserve(MODEL, ADA, 1, ignore)
    clock.now += 1  # another day, and another month
    await ledger.reserve(MODEL, ADA, 10, ignore)
    clock.now += DAY
    with pytest.raises(SpendingRefused, match="this month"):
        await ledger.reserve(MODEL, ADA, 10, ignore)


async def test_a_clock_that_goes_back_gives_no_money_back(
    open_ledger: OpenLedger, clock: Clock
) -> None:
    ledger = await open_ledger(usual(user_day=10))
    await ledger.reserve(MODEL, ADA, 10, ignore)
    clock.now += DAY
    made = await ledger.reserve(MODEL, ADA, 10, ignore)
    assert made is not None
    clock.now -= DAY
    with pytest.raises(SpendingRefused):
        await ledger.reserve(MODEL, ADA, 1, ignore)
    ledger.end(made, MODEL, Ending(COUNTED, 7), ignore)  # on the day on which it was set aside
    found = await sums(ledger)
    assert found["user", "ada", "2026-11-19"] == (7, 0)
    assert found["user", "ada", "2026-11-18"] == (0, 10)


async def test_what_a_dead_process_had_set_aside_is_charged_at_its_estimate(
    open_ledger: OpenLedger,
) -> None:
    dead, alive = await open_ledger(), await open_ledger()
    await dead.reserve(MODEL, ADA, 40, ignore)
    assert await alive.recover() == 0  # it is not dead yet
    await dead.store.close()
    assert await alive.recover() == 1
    assert await alive.recover() == 0
    assert await states(alive) == [(ESTIMATED, 40)]
    assert (await sums(alive))["user", "ada", "2026-11"] == (40, 0)


async def test_a_store_that_is_away_refuses(open_ledger: OpenLedger) -> None:
    ledger = await open_ledger()
    await ledger.store.close()
    with pytest.raises(SpendingRefused) as refused:
        await ledger.reserve(MODEL, ADA, 1, ignore)
    assert refused.value.code == "store"
    assert refused.value.retry_after == 60


async def test_a_call_under_the_same_key_is_charged_once(open_ledger: OpenLedger) -> None:
    ledger, tool = await open_ledger(), PaidItem(tool="linkedin_lookup")
    assert await ledger.reserve(tool, ADA, 5, ignore, key="tool:s1/k") == "tool:s1/k"
    assert await ledger.reserve(tool, ADA, 5, ignore, key="tool:s1/k") is None
    ledger.end("tool:s1/k", tool, Ending(RELEASED), ignore)
    assert await ledger.reserve(tool, ADA, 5, ignore, key="tool:s1/k") == "tool:s1/k"
    assert (await sums(ledger))["user", "ada", "2026-11-18"] == (0, 5)


async def test_a_request_that_is_cancelled_while_it_is_reserved_leaves_nothing(
    open_ledger: OpenLedger,
) -> None:
    ledger = await open_ledger()
    task = asyncio.create_task(ledger.reserve(MODEL, ADA, 10, ignore))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set((await sums(ledger)).values()) <= {(0, 0)}


requests = st.lists(
    st.tuples(
        st.sampled_from(["ada", "bo"]),
        st.integers(0, 60),  # the estimate
        st.integers(0, 100),  # hundredths of it that it comes to
        st.sampled_from([COUNTED, ESTIMATED, RELEASED]),
        st.integers(0, 3),  # so many others are begun before it ends
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=examples(40))
@given(requests=requests, cap=st.integers(1, 200), month=st.integers(1, 300))
def test_sums_are_exact_and_no_cap_is_exceeded(
    requests: list[tuple[str, int, int, str, int]],
    cap: int,
    month: int,
    tmp_path_factory: pytest.TempPathFactory,
    sqlite_template: Path,
) -> None:
    async def play() -> None:
        path = tmp_path_factory.mktemp("sums") / "store.db"
        shutil.copy(sqlite_template, path)
        clock = Clock(NOON)
        store = Store.open(f"sqlite:///{path}", now=clock)
        caps = usual(user_day=cap, organisation_month=month)
        ledger = UsageLedger(store, load_prices(), caps, clock=clock)
        expected = {"ada": 0, "bo": 0}
        under_way: list[tuple[int, str, str, Ending]] = []
        for number, (user, estimate, hundredths, state, others) in enumerate(requests):
            for each in [entry for entry in under_way if entry[0] <= number]:
                under_way.remove(each)
                ledger.end(each[2], MODEL, each[3], ignore)
            try:
                made = await ledger.reserve(MODEL, Payer(user), estimate, ignore)
            except SpendingRefused:
                continue
            assert made is not None
            cost = {COUNTED: estimate * hundredths // 100, ESTIMATED: estimate, RELEASED: 0}[state]
            expected[user] += cost
            under_way.append((number + others, user, made, Ending(state, cost)))
        for each in under_way:
            ledger.end(each[2], MODEL, each[3], ignore)
        found = await sums(ledger)
        await ledger.close()
        await store.close()
        for user, spent in expected.items():
            assert found.get(("user", user, "2026-11-18"), (0, 0)) == (spent, 0)
            assert spent <= cap
        total = sum(expected.values())
        assert found.get(("organisation", "", "2026-11"), (0, 0)) == (total, 0)
        assert total <= month

    asyncio.run(play())
