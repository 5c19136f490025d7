"""Paces, windows and what is open: never more than the limit, and given back whatever happens."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples
from tests.storage.helpers import Clock

from antiphon.limits.counters import MemoryCounters
from antiphon.limits.counting import pace, window

GAPS = st.lists(st.floats(0, 40, allow_nan=False), min_size=1, max_size=120)


@given(GAPS, st.integers(1, 20))
@settings(max_examples=examples(200), deadline=None)
def test_there_are_never_more_than_the_limit_in_any_window(gaps: list[float], most: int) -> None:
    now, slots = 1000.0, ()
    taken: list[float] = []
    for gap in gaps:
        now += gap
        slots, wait = window(slots, now, most, 60.0)
        if wait is None:
            taken.append(now)
        else:
            # It waits no longer than it must: at that time there is room, and not before.
            assert window(slots, now + wait, most, 60.0)[1] is None
            assert window(slots, now + wait * 0.99 - 1e-6, most, 60.0)[1] is not None
    for first, at in enumerate(taken):
        assert sum(at <= other < at + 60.0 for other in taken[first:]) <= most


@given(GAPS, st.floats(0.1, 10), st.integers(1, 30), st.lists(st.integers(1, 5), min_size=1))
@settings(max_examples=examples(200), deadline=None)
def test_a_pace_lets_through_its_burst_and_then_its_rate(
    gaps: list[float], rate: float, burst: int, amounts: list[int]
) -> None:
    now, empty_at = 50.0, 0.0
    taken: list[tuple[float, int]] = []
    for index, gap in enumerate(gaps):
        now += gap
        amount = amounts[index % len(amounts)]
        empty_at, wait = pace(empty_at, now, amount, rate, burst)
        if wait is None:
            taken.append((now, amount))
        elif amount <= burst:
            assert pace(empty_at, now + wait + 1e-6, amount, rate, burst)[1] is None
    for first, (since, _) in enumerate(taken):
        total = 0
        for at, amount in taken[first:]:
            total += amount
            assert total <= burst + rate * (at - since) + 1e-6


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 500)), min_size=1, max_size=60))
@settings(max_examples=examples(100), deadline=None)
def test_what_may_go_over_goes_over_once(given_: list[tuple[float, int]]) -> None:
    """Bytes are counted when they are there: one amount goes beyond the burst, the next waits."""
    now, empty_at, rate, burst = 0.0, 0.0, 100.0, 1000.0
    passed: list[tuple[float, int]] = []
    for gap, amount in given_:
        now += gap
        empty_at, wait = pace(empty_at, now, amount, rate, burst, over=True)
        if wait is None:
            passed.append((now, amount))
    for first, (since, _) in enumerate(passed):
        total = 0
        for at, amount in passed[first:]:
            assert total < burst + rate * (at - since) + 1e-6
            total += amount


async def test_all_counters_are_taken_or_none() -> None:
    clock = Clock(0.0)
    counters = MemoryCounters(clock)
    minute, hour = ("user", "ann", "calls_per_minute"), ("user", "ann", "calls_per_hour")
    bounds = [(minute, 5.0, 5.0), (hour, 2.0, 2.0)]
    assert await counters.take(bounds) is None
    assert await counters.take(bounds) is None
    full = await counters.take(bounds)
    assert full is not None
    assert full[0] == 1
    assert (counters.used(minute, 5), counters.used(hour, 2)) == (2, 2)
    clock.now += full[1]
    assert await counters.take(bounds) is None


async def test_a_limit_of_nothing_lets_nothing_through() -> None:
    counters = MemoryCounters(Clock(0.0))
    for name in ("requests_per_second", "calls_per_minute"):
        assert await counters.take([(("user", "ann", name), 0.0, 0.0)]) is not None
    assert counters.hold([(("user", "ann", "sockets"), 0.0, 0.0)]) == 0


async def test_counters_that_stand_at_nothing_take_no_memory() -> None:
    clock = Clock(0.0)
    counters = MemoryCounters(clock)
    sizes = []
    for number in range(10_000):
        clock.now += 1.0
        for name, most in (("requests_per_second", 5.0), ("calls_per_minute", 5.0)):
            await counters.take([(("user", f"u{number}", name), most, most)])
        sizes.append(len(counters))
    assert max(sizes) <= 4096 + 2
    assert any(after < before for before, after in pairwise(sizes))


@given(st.lists(st.sampled_from(["hold", "release"]), max_size=60), st.integers(1, 5))
@settings(max_examples=examples(100), deadline=None)
def test_as_many_are_open_as_were_held_and_not_released(steps: list[str], most: int) -> None:
    counters = MemoryCounters(Clock(0.0))
    counter = ("user", "ann", "sockets")
    held = 0
    for step in steps:
        if step == "hold":
            full = counters.hold([(counter, most, most)])
            assert (full is None) is (held < most)
            held += full is None
        elif held:
            counters.release([counter])
            held -= 1
        assert counters.used(counter, most) == held


@pytest.mark.parametrize("seconds", [60.0, 3600.0])
def test_a_window_keeps_a_slot_for_each_sixtieth_of_it(seconds: float) -> None:
    now, slots = 0.0, ()
    for _ in range(1000):
        now += seconds / 200
        slots, _ = window(slots, now, 1e9, seconds)
    assert len(slots) <= 61
