"""The pool of worker processes of an application: started when needed, killed when late."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

from antiphon.workers.errors import WorkerError, busy, ended, out_of_memory, timed_out, too_large
from antiphon.workers.limits import WorkerLimits, command, environment
from antiphon.workers.wire import LONGEST, FrameReader, TooLongFrame, decode, pickled

logger = logging.getLogger(__name__)

IDLE_SECONDS = 60.0
MOST_CALLS = 500  # then a worker is replaced, and with it what it may have leaked
_PIECE = 1 << 18
_LOOK_AGAIN, _LOOKS = 0.005, 400
_FOLDER = "antiphon-worker-"

# What a call hears while it runs: the message, and how to answer it (None: no answer is expected).
Answer = Callable[[Any], None]
Listener = Callable[[Any, Answer | None], None]


def default_size() -> int:
    """Return how many workers a pool has by default: one a core, at least 4 and at most 8."""
    return max(4, min(8, os.cpu_count() or 1))


class _Worker:
    """One worker process, and the call that it runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, limits: WorkerLimits) -> None:
        self.loop = loop
        self.limits = limits
        self.kept: set[str] = set()
        self.calls = 0
        self.idle_since = 0.0
        self.over = False
        self.result: asyncio.Future[Any] | None = None
        self._listener: Listener | None = None
        self._own: Callable[[Any], Any] | None = None
        self._frames = FrameReader()
        self._unsent = bytearray()
        self.folder = tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")
        ours, theirs = socket.socketpair()
        try:
            # On this thread: the worker ends when the thread ends that started it.
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                command(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env=environment(limits.network) | {"TMPDIR": self.folder},
                # A group of its own: what a handler starts is ended together with the worker.
                start_new_session=True,
            )
        except OSError:
            ours.close()
            self._remove_folder()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        self._socket = ours
        loop.add_reader(ours.fileno(), self._readable)
        self.send(("limits", limits.to_dict()))

    @property
    def pid(self) -> int:
        return self.process.pid

    def begin(
        self,
        target: str,
        args: tuple[Any, ...],
        cpu_seconds: float,
        listener: Listener | None,
        own: Callable[[Any], Any] | None,
    ) -> asyncio.Future[Any]:
        """Start a call; its future gets the result or a WorkerError."""
        self.calls += 1
        self._listener, self._own = listener, own
        self.result = self.loop.create_future()
        self.send(("call", target, args, cpu_seconds, listener is not None))
        return self.result

    def send(self, message: Any) -> None:
        frame = pickled(message)
        if not self._unsent and not self.over:
            try:
                sent = self._socket.send(frame)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                return  # it has ended; the reader will say so
            if sent == len(frame):
                return
            frame = frame[sent:]
            self.loop.add_writer(self._socket.fileno(), self._writable)
        self._unsent += frame

    def _writable(self) -> None:
        try:
            sent = self._socket.send(memoryview(self._unsent)[:_PIECE])
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            sent = len(self._unsent)
        del self._unsent[:sent]
        if not self._unsent:
            self.loop.remove_writer(self._socket.fileno())

    def _readable(self) -> None:
        try:
            data = self._socket.recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._on_disconnect(0)
            return
        try:
            for body in self._frames.feed(data):
                self._on_message(body)
        except TooLongFrame:
            self.fail(too_large(LONGEST >> 20))
        except Exception as error:  # noqa: BLE001 - whatever such a message brings about
            # No worker of ours writes this: whatever ran in it has taken it over.
            logger.warning("worker %d sent what is no message (%r) and is killed", self.pid, error)
            self.fail(WorkerError("crash", "Its worker process sent an answer that is none."))

    def _on_message(self, body: bytes) -> None:
        message = decode(body, self._own)
        if self.result is None or self.result.done():
            return  # of a call that nobody waits for any more
        if "message" in message:
            number = message.get("number")
            if self._listener is None:
                raise ValueError("a message that nobody listens to")
            self._listener(message["message"], None if number is None else self._answer_to(number))
        elif "raised" in message:
            self.result.set_exception(self._raised(message))
        else:
            self.result.set_result(message["value"])

    def _answer_to(self, number: int) -> Answer:
        # A later call of the same worker must not get this one's answers.
        mine = self.result

        def answer(value: Any) -> None:
            if self.result is mine and not self.over:
                self.send(("answer", number, value))

        return answer

    def _raised(self, message: Any) -> WorkerError:
        kind = str(message["raised"])
        if kind == "MemoryError":
            self.calls = MOST_CALLS
            return out_of_memory(self.limits.memory_mb)
        if kind == "TooLongFrame":
            return too_large(LONGEST >> 20)
        text = str(message["text"]) or kind.rpartition(".")[2]
        return WorkerError("raised", text, kind, str(message["trace"]))

    def fail(self, error: WorkerError) -> None:
        self.kill()
        if self.result is not None and not self.result.done():
            self.result.set_exception(error)

    def _on_disconnect(self, looks: int) -> None:
        """Handle a closed socket; the exit status is known a moment later."""
        self._close_socket()
        status = self.process.poll()
        if status is None and looks < _LOOKS:
            self.loop.call_later(_LOOK_AGAIN, self._on_disconnect, looks + 1)
            return
        self.fail(ended(status, self.limits.memory_mb))

    def _close_socket(self) -> None:
        if self.over:
            return
        self.over = True
        self.loop.remove_reader(self._socket.fileno())
        self.loop.remove_writer(self._socket.fileno())
        self._socket.close()

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        self._close_socket()
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._remove_folder()

    def is_reaped(self) -> bool:
        return self.process.poll() is not None

    def _remove_folder(self) -> None:
        try:
            os.rmdir(self.folder)
        except FileNotFoundError:
            return
        except OSError:
            # Not empty: off the event loop, as whatever ran there may have left a lot.
            threading.Thread(
                target=shutil.rmtree, args=(self.folder, True), name="worker-folder", daemon=True
            ).start()


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """A call in the queue for a worker."""

    worker: asyncio.Future[_Worker]
    network: bool
    extra: int


_POOLS: WeakSet[WorkerPool] = WeakSet()
_POOLS_LOCK = threading.Lock()


class WorkerPool:
    """Worker processes for one event loop. Nothing is started before the first call.

    At most `size` calls run at a time; more wait for their turn. A worker that has nothing to do
    for `idle_seconds` is ended. The pool belongs to the loop that first uses it and is closed
    there.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        limits: WorkerLimits | None = None,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.size = size or default_size()
        self.limits = limits or WorkerLimits()
        self.idle_seconds = idle_seconds
        self.closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._idle: list[_Worker] = []  # the one used last is at the end
        self._busy: set[_Worker] = set()
        self._dying: set[_Worker] = set()
        self._waiting: list[_Turn] = []
        self._timer: asyncio.TimerHandle | None = None
        self._swept = False
        with _POOLS_LOCK:
            _POOLS.add(self)

    async def __aenter__(self) -> Self:
        return self.attach()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # -- work --------------------------------------------------------------------------------

    async def run(
        self,
        target: str,
        *args: Any,
        timeout: float,  # noqa: ASYNC109 - it bounds the work, which is killed then
        raises: tuple[type[Exception], ...] = (),
    ) -> Any:
        """Run `module:function` with these arguments in a worker and return its result.

        `timeout` is in seconds and counts from now: waiting for a worker is part of it.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self.call(target, args, cpu_seconds=timeout, wait_seconds=timeout)
        except TimeoutError:
            raise timed_out(timeout) from None
        except WorkerError as error:
            for known in raises:
                if error.kind == f"{known.__module__}.{known.__qualname__}":
                    raise known(error.message) from None
            raise

    def run_from_thread(
        self,
        target: str,
        *args: Any,
        timeout: float,
        raises: tuple[type[Exception], ...] = (),
    ) -> Any:
        """Run a call from a thread other than the event loop's and wait for its result."""
        if self._loop is None:
            raise RuntimeError("the pool has no event loop yet; call `attach` on it first")
        work = self.run(target, *args, timeout=timeout, raises=raises)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def attach(self) -> Self:
        """Bind the pool to the running event loop, so that threads may use it."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            if self._loop is not None and (self._idle or self._busy):
                raise RuntimeError("a pool of workers belongs to one event loop")
            self._loop = loop
        return self

    async def call(
        self,
        target: str,
        args: tuple[Any, ...],
        *,
        cpu_seconds: float,
        wait_seconds: float,
        listener: Listener | None = None,
        own: Callable[[Any], Any] | None = None,
        once: tuple[str, Any] | None = None,
        network: bool = False,
        extra: int = 0,
    ) -> Any:
        """Run `module:function` in a worker until it ends or this is cancelled, which kills it.

        With a `listener` the function gets the worker's channel as its first argument, and what it
        says there comes to the listener; `own` reads values that only the caller knows. `once` is
        a name and a value that each worker is given the first time. `extra` workers may be started
        beyond the size of the pool: for calls that a call in a worker waits for.
        """
        worker = await self._lease(network, extra, wait_seconds)
        try:
            if once is not None and once[0] not in worker.kept:
                worker.send(("keep", *once))
                worker.kept.add(once[0])
            return await worker.begin(target, args, cpu_seconds, listener, own)
        except asyncio.CancelledError:
            worker.kill()
            raise
        finally:
            self._return_worker(worker)

    # -- leasing -----------------------------------------------------------------------------

    async def _lease(self, network: bool, extra: int, wait_seconds: float) -> _Worker:
        self.attach()
        if self.closed:
            raise _stopping()
        if extra or not self._waiting:
            worker = self._free(network, extra)
            if worker is not None:
                return worker
        assert self._loop is not None
        turn = _Turn(self._loop.create_future(), network, extra)
        self._waiting.append(turn)
        timer = self._loop.call_later(wait_seconds, _fail, turn.worker, busy(self.size))
        try:
            return await turn.worker
        except asyncio.CancelledError:
            if turn.worker.done() and not turn.worker.cancelled() and not turn.worker.exception():
                self._return_worker(turn.worker.result())  # it came just now, for nobody
            raise
        finally:
            timer.cancel()
            if turn in self._waiting:
                self._waiting.remove(turn)

    def _free(self, network: bool, extra: int) -> _Worker | None:
        """Return a worker for a call if there may be one now, else None."""
        for index in range(len(self._idle) - 1, -1, -1):
            worker = self._idle[index]
            if worker.over:
                del self._idle[index]
                self._reap(worker)
            elif worker.limits.network is network:
                del self._idle[index]
                self._busy.add(worker)
                return worker
        if len(self._busy) >= self.size + extra:
            return None
        if self._idle and len(self._busy) + len(self._idle) >= self.size + extra:
            self._retire(self._idle.pop(0))  # of the other kind
        assert self._loop is not None
        if not self._swept:
            self._swept = True
            threading.Thread(target=_sweep, name="worker-folder", daemon=True).start()
        limits = self.limits
        wanted = WorkerLimits(limits.memory_mb, limits.open_files, network, limits.folder)
        try:
            worker = _Worker(self._loop, wanted)
        except OSError as error:
            logger.error("no worker process could be started: %s", error)
            raise WorkerError(
                "crash", f"No worker process could be started: {error.strerror or error}."
            ) from error
        self._busy.add(worker)
        return worker

    def _return_worker(self, worker: _Worker) -> None:
        self._busy.discard(worker)
        worker.result = None
        if worker.over:
            self._reap(worker)
        elif worker.calls >= MOST_CALLS or self.closed or len(self._busy) >= self.size:
            self._retire(worker)
        else:
            assert self._loop is not None
            worker.idle_since = self._loop.time()
            self._idle.append(worker)
            if self._timer is None:
                self._timer = self._loop.call_later(self.idle_seconds, self._retire_idle)
        if not self.closed:
            self._wake()

    def _wake(self) -> None:
        """Lease free workers to waiting calls, first come, first served."""
        for turn in tuple(self._waiting):
            if turn.worker.done():
                continue
            try:
                worker = self._free(turn.network, turn.extra)
            except WorkerError as error:
                _fail(turn.worker, error)
                continue
            if worker is not None:
                self._waiting.remove(turn)
                turn.worker.set_result(worker)

    # -- ending ------------------------------------------------------------------------------

    def _retire_idle(self) -> None:
        assert self._loop is not None
        self._timer = None
        now = self._loop.time()
        while self._idle and now - self._idle[0].idle_since >= self.idle_seconds:
            self._retire(self._idle.pop(0))
        if self._idle:
            due = self._idle[0].idle_since + self.idle_seconds
            self._timer = self._loop.call_at(due, self._retire_idle)

    def _retire(self, worker: _Worker) -> None:
        worker.kill()
        self._reap(worker)

    def _reap(self, worker: _Worker) -> None:
        """Wait for a process that has been killed, as the system asks of its parent."""
        self._dying.add(worker)
        self._poll_dying()

    def _poll_dying(self) -> None:
        self._dying = {worker for worker in self._dying if not worker.is_reaped()}
        if self._dying and self._loop is not None and not self.closed:
            self._loop.call_later(0.05, self._poll_dying)

    async def close(self) -> None:
        """End every worker. Calls that still run are ended with an error."""
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        for worker in tuple(self._busy):
            worker.fail(_stopping())
        while self._idle:
            self._retire(self._idle.pop())
        for turn in self._waiting:
            _fail(turn.worker, _stopping())
        leaving = [*self._busy, *self._dying]
        if leaving:
            await asyncio.to_thread(_wait_for, [worker.process for worker in leaving])
        self._dying.clear()

    # -- facts -------------------------------------------------------------------------------

    @property
    def pids(self) -> list[int]:
        """Return the ids of the running processes."""
        return sorted(worker.pid for worker in (*self._busy, *self._idle) if not worker.over)

    @property
    def working(self) -> int:
        """Return how many calls run now."""
        return len(self._busy)


def _sweep() -> None:
    """Remove the folders of workers whose server was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        owner = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if not owner.isdecimal():
            continue
        try:
            os.kill(int(owner), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, OverflowError):
            continue  # of somebody else, who is there


def working_on(loop: asyncio.AbstractEventLoop) -> int:
    """Return how many calls run in workers of this event loop."""
    with _POOLS_LOCK:
        pools = tuple(_POOLS)
    return sum(pool.working for pool in pools if pool._loop is loop)


def _stopping() -> WorkerError:
    return WorkerError("crash", "The worker processes are being stopped.")


def _fail(future: asyncio.Future[Any], error: WorkerError) -> None:
    if not future.done():
        future.set_exception(error)


def _wait_for(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
