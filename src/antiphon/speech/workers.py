"""Threads for the engines: one kind of work each, bounded, and fair between conversations."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from antiphon.contracts import ErrorType
from antiphon.speech.ports import SpeechError

T = TypeVar("T")

# Jobs of one conversation that wait. Listeners and speakers have at most two under way.
MOST_WAITING = 8


class Worker:
    """Threads for one kind of work of all conversations. Close it when all are over."""

    def __init__(self, kind: str, threads: int = 1) -> None:
        self.kind = kind
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"antiphon-{kind}")
        self._guard = threading.Lock()
        # Lanes that have a job and none under way, in the order in which they get a turn.
        self._ready: deque[Lane] = deque()
        self._closed = False

    def lane(self) -> Lane:
        """Create the lane of one conversation, whose jobs run one at a time and in order."""
        return Lane(self)

    def close(self) -> None:
        """Wait for the jobs under way, which are short; queued ones are cancelled."""
        with self._guard:
            self._closed = True
            waiting = list(self._ready)
            self._ready.clear()
        for lane in waiting:
            lane.cancel()
        self._pool.shutdown(wait=True)

    # -- called by lanes

    def _submit(self, lane: Lane, job: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._guard:
            if self._closed:
                raise SpeechError(f"The {self.kind} is shut down.", ErrorType.TRANSIENT)
            if len(lane.jobs) >= MOST_WAITING:
                raise SpeechError(
                    f"The {self.kind} has too much to do for this conversation; try again later.",
                    ErrorType.TRANSIENT,
                )
            lane.jobs.append((future, job))
            if not lane.busy:
                self._queue(lane)
        return future

    def _queue(self, lane: Lane) -> None:
        lane.busy = True
        self._ready.append(lane)
        self._pool.submit(self._turn)

    def _turn(self) -> None:
        with self._guard:
            if not self._ready:
                return
            lane = self._ready.popleft()
            future, job = lane.jobs.popleft() if lane.jobs else (None, None)
        if future is not None and job is not None and future.set_running_or_notify_cancel():
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 - whoever waits for the job gets it
                future.set_exception(error)
            else:
                future.set_result(result)
        with self._guard:
            if lane.jobs and not self._closed:
                # One job, then the others' turn.
                self._queue(lane)
                return
            lane.busy = False
            left = [f for f, _ in lane.jobs]
            lane.jobs.clear()
        for waiting in left:
            waiting.cancel()


class Lane:
    """Queue of one conversation's jobs at a worker."""

    __slots__ = ("_worker", "busy", "jobs")

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.jobs: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self.busy = False

    def start(self, job: Callable[[], T]) -> asyncio.Future[T]:
        """Queue a job; cancelling the future drops it unless it runs already."""
        return asyncio.wrap_future(self._worker._submit(self, job))

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job and return its result."""
        return await self.start(job)

    def cancel(self) -> None:
        """Drop the queued jobs."""
        with self._worker._guard:
            left = [future for future, _ in self.jobs]
            self.jobs.clear()
        for future in left:
            future.cancel()
