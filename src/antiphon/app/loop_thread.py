"""Loop thread: an event loop of its own that holds something open, used from other threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")
V = TypeVar("V")

POLL_SECONDS = 0.1


class LoopThread(Generic[T]):
    """Holds an async context open on the event loop of a thread. Use it as a context manager.

    `held` is what the context gave. Entering raises what opening it raises.
    """

    held: T

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[T]], name: str) -> None:
        self._opening = opening
        self._opened = threading.Event()
        self._problem: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._thread = threading.Thread(target=self._main, name=name)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._opened.wait()
        except BaseException:
            self.close()
            raise
        if self._problem is not None:
            self._thread.join()
            raise self._problem
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what is held, and end the thread."""
        self._opened.wait()
        if self._problem is None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _main(self) -> None:
        try:
            asyncio.run(self._hold())
        except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits for it
            self._problem = self._problem or error
        finally:
            self._opened.set()

    async def _hold(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with self._opening() as self.held:
            self._opened.set()
            await self._stop.wait()

    # -- from other threads --------------------------------------------------------------------

    def wait(self, work: Coroutine[Any, Any, V]) -> V:
        """Run a coroutine on the loop and return its result, or raise what it raises. Ctrl+C
        cancels it."""
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except KeyboardInterrupt:
            running.cancel()
            raise

    def iterate(self, values: Callable[[], AsyncGenerator[V, None]]) -> Generator[V, None, None]:
        """Yield what an async generator on the loop yields. To stop reading, also by Ctrl+C, closes
        it."""
        queue: SimpleQueue[tuple[V] | None] = SimpleQueue()
        pumping = asyncio.run_coroutine_threadsafe(_pump(values, queue), self._loop)
        over = False
        try:
            while (found := _next(queue)) is not None:
                yield found[0]
            over = True
            pumping.result()
        finally:
            if not over:
                pumping.cancel()
                while _next(queue) is not None:  # until the generator is closed
                    pass


async def _pump(
    values: Callable[[], AsyncGenerator[V, None]], queue: SimpleQueue[tuple[V] | None]
) -> None:
    """Put every value into the queue, and None behind the last."""
    try:
        async with aclosing(values()) as found:
            async for value in found:
                queue.put((value,))
    finally:
        queue.put(None)


def _next(queue: SimpleQueue[tuple[V] | None]) -> tuple[V] | None:
    while True:
        # Not for ever: a Ctrl+C that comes just before the wait would be seen only after it.
        with suppress(Empty):
            return queue.get(timeout=POLL_SECONDS)
