"""Voice slices: money for a live connection, set aside a minute at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from antiphon.contracts.events import Fault, Usage
from antiphon.contracts.metering import Meter, PaidRequest, Reservation, SpendingRefused
from antiphon.providers.faults import not_paid_for

SLICE_SECONDS = 60.0


class VoiceSlices:
    """Reservations of one live connection, each for a minute or until so much is used up.

    `begin` makes the first one, before anything is sent. From `watch` on another follows the one
    before; where there is none, whoever watches is told. `end` settles the last one.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._loop = asyncio.get_running_loop()
        self._slice: Reservation | None = None
        self._usage = Usage()
        self._since = self._counted_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._renewal: asyncio.Task[None] | None = None
        self._refused: Callable[[Fault], None] | None = None
        self._over = False

    async def begin(self) -> None:
        """Set money aside for the first slice. Raises ProviderFault."""
        try:
            reserved = await self._meter.reserve(lambda: PaidRequest(seconds=SLICE_SECONDS))
        except SpendingRefused as refused:
            raise not_paid_for(refused) from None
        self._take(reserved)
        self._counted_at = self._since

    def watch(self, refused: Callable[[Fault], None]) -> None:
        """Renew the slice from now on; `refused` is called once there is no more money."""
        self._refused = refused
        self._set_timer()

    def count(self, usage: Usage) -> None:
        """Add what the provider has counted; a slice that is used up is renewed at once."""
        own = self._usage
        for name in (
            *("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens"),
            *("audio_input_tokens", "audio_output_tokens"),
        ):
            setattr(own, name, getattr(own, name) + getattr(usage, name))
        self._counted_at = self._loop.time()
        if self._slice is not None and self._slice.is_exceeded(own):
            self._renew()

    def end(self, *, used: bool = True) -> None:
        """Settle the last slice. What was not counted when the connection ends is charged by the
        time since the last count. Without `used` nothing was sent."""
        if self._over:
            return
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        if self._renewal is not None:
            self._renewal.cancel()
        if used:
            self._settle(uncounted=self._loop.time() - self._counted_at)
        elif self._slice is not None:
            self._slice.release()
        # The connection has these slices: what both of them hold would wait for the collector.
        self._refused = self._timer = self._renewal = None

    # -- inside

    def _take(self, reserved: Reservation) -> None:
        self._slice, self._usage, self._since = reserved, Usage(), self._loop.time()

    def _settle(self, *, uncounted: float = 0.0) -> None:
        if self._slice is not None:
            seconds = self._loop.time() - self._since
            self._slice.settle(self._usage, seconds=seconds, uncounted=uncounted)
            self._slice = None

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(SLICE_SECONDS, self._renew)

    def _renew(self) -> None:
        if self._refused is not None and self._renewal is None and not self._over:
            self._renewal = self._loop.create_task(self._next(), name="voice slice")

    async def _next(self) -> None:
        assert self._refused is not None
        # The old one first: what was not needed of it is there for the next.
        self._settle()
        try:
            reserved = await self._meter.reserve(lambda: PaidRequest(seconds=SLICE_SECONDS))
        except SpendingRefused as refused:
            self._refused(not_paid_for(refused).fault)
            return
        finally:
            self._renewal = None
        self._take(reserved)
        self._set_timer()
