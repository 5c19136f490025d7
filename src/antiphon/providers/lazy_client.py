"""Lazy SDK clients: made once on first use, off the event loop, and closed for certain."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyClient(Generic[T]):
    """SDK client made on first use. `make` blocks, as it imports the SDK and reads certificates, so
    it runs in a thread; after a failure it is run again."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._making: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the client. Raises what `make` does."""
        if self._making is None:
            self._making = asyncio.create_task(self._made(), name="client of an SDK")
        making = self._making
        try:
            # Whoever asks may leave: a thread cannot be stopped, and what it makes must be closed.
            return await asyncio.shield(making)
        finally:
            failed = making.done() and (making.cancelled() or making.exception() is not None)
            if failed and self._making is making:
                self._making = None

    async def _made(self) -> T:
        loaded = len(sys.modules)
        client = await asyncio.to_thread(self._make)
        if len(sys.modules) > loaded:
            # The SDK is there for good: the garbage collector, which stops every conversation
            # while it runs, need not look through it again. Once only: what is garbage at that
            # moment is never found again.
            gc.freeze()
        return client

    async def close(self) -> None:
        """Close the client, also one that is just being made."""
        making, self._making = self._making, None
        if making is not None:
            with suppress(Exception):  # then there is nothing to close, and who asked was told
                await self._close(await asyncio.shield(making))
