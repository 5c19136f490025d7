"""Worker processes that tests share: each of hundreds of calls would start its own otherwise."""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from antiphon.workers import WorkerPool

_runner: asyncio.Runner | None = None
_pool: WorkerPool | None = None


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine on the event loop that the shared workers belong to."""
    return _opened().run(_settled(work))


def pool() -> WorkerPool:
    assert _pool is not None
    return _pool


def pids() -> set[int]:
    """Processes that outlive a test on purpose."""
    return set() if _pool is None else set(_pool.pids)


def _opened() -> asyncio.Runner:
    global _runner, _pool
    if _runner is None:
        _runner, _pool = asyncio.Runner(), WorkerPool(idle_seconds=600)
        _runner.get_loop()
        atexit.register(_close)
    return _runner


async def _settled(work: Coroutine[Any, Any, Any]) -> Any:
    """What was killed on the way is waited for: nobody else will before the next test."""
    executor = ThreadPoolExecutor()
    asyncio.get_running_loop().set_default_executor(executor)
    try:
        return await work
    finally:
        executor.shutdown()
        for _ in range(1000):
            if not pool()._dying:
                break
            pool()._poll_dying()
            await asyncio.sleep(0.005)


def _close() -> None:
    assert _runner is not None
    # No thread can be started any more, which closing a pool would need.
    for worker in (*pool()._busy, *pool()._idle):
        worker.kill()
        worker.process.wait()
    _runner.close()


_opened()  # before any test, which would be said to leave the event loop behind
