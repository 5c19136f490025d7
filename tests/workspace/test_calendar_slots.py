"""Free slots: never in busy time, always inside the range, and none is missed."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from antiphon.workspace.calendar.slots import Period, free_slots, merge_periods, periods_overlap

# Around both changes of clocks in Berlin, so that wall clock arithmetic would show.
BEGIN = datetime(2026, 3, 27, tzinfo=UTC)
ZONES = st.sampled_from([UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")])
MINUTES = st.integers(0, 5 * 24 * 60)


@st.composite
def periods(draw: st.DrawFn) -> Period:
    one, other = sorted((draw(MINUTES), draw(MINUTES)))
    zone = draw(ZONES)
    moments = (BEGIN + timedelta(minutes=each) for each in (one, other))
    start, end = (moment.astimezone(zone) for moment in moments)
    return start, end


def seconds(period: Period) -> tuple[float, float]:
    return period[0].timestamp(), period[1].timestamp()


@given(st.lists(periods(), max_size=12), periods(), st.integers(1, 480))
def test_slots_lie_in_the_range_and_touch_no_busy_time(
    busy: list[Period], asked: Period, least: int
) -> None:
    start, end = seconds(asked)
    slots = [seconds(s) for s in free_slots(busy, *asked, timedelta(minutes=least))]
    for begin, finish in slots:
        assert start <= begin < finish <= end
        assert finish - begin >= least * 60
        for a, b in map(seconds, busy):
            assert finish <= a or begin >= b or a == b
    assert slots == sorted(slots)
    assert all(one[1] < two[0] for one, two in itertools.pairwise(slots))


@given(st.lists(periods(), max_size=8), periods(), st.integers(1, 480))
def test_no_slot_that_is_long_enough_is_missed(
    busy: list[Period], asked: Period, least: int
) -> None:
    """Every minute of the range is busy, in a slot, or in a gap that is too short."""
    start, end = (int(each) // 60 for each in seconds(asked))
    taken = [tuple(int(each) // 60 for each in seconds(period)) for period in busy]
    slots = [
        tuple(int(each) // 60 for each in seconds(s))
        for s in free_slots(busy, *asked, timedelta(minutes=least))
    ]
    edges = sorted({start, end, *(e for period in taken for e in period if start < e < end)})
    gap = 0
    for one, two in itertools.pairwise(edges):
        if any(a <= one and two <= b for a, b in taken):
            gap = 0
            continue
        gap += two - one
        if any(a <= one and two <= b for a, b in slots):
            gap = 0
        assert gap < least


@given(st.lists(periods(), max_size=12))
def test_merging_keeps_the_time_and_leaves_no_overlap(busy: list[Period]) -> None:
    found = merge_periods(busy)
    assert all(one[1] < two[0] for one, two in itertools.pairwise(found))
    for start, end in map(seconds, busy):
        if start < end:
            assert any(a.timestamp() <= start and end <= b.timestamp() for a, b in found)


def test_events_that_follow_each_other_leave_no_slot_between() -> None:
    hours = [BEGIN + timedelta(hours=n) for n in range(5)]
    slots = free_slots(
        [(hours[1], hours[2]), (hours[2], hours[3])], hours[0], hours[4], timedelta(minutes=15)
    )
    assert slots == [(hours[0], hours[1]), (hours[3], hours[4])]


def test_an_event_without_length_takes_no_time() -> None:
    noon = BEGIN + timedelta(hours=12)
    assert free_slots([(noon, noon)], BEGIN, BEGIN + timedelta(days=1), timedelta(hours=24)) == [
        (BEGIN, BEGIN + timedelta(days=1))
    ]


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 2, 30, tzinfo=berlin)
    second = first.replace(fold=1)
    busy = [(first - timedelta(hours=1), first)]
    end = second + timedelta(hours=1)
    (slot,) = free_slots(busy, first - timedelta(hours=1), end.replace(fold=1), timedelta(hours=2))
    assert slot[1] - slot[0] == timedelta(hours=2)
    assert not periods_overlap((first, first), (second, end))
