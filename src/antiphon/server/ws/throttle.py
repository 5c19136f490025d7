"""Rate limits of one client: bytes, messages and protocol errors."""

from __future__ import annotations

from collections.abc import Callable

from antiphon.server.ws.client_messages import ProtocolError


class Throttle:
    """Bytes run out and come back with time; the clock is only looked at when they have."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        bytes_per_second: int,
        burst_bytes: int,
        errors: int,
        error_seconds: float,
    ) -> None:
        self._clock = clock
        self._rate = bytes_per_second
        self._burst = burst_bytes
        self._left = float(burst_bytes)
        self._since = clock()
        self._errors = errors
        self._window = error_seconds
        self._window_since = self._since
        self._wrong = 0

    def has(self, size: int) -> bool:
        """Whether so many bytes are within the burst, without reading the clock."""
        return self._left >= size

    def take(self, size: int) -> None:
        """Raises ProtocolError when so many bytes are more than may come now."""
        self._left -= size
        if self._left >= 0:
            return
        now = self._clock()
        self._left = min(self._left + (now - self._since) * self._rate, float(self._burst))
        self._since = now
        if self._left < 0:
            self._left += size  # it is not taken
            raise ProtocolError(
                f"Too much at once: {self._rate} bytes a second are taken. Speech is 32000 a "
                "second; send it as it is spoken. This message was not taken."
            )

    def wrong(self) -> bool:
        """Count a protocol error; True when there are too many of them."""
        now = self._clock()
        if now - self._window_since > self._window:
            self._window_since, self._wrong = now, 0
        self._wrong += 1
        return self._wrong >= self._errors
