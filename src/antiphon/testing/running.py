"""Runners of async tests: `run` in virtual time and `run_real`, both bounded and leak-checked."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from antiphon.testing.clock import PATIENCE, START, VirtualTimeLoop
from antiphon.testing.leaks import no_leaks
from antiphon.testing.reports import (
    DeadlockError,
    HangError,
    describe_task,
    describe_thread,
    remember_creation,
    report,
)
from antiphon.testing.watchdog import Watchdog

T = TypeVar("T")

# How long tasks and threads that were left get to end after they were told to.
_CLEANUP = 0.5


def run(
    main: Coroutine[Any, Any, T],
    *,
    start: float = START,
    watchdog: float = 30.0,
    patience: float = PATIENCE,
    ignore: Iterable[str] = (),
) -> T:
    """The result of a coroutine, run under virtual time that starts at `start`.

    Raises what the coroutine raises; LeakError if it leaves something behind (see `no_leaks`
    for that and for `ignore`); DeadlockError when nothing can happen any more; HangError after
    `watchdog` real seconds. See `VirtualTimeLoop` for `patience`.
    """
    _check(main)
    loop = VirtualTimeLoop(start=start, patience=patience)
    return _run(loop, main, watchdog, ignore)


def run_real(
    main: Coroutine[Any, Any, T], *, timeout: float = 30.0, ignore: Iterable[str] = ()
) -> T:
    """As `run`, but on a usual event loop and in real time, of which it has `timeout` seconds."""
    _check(main)
    return _run(asyncio.new_event_loop(), main, timeout, ignore)


def _check(main: object) -> None:
    if not asyncio.iscoroutine(main):
        raise TypeError(f"a coroutine is needed, as in run(main()), not {main!r}")
    if asyncio._get_running_loop() is not None:
        main.close()
        raise RuntimeError("this thread already runs an event loop: await the coroutine there")


def _run(
    loop: asyncio.AbstractEventLoop,
    main: Coroutine[Any, Any, T],
    seconds: float,
    ignore: Iterable[str],
) -> T:
    deadline = time.monotonic() + seconds
    workers: set[threading.Thread] = set()
    executor = ThreadPoolExecutor(
        thread_name_prefix="asyncio", initializer=lambda: workers.add(threading.current_thread())
    )
    loop.set_default_executor(executor)
    guarded = _guarded(main, ignore)
    # It stands in for the coroutine in reports.
    guarded.__qualname__ = getattr(main, "__qualname__", repr(main))  # type: ignore[attr-defined]
    task = loop.create_task(guarded, name="main")
    remember_creation(task)
    try:
        result = _watched(loop, task, seconds)
    except BaseException as error:
        for problem in _close(loop, executor, workers, deadline):
            error.add_note(problem)
        raise
    problems = _close(loop, executor, workers, deadline)
    if problems:
        raise HangError("\n".join(problems))
    return result


async def _guarded(main: Coroutine[Any, Any, T], ignore: Iterable[str]) -> T:
    async with no_leaks(ignore=ignore):
        return await main


def _watched(loop: asyncio.AbstractEventLoop, task: asyncio.Task[T], seconds: float) -> T:
    dog = Watchdog(seconds)
    try:
        dog.start()
        try:
            return _drive(loop, task, seconds)
        finally:
            dog.stop()
    except KeyboardInterrupt:
        if task.done() and not task.cancelled():
            task.exception()  # it is seen; asyncio need not complain
        if dog.blocked is None:
            raise
        raise HangError(
            report(
                "The test is not done in time, and does not let the event loop run. Pending:",
                loop,
                [dog.blocked],
            )
        ) from None


def _drive(loop: asyncio.AbstractEventLoop, task: asyncio.Future[T], seconds: float) -> T:
    """Runs a loop until a task is done, or HangError."""
    if isinstance(loop, VirtualTimeLoop):
        loop.deadline = time.monotonic() + seconds
        return loop.run_until_complete(task)
    late: list[str] = []

    def stop() -> None:
        late.append(report(f"The test is not done after {seconds:g} s. Pending:", loop))
        loop.stop()

    timer = loop.call_later(seconds, stop)
    try:
        return loop.run_until_complete(task)
    except RuntimeError:
        if late and not task.done():
            raise HangError(late[0]) from None
        raise
    finally:
        timer.cancel()


def _close(
    loop: asyncio.AbstractEventLoop,
    executor: ThreadPoolExecutor,
    workers: set[threading.Thread],
    deadline: float,
) -> list[str]:
    """Ends whatever is left, and says what does not end."""
    problems: list[str] = []
    try:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        try:
            if tasks:
                _drive(loop, asyncio.gather(*tasks, return_exceptions=True), _CLEANUP)
            _drive(loop, loop.create_task(loop.shutdown_asyncgens()), _CLEANUP)
        except (DeadlockError, HangError):
            problems += [
                f"Does not end when cancelled: {describe_task(task)}"
                for task in tasks
                if not task.done()
            ]
        executor.shutdown(wait=False, cancel_futures=True)
        until = max(deadline, time.monotonic() + _CLEANUP)
        for worker in workers:
            worker.join(max(0.0, until - time.monotonic()))
            if worker.is_alive():
                problems.append(f"Work in an executor does not end: {describe_thread(worker)}")
    finally:
        loop.close()
    return problems
