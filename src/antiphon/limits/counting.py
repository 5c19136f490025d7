"""Counting of paces and windows: pure functions from a state and a time to the next state."""

from __future__ import annotations

from collections.abc import Sequence

SLOTS = 60
# Times are sums of fractions; a difference below this is none.
_TINY = 1e-9


def pace(
    empty_at: float, now: float, amount: float, rate: float, burst: float, *, over: bool = False
) -> tuple[float, float | None]:
    """Take an amount from a bucket that holds `burst` and drains by `rate` a second.

    `empty_at` is when it has drained. Return when it has with the amount, and None; or as it was,
    and the seconds until there is room. With `over` the last amount may go beyond the burst: what
    follows waits until that has drained, too.
    """
    start = max(empty_at, now)
    full = start + amount / rate
    room = now + burst / rate - (start if over else full)
    if room > _TINY if over else room >= -_TINY:
        return full, None
    return empty_at, max(_TINY, -room) if over else -room


def pace_used(empty_at: float, now: float, rate: float) -> float:
    """How much of the burst is used."""
    return max(0.0, empty_at - now) * rate


Slots = tuple[tuple[int, int], ...]


def window(slots: Slots, now: float, most: float, seconds: float) -> tuple[Slots, float | None]:
    """Count one thing in a window that slides.

    A window is counted in slots, the oldest of which counts whole: there are never more than
    `most` in any `seconds`, and for a sixtieth of that time sometimes fewer. Return the slots with
    it, and None; or those in the window, and the seconds until there is room.
    """
    length = seconds / SLOTS
    current = int(now // length)
    kept = _in_window(slots, current)
    used = sum(count for _, count in kept)
    if used + 1 <= most:
        if kept and kept[-1][0] == current:
            return (*kept[:-1], (current, kept[-1][1] + 1)), None
        return (*kept, (current, 1)), None
    free_slot = current
    for slot, count in kept:
        used -= count
        free_slot = slot
        if used + 1 <= most:
            break
    return kept, max(_TINY, (free_slot + SLOTS + 1) * length - now)


def window_used(slots: Slots, now: float, seconds: float) -> int:
    """How many are in the window."""
    return sum(count for _, count in _in_window(slots, int(now // (seconds / SLOTS))))


def _in_window(slots: Sequence[tuple[int, int]], current: int) -> Slots:
    return tuple(each for each in slots if each[0] >= current - SLOTS)
