"""Retries: exponential back-off with jitter, and Retry-After of the service."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.net.client import HttpResponse


def is_transient(response: HttpResponse) -> bool:
    """Whether a status may go away by itself: time-outs, rate limits and faults of the server."""
    return response.status in (408, 429) or response.status >= 500


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and when a request that failed is sent again; for idempotent requests only.

    The wait is `backoff` seconds, twice as long each time, or what Retry-After asks for. A
    response that asks for more than `longest_wait` is returned as it is.
    """

    retries: int = 3
    backoff: float = 0.5
    longest_wait: float = 30.0
    retryable: Callable[[HttpResponse], bool] = is_transient

    def delay(self, tries: int, response: HttpResponse | None) -> float | None:
        """Seconds to wait after `tries` retries; None where the failure is final."""
        if response is not None and not self.retryable(response):
            return None
        if tries >= self.retries:
            return None
        asked = parse_retry_after(response.headers.get("retry-after")) if response else None
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        # Callers that failed together must not come back together.
        spread = random.uniform(0.5, 1.0)  # noqa: S311
        return min(self.backoff * float(2**tries) * spread, self.longest_wait)


def parse_retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header, from a number or a date. None where there is neither."""
    text = (value or "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
