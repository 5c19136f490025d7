"""Rate counters: paces, windows and what is open at once, in the memory of one node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from antiphon.contracts.limits import KINDS
from antiphon.limits.counting import Slots, pace, pace_used, window, window_used

# A counter: whose it is (scope and name), and the name of the limit.
Counter = tuple[str, str, str]
# What a counter is held to: the most, and for a pace its burst.
Bound = tuple[Counter, float, float]

_PRUNED_AT = 4096


class RateCounters(Protocol):
    """Where rates are counted. Each method takes all counters or none: the index of the one that
    has no room is returned with the seconds until it has."""

    async def take(
        self, bounds: Sequence[Bound], amount: float = 1.0, *, over: bool = False
    ) -> tuple[int, float] | None:
        """Count an amount against paces and windows."""

    async def add(self, bounds: Sequence[Bound], amount: float) -> None:
        """Count an amount against paces, also where there is no room."""

    def hold(self, bounds: Sequence[Bound]) -> int | None:
        """Count one thing as open; return the index of the counter that has no room, else None.
        What is open is this node's to give back."""

    def release(self, counters: Sequence[Counter]) -> None:
        """Count it as closed."""

    def used(self, counter: Counter, most: float) -> float:
        """How much is used now."""


class MemoryCounters:
    """Counters of this process. Those of a restart or of another node are others."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._paces: dict[Counter, float] = {}
        self._windows: dict[Counter, Slots] = {}
        self._open: dict[Counter, int] = {}
        self._prune_at = _PRUNED_AT

    def __len__(self) -> int:
        return len(self._paces) + len(self._windows) + len(self._open)

    async def take(
        self, bounds: Sequence[Bound], amount: float = 1.0, *, over: bool = False
    ) -> tuple[int, float] | None:
        now = self._monotonic()
        paces: dict[Counter, float] = {}
        windows: dict[Counter, Slots] = {}
        for index, (counter, most, burst) in enumerate(bounds):
            kind = KINDS[counter[2]]
            wait: float | None
            if most <= 0:
                return index, kind.seconds or 1.0
            if kind.counting == "pace":
                empty_at, wait = pace(
                    self._paces.get(counter, 0.0), now, amount, most, burst, over=over
                )
                paces[counter] = empty_at
            else:
                slots, wait = window(self._windows.get(counter, ()), now, most, kind.seconds)
                windows[counter] = slots
            if wait is not None:
                return index, wait
        self._paces |= paces
        self._windows |= windows
        if len(self._paces) + len(self._windows) > self._prune_at:
            self._prune(now)
        return None

    async def add(self, bounds: Sequence[Bound], amount: float) -> None:
        now = self._monotonic()
        for counter, rate, _ in bounds:
            if rate > 0:
                self._paces[counter] = max(self._paces.get(counter, 0.0), now) + amount / rate

    def hold(self, bounds: Sequence[Bound]) -> int | None:
        for index, (counter, most, _) in enumerate(bounds):
            if self._open.get(counter, 0) + 1 > most:
                return index
        for counter, _, _ in bounds:
            self._open[counter] = self._open.get(counter, 0) + 1
        return None

    def release(self, counters: Sequence[Counter]) -> None:
        for counter in counters:
            left = self._open.get(counter, 0) - 1
            if left > 0:
                self._open[counter] = left
            else:
                self._open.pop(counter, None)

    def used(self, counter: Counter, most: float) -> float:
        kind, now = KINDS[counter[2]], self._monotonic()
        if kind.counting == "pace":
            return pace_used(self._paces.get(counter, 0.0), now, most)
        if kind.counting == "window":
            return window_used(self._windows.get(counter, ()), now, kind.seconds)
        return self._open.get(counter, 0)

    def _prune(self, now: float) -> None:
        """Drop the counters that stand at nothing."""
        self._paces = {key: at for key, at in self._paces.items() if at > now}
        self._windows = {
            key: slots
            for key, slots in self._windows.items()
            if window_used(slots, now, KINDS[key[2]].seconds)
        }
        self._prune_at = max(_PRUNED_AT, 2 * (len(self._paces) + len(self._windows)))
