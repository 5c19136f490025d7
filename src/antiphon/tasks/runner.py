"""Task runner: bounded concurrency, take-over from dead nodes, each task finished once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from antiphon.contracts import Envelope
from antiphon.contracts.owners import Owners
from antiphon.contracts.tasks import (
    OpenTasks,
    RoomCheck,
    Task,
    Tasks,
    TaskStatus,
    TaskWork,
    TooManyTasks,
    status_of,
)
from antiphon.storage import Store, StoreError
from antiphon.tasks import statements

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

AT_ONCE = 8
PER_SESSION = 32
# Of one node: what waits here waits in memory as well.
MOST_WAITING = 1000
# A tool of another version than the task was made for is left so long to a node that has the one.
OTHER_VERSION_SECONDS = 60.0
KEPT_SECONDS = 7 * 24 * 3600.0
# What others have finished is looked for so far back; sessions that come later ask by themselves.
LOOK_BACK_SECONDS = 3600.0
STOPPED_SECONDS = 0.5
RETRY_SECONDS = 1.0
POLL_SECONDS = 0.2
PAGE = 100

Result = TypeVar("Result")


class _Local:
    """A task that this node owns, from its claim to its end."""

    __slots__ = ("begun", "done", "task", "withdrawn")

    def __init__(self, task: Task) -> None:
        self.task = task
        self.begun = False
        self.withdrawn = False
        self.done = asyncio.Event()


class TaskRunner:
    """A `TaskBackend` on the tables of a store, or of another store at `url`.

    A task belongs to one node at a time. The task of a node whose lock is gone is taken over: a
    queued one is started, and for a started one `TaskWork.run` gets `again`.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], float] = time.time,
        *,
        url: str | None = None,
        at_once: int = AT_ONCE,
        per_session: int = PER_SESSION,
    ) -> None:
        self._now = now
        self._url = url
        self._keys = store.keys
        self._store: Store | None = store if url is None else None
        self._opening = asyncio.Lock()
        self._resuming = asyncio.Lock()
        self._slots = asyncio.Semaphore(at_once)
        self._per_session = per_session
        self._work: TaskWork
        self._local: dict[str, _Local] = {}
        self._running: dict[asyncio.Task[Any], _Local | None] = {}
        self._closing = False
        self._used = False

    def attach(self, work: TaskWork) -> None:
        self._work = work

    # -- what is kept --------------------------------------------------------------------------

    async def _opened(self) -> Store:
        if self._store is None:
            async with self._opening:
                if self._store is None:
                    assert self._url is not None
                    self._store = await asyncio.to_thread(
                        Store.open, self._url, now=self._now, keys=self._keys
                    )
        return self._store

    async def _ask(self, question: Callable[[Connection], Result], *, writes: bool) -> Result:
        store = await self._opened()
        return await store.run(question, writes=writes)

    async def _insist(self, question: Callable[[Connection], Result]) -> Result:
        """Run a write and retry it until the store is back."""
        while True:
            try:
                return await self._ask(question, writes=True)
            except StoreError as error:
                logger.error("a task waits for the store: %s", error)
                await asyncio.sleep(RETRY_SECONDS)

    async def get(self, id: str) -> Task | None:
        return await self._ask(lambda to: statements.get(to, id), writes=False)

    async def list(
        self,
        *,
        session_id: str | None = None,
        owners: Owners | None = None,
        tool_id: str | None = None,
        status: TaskStatus | None = None,
        limit: int = PAGE,
        before: str | None = None,
    ) -> Tasks:
        filters = {"session_id": session_id, "tool_id": tool_id, "status": status}
        return await self._ask(
            lambda to: statements.find(to, limit, before, owners, filters),
            writes=False,
        )

    async def unfinished(self) -> OpenTasks:
        return await self._ask(statements.unfinished, writes=False)

    async def undelivered(self, session_id: str) -> Tasks:
        return await self._ask(lambda to: statements.undelivered(to, session_id), writes=False)

    async def mark_delivered(self, id: str, *, client: bool = False, model: bool = False) -> None:
        await self._ask(
            lambda to: statements.mark_delivered(to, id, client=client, model=model), writes=True
        )

    async def progress(self, id: str, progress: dict[str, Any]) -> None:
        local = self._local.get(id)
        if local is None:
            return
        task, now = local.task, self._now()
        task.progress = progress
        value = statements.json(progress)
        await self._ask(lambda to: statements.progress(to, id, task.owner, value, now), writes=True)

    async def purge(self) -> None:
        before = self._now() - KEPT_SECONDS
        await self._ask(lambda to: statements.purge(to, before), writes=True)

    # -- starting ------------------------------------------------------------------------------

    async def start(self, task: Task, check: RoomCheck | None = None) -> tuple[Task, bool]:
        # In a task of its own: who asks may go away, but what was entered has to be run.
        return await asyncio.shield(self._spawn(self._enter(task, check), f"task {task.id} enters"))

    async def _enter(self, task: Task, check: RoomCheck | None) -> tuple[Task, bool]:
        if self._closing:
            raise TooManyTasks("The server is stopping and starts no more tasks.")
        if len(self._local) >= MOST_WAITING:
            raise TooManyTasks(f"{MOST_WAITING} tasks are under way already. Try again later.")
        store = await self._opened()
        task.owner = store.node
        task.created_at = task.updated_at = self._now()
        found = await store.run(lambda to: statements.insert(to, task, self._per_session, check))
        if found is task:
            raise TooManyTasks(
                f"{self._per_session} tasks of this conversation are under way already. Wait for "
                "one of them to end, or cancel one."
            )
        if found is not None:
            return found, False
        self._take_on(task, again=False)
        return task, True

    def _take_on(self, task: Task, *, again: bool) -> None:
        self._used = True
        local = self._local[task.id] = _Local(task)
        work = self._spawn(self._see_through(local, again=again), f"task {task.id}")
        self._running[work] = local

    def _spawn(self, work: Coroutine[Any, Any, Result], name: str) -> asyncio.Task[Result]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running[task] = None
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        local = self._running.pop(task)
        if local is not None and not local.withdrawn:
            self._local.pop(local.task.id, None)
            local.done.set()
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, TooManyTasks | StoreError):
            logger.error("%s failed", task.get_name(), exc_info=error)

    # -- running -------------------------------------------------------------------------------

    async def _see_through(self, local: _Local, *, again: bool) -> None:
        async with self._slots:
            if local.withdrawn:
                return
            local.begun = True
            envelope = await self._outcome(local.task, again=again)
        if envelope is not None:
            await self._settle(local.task, envelope)

    async def _outcome(self, task: Task, *, again: bool) -> Envelope | None:
        """Run a task and return its envelope; None if another node has taken it over."""
        now = self._now()
        begun = await self._insist(lambda to: statements.begin(to, task, now))
        if begun is None:
            return None
        task.status, task.attempts = begun.status, begun.attempts
        task.started_at, task.updated_at = begun.started_at, begun.updated_at
        task.cancel_requested = task.cancel_requested or begun.cancel_requested
        if task.cancel_requested and not again:
            return await self._work.withdraw(task)
        return await self._work.run(task, again=again)

    async def _settle(self, task: Task, envelope: Envelope) -> None:
        """Store the outcome of a task, then notify its session."""
        now = self._now()
        task.envelope, task.status = envelope, status_of(envelope)
        task.finished_at = task.updated_at = now
        task.args = self._work.redacted_args(task)
        if not await self._insist(lambda to: statements.finish(to, task, now)):
            logger.warning("task %s was taken over by another node; its outcome counts", task.id)
            return
        await self._work.notify_finished(task)

    # -- stopping ------------------------------------------------------------------------------

    async def cancel(self, id: str) -> Task | None:
        now = self._now()
        task = await self._ask(lambda to: statements.ask_to_stop(to, id, now), writes=True)
        if task is None or task.finished:
            return task
        local = self._local.get(id)
        if local is not None:
            self._stop(local)
        return await self.result(id, STOPPED_SECONDS)

    def _stop(self, local: _Local) -> None:
        local.task.cancel_requested = True
        if local.begun:
            self._work.stop(local.task)
        elif not local.withdrawn:
            local.withdrawn = True  # it gives way when its turn comes; its outcome is known now
            self._spawn(self._withdraw(local), f"task {local.task.id} withdrawn")

    async def _withdraw(self, local: _Local) -> None:
        try:
            await self._settle(local.task, await self._work.withdraw(local.task))
        finally:
            self._local.pop(local.task.id, None)
            local.done.set()

    async def result(self, id: str, seconds: float | None = None) -> Task | None:
        loop = asyncio.get_running_loop()
        deadline = None if seconds is None else loop.time() + seconds
        while True:
            left = None if deadline is None else deadline - loop.time()
            if (local := self._local.get(id)) is not None and (left is None or left > 0):
                try:
                    async with asyncio.timeout(left):
                        await local.done.wait()
                except TimeoutError:
                    left = 0.0
            task = await self.get(id)
            if task is None or task.finished or (left is not None and left <= 0):
                return task
            if id not in self._local:  # another node's
                await asyncio.sleep(POLL_SECONDS if left is None else min(POLL_SECONDS, left))

    # -- other nodes ---------------------------------------------------------------------------

    async def resume(self) -> None:
        async with self._resuming:
            await self._take_over()
            await self._poll_cancellations()
            await self._poll_finished_elsewhere()

    async def _take_over(self) -> None:
        """Claim the tasks of dead nodes, as far as there is room."""
        store = await self._opened()
        owners = await store.run(statements.owners, writes=False)
        others = [owner for owner in owners if owner not in ("", store.node)]
        dead = await store.dead(others) if others else []
        dead += [""] if "" in owners else []
        room = MOST_WAITING - len(self._local)
        if not dead or room <= 0 or self._closing:
            return
        left = await store.run(lambda to: statements.left_by(to, dead, room), writes=False)
        now = self._now()
        for task in left:
            if not self._work.has_tool(task) and now < task.updated_at + OTHER_VERSION_SECONDS:
                continue
            again = task.status == "running"
            if await store.run(_claiming(task, store.node, now)):
                logger.info("task %s (%s) is taken over", task.id, task.tool_id)
                task.owner = store.node
                self._take_on(task, again=again)

    async def _poll_cancellations(self) -> None:
        """Stop our tasks that were cancelled at another node."""
        ids = [each.task.id for each in self._local.values() if not each.task.cancel_requested]
        if ids:
            for found in await self._ask(
                lambda to: statements.to_be_stopped(to, ids), writes=False
            ):
                if (local := self._local.get(found)) is not None:
                    self._stop(local)

    async def _poll_finished_elsewhere(self) -> None:
        """Notify our sessions of tasks that other nodes have finished."""
        store = await self._opened()
        since = self._now() - LOOK_BACK_SECONDS
        for task in await store.run(
            lambda to: statements.finished_elsewhere(to, store.node, since, PAGE), writes=False
        ):
            await self._work.notify_finished(task)

    # -- the end -------------------------------------------------------------------------------

    async def close(self, seconds: float) -> None:
        self._closing = True
        for work, local in tuple(self._running.items()):
            if local is not None and (not local.begun or self._work.is_resumable(local.task)):
                work.cancel()
        if self._running:
            await asyncio.wait(tuple(self._running), timeout=seconds)
        for work in tuple(self._running):
            work.cancel()
        if self._running:
            await asyncio.wait(tuple(self._running), timeout=seconds)
        store = self._store
        if store is not None and self._used:
            try:
                # So that the next life need not find out that this one is over.
                await store.run(lambda to: statements.release(to, store.node))
            except StoreError as error:
                logger.error("tasks stay this node's until it is found dead: %s", error)
        if store is not None and self._url is not None:
            await store.close()


def _claiming(task: Task, owner: str, now: float) -> Callable[[Connection], bool]:
    return lambda to: statements.claim(to, task, owner, now)
