"""Speech meter: seconds of speech of one socket or answer, counted against the day's amount."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from antiphon.contracts.limits import LimitRefused, LimitsAway, LimitSubject
from antiphon.limits.limiter import Limiter

# Seconds are counted in advance, so much at a time, when fewer than these are left.
PIECE_SECONDS = 30.0
LOW_SECONDS = 10.0
LEAST_SECONDS = 1.0
SAMPLE_BYTES = 2

HEARD, SPOKEN = "heard_seconds_per_day", "spoken_seconds_per_day"

Spawn = Callable[[Coroutine[Any, Any, None], str], object]


class SpeechMeter:
    """Seconds of speech that were counted in the store and are not used yet.

    `open` counts the first piece; `add` is synchronous, for the way of audio: the next piece is
    counted by a task of `spawn` before this one is used up. `refused` is told, once, when there is
    no more, or when the store cannot count it. `close` gives back what was not used.
    """

    def __init__(
        self,
        limiter: Limiter,
        subject: LimitSubject,
        limit: str,
        rate: int,
        spawn: Spawn,
        refused: Callable[[str], None],
    ) -> None:
        """`rate` is that of the samples, in Hz."""
        self._limiter = limiter
        self._subject = subject
        self._limit = limit
        self._bytes_per_second = rate * SAMPLE_BYTES
        self._spawn = spawn
        self._refused = refused
        self._left = 0.0
        self._low = LOW_SECONDS
        self._counting = False
        self._closed = False
        self.used_up = False

    async def open(self) -> None:
        """Count the first piece. Raises LimitRefused and LimitsAway."""
        await self._count_piece()

    def add(self, size: int) -> None:
        """Use so many bytes of speech."""
        self._left -= size / self._bytes_per_second
        if self._left >= self._low or self.used_up or self._closed:
            return
        if not self._counting:
            self._counting = True
            self._spawn(self._count_more(), "seconds of speech")
        elif self._left < -PIECE_SECONDS:
            self._end("Seconds of speech are counted too slowly right now. Try again in a moment.")

    def _end(self, words: str) -> None:
        self.used_up = True
        self._refused(words)

    async def _count_more(self) -> None:
        try:
            await self._count_piece()
        except (LimitRefused, LimitsAway) as refused:
            if self._left > 0:
                self._low = 0.0  # what was counted is used to its end
            elif not self.used_up and not self._closed:
                self._end(str(refused))
        finally:
            self._counting = False
        if self._closed:
            await self._give_back()

    async def _count_piece(self) -> None:
        self._left += await self._limiter.take_up_to(
            self._subject, self._limit, PIECE_SECONDS, LEAST_SECONDS
        )

    async def close(self) -> None:
        """Give back what was not used."""
        self._closed = True
        await self._give_back()

    async def _give_back(self) -> None:
        left, self._left = self._left, 0.0
        await self._limiter.give_back(self._subject, self._limit, left)
