"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting for it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import selectors
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from typing import Any

from antiphon.storage.writer import outstanding_work
from antiphon.testing.reports import (
    DeadlockError,
    HangError,
    describe_thread,
    is_pool_thread,
    report,
)
from antiphon.testing.watchdog import is_watchdog
from antiphon.workers.pool import working_on

START = 1_800_000_000.0
PATIENCE = 0.05
_LOOK_AGAIN = 0.05


class _Timer(asyncio.TimerHandle):
    """Timers for the same instant fire in the order they were set.

    On a real clock two timers are hardly ever due at exactly the same time; here they often are,
    and a heap does not keep the order of equals.
    """

    __slots__ = ("_order",)

    def __init__(
        self,
        order: int,
        when: float,
        callback: Callable[..., Any],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: Context | None,
    ) -> None:
        super().__init__(when, callback, args, loop, context)
        self._order = order

    def __lt__(self, other: object) -> bool:
        if isinstance(other, _Timer):
            return (self.when(), self._order) < (other.when(), other._order)
        return NotImplemented


class _Selector(selectors.BaseSelector):
    """A real selector; where it would wait for a timer, it has the loop's clock moved instead."""

    loop: VirtualTimeLoop

    def __init__(self) -> None:
        self.real = selectors.DefaultSelector()

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self.real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self.real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self.real.modify(fileobj, events, data)

    def close(self) -> None:
        self.real.close()

    def get_key(self, fileobj: Any) -> selectors.SelectorKey:
        return self.real.get_key(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self.real.get_map()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.loop._check_deadline()
        if timeout is not None and timeout <= 0:
            return self.real.select(0)
        return self.loop._wait(self.real)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """`time()` starts at 0 and moves only when every task waits; then it is the next timer's.

    What happens outside the loop takes no virtual time:

    - While work in an executor, in the store, in a worker process of a tool or in a child process
      started through the loop goes on, or inside `hold`, time stands still until it is done,
      however long that really takes. Work that nobody waits for any more (its future was
      cancelled) does not count.
    - While sockets or pipes are registered, or threads run that the loop knows nothing of, the
      loop cannot tell whether anything will come. It waits `patience` real seconds before each
      jump. Both ends in one loop need hardly any of that, only what loopback takes on a busy
      machine; for a slow peer, use `hold`.
    - When no timer is set and none of these could wake the loop, that is a DeadlockError. One
      who waits for a signal holds the time meanwhile.

    Past `deadline` (by `time.monotonic`), the next turn of the loop raises a HangError.
    `time.time()` and `time.monotonic()` are not changed: code under test takes a clock.
    """

    # Of asyncio's own; BaseEventLoop keeps its timers and their resolution there.
    _scheduled: list[asyncio.TimerHandle]
    _clock_resolution: float

    def __init__(self, *, start: float = START, patience: float = PATIENCE) -> None:
        self.wall_offset = start
        self.patience = patience
        self.deadline = math.inf
        self._now = 0.0
        self._order = itertools.count()
        self._in_executor: set[asyncio.Future[Any]] = set()
        self._children: list[asyncio.SubprocessTransport] = []
        self._holds = 0
        self._blocked_until = -math.inf
        self._advances: list[tuple[float, int, asyncio.Future[None]]] = []
        self._older_threads = set(threading.enumerate())
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)
        self._own_files = len(selector.real.get_map())
        self._move(0.0)

    def wall_time(self) -> float:
        """Seconds since the epoch, as far as this loop is concerned."""
        return self.wall_offset + self.time()

    def time(self) -> float:
        return self._now

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., Any],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        timer = _Timer(next(self._order), when, callback, args, self, context)
        heapq.heappush(self._scheduled, timer)
        # asyncio counts cancelled timers by this mark.
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = super().run_in_executor(executor, func, *args)
        self._in_executor.add(future)
        future.add_done_callback(self._in_executor.discard)
        return future

    async def subprocess_exec(self, *args: Any, **kwargs: Any) -> Any:
        return self._child(await super().subprocess_exec(*args, **kwargs))

    async def subprocess_shell(self, *args: Any, **kwargs: Any) -> Any:
        return self._child(await super().subprocess_shell(*args, **kwargs))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Time stands still inside, for whatever real things the loop cannot know of."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1

    def advance(self, seconds: float, *, blocked: bool = False) -> asyncio.Future[None]:
        """Done when time has moved so far and all that was due until then has run."""
        if not 0 <= seconds < math.inf:
            raise ValueError(f"time advances by 0 or more seconds, not by {seconds!r}")
        until = self._now + seconds
        if blocked:
            self._blocked_until = max(self._blocked_until, until)
        future: asyncio.Future[None] = self.create_future()
        heapq.heappush(self._advances, (until, next(self._order), future))
        return future

    def _child(self, made: Any) -> Any:
        self._children.append(made[0])
        return made

    def _move(self, now: float) -> None:
        self._now = now
        # asyncio runs timers due before now + resolution. Its usual nanosecond would run some
        # too early, and far from 0, where it is lost in rounding, those that are due never.
        self._clock_resolution = math.ulp(now)

    def _check_deadline(self) -> None:
        if time.monotonic() > self.deadline:
            also = [*self._work(), *map(describe_thread, self._threads(pool=True))]
            raise HangError(
                report(
                    f"The test is not done in time; its virtual time is {self._now:g} s. Pending:",
                    self,
                    also,
                )
            )

    def _work(self) -> list[str]:
        """What time stands still for."""
        self._children = [c for c in self._children if c.get_returncode() is None]
        work = [f"child process {child.get_pid()}" for child in self._children]
        running = sum(not future.done() for future in self._in_executor)
        if running:
            work.append(f"{running} call(s) in an executor")
        if waits := outstanding_work(self):
            work.append(f"{waits} piece(s) of work in the store")
        if calls := working_on(self):
            work.append(f"{calls} call(s) in worker processes")
        if self._holds:
            work.append("time is held")
        return work

    def _threads(self, *, pool: bool = False) -> list[threading.Thread]:
        """Threads started since the loop was made; those of executors only if asked for."""
        return [
            thread
            for thread in threading.enumerate()
            if thread not in self._older_threads
            and not is_watchdog(thread)
            and (pool or not is_pool_thread(thread))
        ]

    def _wait(self, real: selectors.BaseSelector) -> list[tuple[selectors.SelectorKey, int]]:
        """Nothing is ready: wait for what is real, or move on to the next timer."""
        # Looked at before polling: whoever ended in between has already woken the selector.
        work = bool(self._work())
        unknown = bool(self._threads()) or len(real.get_map()) > self._own_files
        events = real.select(0)
        if events:
            return events
        while self._advances and self._advances[0][2].done():  # cancelled meanwhile
            heapq.heappop(self._advances)
        timer = self._scheduled[0].when() if self._scheduled else math.inf
        goal = self._advances[0][0] if self._advances else math.inf
        due = min(timer, goal)
        by_force = due <= self._blocked_until
        if due == math.inf or (work and not by_force):
            if not work and not unknown:
                raise DeadlockError(
                    report(
                        "Nothing can happen any more: no timer is set and no work is going on, "
                        "but these still wait:",
                        self,
                    )
                )
            left = max(0.0, self.deadline - time.monotonic())
            return real.select(min(_LOOK_AGAIN, left))
        if unknown and not by_force:
            events = real.select(self.patience)
            if events:
                return events
        self._move(max(self._now, due))
        if goal < timer:
            heapq.heappop(self._advances)[2].set_result(None)
        return []


class Clock:
    """The wall clock of a test under virtual time. All clocks of one loop agree.

    It belongs to the loop it is made in, or first used in; from then on threads may read it.
    """

    def __init__(self) -> None:
        self._loop: VirtualTimeLoop | None = None
        if asyncio._get_running_loop() is not None:
            self._bound()

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._bound().wall_time()

    def monotonic(self) -> float:
        """Seconds since the test began, which `jump` does not change."""
        return self._bound().time()

    async def advance(self, seconds: float, *, blocked: bool = False) -> None:
        """Lets time pass, and returns when all that was due until then has run.

        Work in threads and child processes is waited for on the way. With `blocked`, time passes
        although they are not done: for tests of timeouts around work that never ends.
        """
        await self._bound().advance(seconds, blocked=blocked)

    def jump(self, seconds: float) -> None:
        """Sets the wall clock forwards or backwards. No timer fires and no time passes."""
        if not math.isfinite(seconds):
            raise ValueError(f"the clock jumps by a number of seconds, not by {seconds!r}")
        self._bound().wall_offset += seconds

    @contextmanager
    def hold(self) -> Iterator[None]:
        """No time passes inside on its own: for answers from outside the loop that take a while."""
        with self._bound().hold():
            yield

    def _bound(self) -> VirtualTimeLoop:
        if self._loop is None:
            loop = asyncio._get_running_loop()
            if not isinstance(loop, VirtualTimeLoop):
                raise RuntimeError(
                    "a Clock works under virtual time: use it inside antiphon.testing.run(...)"
                )
            self._loop = loop
        return self._loop
