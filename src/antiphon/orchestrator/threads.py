"""Thread pool of tools: bounded, and apart from the threads of the server itself."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

TOOL_THREADS = 16
THREAD_NAME = "antiphon-tool"


class ToolThreads(Executor):
    """Threads for handlers that are a plain `def`.

    A thread cannot be stopped: one whose call has timed out is busy until its handler returns.
    They are daemons, so that a handler that never returns does not keep the process from ending.
    """

    def __init__(self, size: int = TOOL_THREADS) -> None:
        self.size = size
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = 0
        self._busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def run(self, work: Callable[..., Any], *args: Any, seconds: float) -> Any:
        """Run `work` in a thread of the pool and return what it returns. Raises ThreadsBusy when no
        thread is free within so many seconds."""
        loop = asyncio.get_running_loop()
        if self._busy >= self.size or self._waiting:
            await self._turn(loop, seconds)
        self._busy += 1
        context = contextvars.copy_context()

        def job() -> Any:
            try:
                return context.run(work, *args)
            finally:
                # However the call has ended for whoever made it: the thread is free only now.
                _on_loop(loop, self._freed)

        return await loop.run_in_executor(self, job)

    async def _turn(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        until = loop.time() + seconds
        while self._busy >= self.size:
            turn: asyncio.Future[None] = loop.create_future()
            self._waiting.append(turn)
            timer = loop.call_at(until, _resolve, turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done():
                    self._wake()  # it was this one's turn: the next has it
                raise
            finally:
                timer.cancel()
                if turn in self._waiting:
                    self._waiting.remove(turn)
            if self._busy >= self.size and loop.time() >= until:
                raise ThreadsBusy(self.size)

    def _freed(self) -> None:
        self._busy -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    # -- what the event loop asks of an executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        # Cancelled or not: it has a thread of its own waiting for it and must be counted off.
        future.set_running_or_notify_cancel()

        def job() -> None:
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - for whoever waits
                future.set_exception(error)
            else:
                future.set_result(result)

        if self._threads < min(self._busy, self.size):
            self._threads += 1
            name = f"{THREAD_NAME}-{self._threads}"
            threading.Thread(target=self._work, name=name, daemon=True).start()
        self._jobs.put(job)
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # and with it what it holds

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let idle threads end. Those at work end when their handlers do."""
        del wait, cancel_futures
        for _ in range(self._threads):
            self._jobs.put(None)
        self._threads = 0


class ThreadsBusy(Exception):
    """No free thread for a tool, for as long as its call could wait."""

    def __init__(self, size: int) -> None:
        super().__init__(f"all {size} threads are busy")


def _resolve(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def _on_loop(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(callback)
    except RuntimeError:
        return  # the loop has been closed while the handler went on
