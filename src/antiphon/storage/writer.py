"""Store writer: the one thread that uses the database, with group commit."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from antiphon.storage.errors import StoreError, UnstorableError, explain

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from antiphon.storage.audit_file import AuditFile
    from antiphon.storage.database import StoreDatabase

# Audit lines wait so long, or until there are so many: as many as a process can hardly make in
# that time, so that they go in with few commits however busy it is.
FLUSH_SECONDS = 0.1
FLUSH_LINES = 4096
RETRY_SECONDS = 1.0
# Lines that could not be written wait for the next try, but not without end.
KEPT_LINES = 50_000

log = logging.getLogger("antiphon.storage")

# Every open writer, so that a test's event loop can tell whether a database still owes an answer.
_WRITERS: weakref.WeakSet[StoreWriter] = weakref.WeakSet()
_WRITERS_LOCK = threading.Lock()


class Transaction:
    """An open transaction: the connection, and the audit lines to commit with it."""

    __slots__ = ("connection", "lines")

    def __init__(self, connection: Connection, lines: list[Any]) -> None:
        self.connection = connection
        self.lines = lines


class StoreWork:
    """A queued piece of work and the future of whoever waits for it."""

    __slots__ = ("error", "future", "lines", "loop", "result", "run", "writes")

    def __init__(
        self,
        run: Callable[[Transaction], Any] | None,
        *,
        writes: bool,
        lines: Sequence[Any] = (),
        loop: asyncio.AbstractEventLoop | None = None,
        future: asyncio.Future[Any] | Future[Any] | None = None,
    ) -> None:
        self.run = run
        self.writes = writes
        self.lines = lines  # audit only: kept and tried again when the transaction fails
        self.loop = loop  # None: the caller is a thread
        self.future = future  # None: nobody waits
        self.result: Any = None
        self.error: BaseException | None = None


class _Deadlock(Exception):
    """A deadlock: two nodes wait for each other's rows."""


class _Rejected(Exception):
    """The failure of a batch's only work, which has its error already."""


class StoreWriter:
    """The owner of the database connection and of its thread. Public methods are thread-safe."""

    def __init__(
        self, database: StoreDatabase, sink: AuditFile | None, now: Callable[[], float]
    ) -> None:
        self._database = database
        self.sink = sink
        self._now = now
        self.commits = 0
        self.problem: str | None = None  # why the last attempt to write failed
        self._queue: SimpleQueue[StoreWork | None] = SimpleQueue()
        self._order = threading.Lock()  # taking waiting lines and queueing them is one step
        self._closed = False
        self._awaited: set[asyncio.Future[Any]] = set()
        self._waiting: deque[Any] = deque()
        self._armed = False  # the writer knows that lines are waiting
        # The writer thread's own.
        self._kept: list[Any] = []
        self._lost = 0
        self._deadline: float | None = None
        self._sink_failing = False
        with _WRITERS_LOCK:
            _WRITERS.add(self)
        self._thread = threading.Thread(target=self._main, name="antiphon-store", daemon=True)
        self._thread.start()

    # -- called from anywhere

    def append(self, payload: Any) -> None:
        waiting = self._waiting
        waiting.append(payload)
        if not self._armed or len(waiting) >= FLUSH_LINES:
            self._arm()

    def _arm(self) -> None:
        if self._closed:
            self._waiting.clear()
            raise self._is_closed()
        if len(self._waiting) >= FLUSH_LINES:
            self._queue_waiting()
        elif not self._armed:
            self._armed = True
            self._queue.put(None)

    def _queue_waiting(self) -> None:
        with self._order:
            self._take_waiting()

    def _take_waiting(self) -> None:
        """Queue the lines that wait. The caller holds `_order`."""
        self._armed = False
        waiting = self._waiting
        if waiting:
            lines = [waiting.popleft() for _ in range(len(waiting))]
            self._queue.put(StoreWork(None, writes=True, lines=lines))

    def submit(
        self, run: Callable[[Transaction], Any] | None, *, writes: bool, after_lines: bool = False
    ) -> asyncio.Future[Any]:
        """Queue work and return a future of the running loop. Cancelling it does not stop the
        work."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._awaited.add(future)
        future.add_done_callback(self._awaited.discard)
        self._put(StoreWork(run, writes=writes, loop=loop, future=future), after_lines)
        return future

    def wait_for(self, run: Callable[[Transaction], Any], *, writes: bool) -> Any:
        """Queue work and block the calling thread until it is done; return its result."""
        future: Future[Any] = Future()
        self._put(StoreWork(run, writes=writes, future=future), after_lines=False)
        return future.result()

    def awaited_by(self, loop: asyncio.AbstractEventLoop) -> int:
        """Count the pieces of work whose results an event loop still waits for."""
        return sum(future.get_loop() is loop for future in tuple(self._awaited))

    def _put(self, work: StoreWork, after_lines: bool) -> None:
        with self._order:
            if self._closed:
                raise self._is_closed()
            if after_lines:
                self._take_waiting()
            self._queue.put(work)

    async def close(self) -> None:
        with self._order:
            if not self._closed:
                self._closed = True
                self._take_waiting()
                self._queue.put(_STOP)
        # Waiting in a thread keeps the loop free for those whose work is still being done.
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _is_closed(self) -> StoreError:
        return StoreError(f"The store at {self._database.where} is closed.")

    # -- the writer thread

    def _main(self) -> None:
        try:
            while self._turn():
                pass
            self._last_words()
        except BaseException:
            log.exception("The store's writer stopped")
        finally:
            self._reject_rest()
            self._database.close()

    def _reject_rest(self) -> None:
        """Reject what is still queued: nobody may wait for a writer that is gone."""
        with self._order:
            self._closed = True
            self._armed = False
        rest = [item for _ in range(self._queue.qsize()) if (item := self._queue.get())]
        for work in rest:
            work.error = self._is_closed()
        _settle(rest)

    def _turn(self) -> bool:
        """Wait for work and do it; return False when there will be no more."""
        batch = self._next()
        goes_on = True
        if batch and batch[-1] is _STOP:
            goes_on = False
            batch.pop()
        if batch:
            self._do(batch)
            _settle(batch)
        return goes_on

    def _next(self) -> list[StoreWork]:
        timeout = None
        if self._deadline is not None:
            timeout = max(0.0, self._deadline - time.monotonic())
        items: list[StoreWork | None] = []
        with suppress(Empty):
            items.append(self._queue.get(timeout=timeout))
        # Asked of the clock, not of the queue: a queue that never runs dry must not starve lines.
        due = self._deadline is not None and time.monotonic() >= self._deadline
        if due:
            self._deadline = None
            self._queue_waiting()
        items += [self._queue.get() for _ in range(self._queue.qsize())]
        batch = [item for item in items if item is not None]
        if len(batch) < len(items) and self._deadline is None:
            self._deadline = time.monotonic() + FLUSH_SECONDS
        if due and self._kept:
            batch.insert(0, StoreWork(None, writes=True))  # so that the kept lines are tried again
        return batch

    def _do(self, batch: list[StoreWork]) -> None:
        try:
            self._transact(batch)
        except _Deadlock:
            # Alone, a piece of work holds no row that another node could wait for.
            for work in batch:
                self._do([work])
        except _Rejected:
            self._keep(batch)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it, whatever it is
            self._note_problem(error, batch)
            for work in batch:
                work.error = self._translate(error)
            self._keep(batch)

    def _note_problem(self, error: BaseException, batch: list[StoreWork]) -> None:
        """Record that the database cannot be written; a row that it refuses is no such case."""
        if type(error).__name__ == "OperationalError" and any(work.writes for work in batch):
            self.problem = explain(error, self._database.where)

    def _transact(self, batch: list[StoreWork]) -> None:
        writes = any(work.writes for work in batch)
        lines: list[Any] = []
        if writes:
            if self._lost:
                lines.append({"event": "audit_lost", "count": self._lost})
            lines += self._kept
        database = self._database
        exported: tuple[int, list[str]] = (0, [])
        try:
            connection = database.begin(writes=writes)
            transaction = Transaction(connection, lines)
            for work in batch:
                lines.extend(work.lines)
                if work.run is not None:
                    self._one(work, transaction, alone=len(batch) == 1)
            if lines:
                exported = self._append_lines(connection, lines)
            database.commit()
        except BaseException as error:
            database.rollback()
            if len(batch) > 1 and _is_deadlock(error):
                raise _Deadlock from error
            raise
        if writes:
            self.commits += 1
            self.problem = None
            self._kept.clear()
            self._lost = 0
        if exported[1] and self.sink is not None:
            self._export(self.sink, connection, *exported)

    def _one(self, work: StoreWork, transaction: Transaction, *, alone: bool) -> None:
        """Run one piece of work in a savepoint, so that its failure is its own."""
        assert work.run is not None
        connection = transaction.connection
        mark = len(transaction.lines)
        if not alone:
            connection.exec_driver_sql("SAVEPOINT work")
        try:
            work.result = work.run(transaction)
        except Exception as error:
            if alone:
                self._note_problem(error, [work])
                work.error = self._translate(error)
                raise _Rejected from error
            # SQLite ends the whole transaction on a full disk, and a lost connection ends it too.
            if _is_deadlock(error) or not self._database.in_transaction():
                raise
            work.error = self._translate(error)
            del transaction.lines[mark:]
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT work")
        if not alone:
            connection.exec_driver_sql("RELEASE SAVEPOINT work")

    def _append_lines(
        self, connection: Connection, payloads: Iterable[Any]
    ) -> tuple[int, list[str]]:
        from antiphon.storage import audit  # loads SQLAlchemy, which is here by now

        appended = audit.append(connection, payloads, self._now)
        if self.sink is not None:
            self.sink.save(connection)
        return appended

    def _export(
        self, sink: AuditFile, connection: Connection, first: int, lines: list[str]
    ) -> None:
        try:
            sink.export(connection, first, [line.encode() for line in lines])
        except Exception as error:  # noqa: BLE001 - the lines are safe in the database
            if not self._sink_failing:
                log.error("The audit file %s falls behind: %s", sink.path, error)
            self._sink_failing = True
        else:
            self._sink_failing = False

    def _keep(self, batch: list[StoreWork]) -> None:
        for work in batch:
            self._kept.extend(work.lines)
        if (excess := len(self._kept) - KEPT_LINES) > 0:
            del self._kept[:excess]
            self._lost += excess
            log.error("%d audit lines were lost: the store cannot be written", excess)
        if self._kept:
            self._deadline = time.monotonic() + RETRY_SECONDS

    def _last_words(self) -> None:
        if self._kept:
            self._do([StoreWork(None, writes=True)])
        if self._kept:
            log.error("%d audit lines were lost: the store cannot be written", len(self._kept))
        if self.sink is not None:
            sink = self.sink
            self._do(
                [StoreWork(lambda transaction: sink.save(transaction.connection), writes=True)]
            )

    def _translate(self, error: BaseException) -> BaseException:
        """The error for whoever waits, each a copy of its own."""
        if isinstance(error, StoreError):
            return type(error)(str(error))
        if type(error).__module__.startswith("sqlalchemy."):
            return StoreError(explain(error, self._database.where))
        if isinstance(error, UnicodeError):  # half a surrogate pair, as lenient JSON lets it in
            return UnstorableError("A text that is not valid Unicode cannot be stored.")
        return error


_STOP = StoreWork(None, writes=False)


def _is_deadlock(error: BaseException) -> bool:
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return state in ("40P01", "40001")


def _settle(batch: list[StoreWork]) -> None:
    """Resolve the futures of a batch, with one wake-up for each event loop."""
    loops: dict[asyncio.AbstractEventLoop, list[StoreWork]] = {}
    for work in batch:
        if work.loop is not None:
            loops.setdefault(work.loop, []).append(work)
        elif isinstance(work.future, Future):
            if work.error is not None:
                work.future.set_exception(work.error)
            else:
                work.future.set_result(work.result)
    for loop, done in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve, done)
        except RuntimeError:
            # The loop was closed before its answer came. What was to be written is written.
            log.debug("A store's answer came after its event loop was closed")


def _resolve(done: list[StoreWork]) -> None:
    for work in done:
        future = work.future
        if future is None or future.done():
            continue
        if work.error is not None:
            future.set_exception(work.error)
        else:
            future.set_result(work.result)


def outstanding_work(loop: asyncio.AbstractEventLoop) -> int:
    """Count the pieces of database work that an event loop still waits for, over all writers."""
    with _WRITERS_LOCK:
        writers = tuple(_WRITERS)
    return sum(writer.awaited_by(loop) for writer in writers)
