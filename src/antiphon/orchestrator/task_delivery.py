"""Task delivery: messages about background tasks to the person, and their outcomes to the model."""

from __future__ import annotations

import logging
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import orjson

from antiphon.contracts import ToolCall, flat_result
from antiphon.contracts.tasks import Task, TaskBackend
from antiphon.orchestrator.session import Session
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.contracts.person_messages import (
        TaskCompleted,
        TaskMembers,
        TaskStarted,
    )
    from antiphon.orchestrator.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

REMEMBERED = 1000


class TaskDelivery:
    """Delivers the outcome of each task once to its session's person and once to its model."""

    def __init__(self, orchestrator: Orchestrator, backend: TaskBackend) -> None:
        self._orchestrator = orchestrator
        self._backend = backend
        self._waiting: dict[str, Session] = {}  # who was handed what, and has not taken it yet
        # What the store may not have noted yet when it is asked.
        self._delivered: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)

    async def announce(self, session: Session, task: Task) -> None:
        """Tell the person, if they are connected, that a task was started."""
        if session.channel is not None:
            started: TaskStarted = {
                **_members(task),
                "type": "async_task_started",
                "started_at": task.created_at,
            }
            await self._send(session, cast("dict[str, Any]", started))

    async def report_progress(self, task: Task, progress: dict[str, Any]) -> None:
        """Store how far a task is, and tell the person if they are connected."""
        progress = {**progress, "at": self._orchestrator.now()}
        try:
            progress = orjson.loads(
                orjson.dumps(progress, default=str, option=orjson.OPT_NON_STR_KEYS)
            )
            await self._backend.progress(task.id, progress)
        except (TypeError, ValueError, StoreError) as error:
            logger.error("the progress of task %s was not kept: %s", task.id, error)
        session = self._orchestrator.sessions.get(task.session_id)
        if session is not None and session.channel is not None:
            # A `TaskProgress`, with whatever the tool adds to it.
            message: dict[str, Any] = {**_members(task), "type": "async_task_progress"}
            known = {name: value for name, value in progress.items() if name not in message}
            await self._send(session, {**message, **known})

    async def deliver_undelivered(self, session: Session) -> None:
        """Deliver what was finished while the session was away."""
        for task in await self._backend.undelivered(session.id):
            await self.deliver(session, task)

    async def deliver(self, session: Session, task: Task) -> None:
        """Deliver the outcome of a task to whichever of person and model has not had it."""
        sessions, waiting = self._orchestrator.sessions, self._waiting
        gone = [known for known, each in waiting.items() if sessions.get(each.id) is not each]
        for known in gone:
            del waiting[known]
        told = {"client": task.client_told, "model": task.model_told}
        left = {
            who for who, done in told.items() if not done and (task.id, who) not in self._delivered
        }
        if task.id in waiting or not left:
            return
        waiting[task.id] = session
        assert task.envelope is not None
        envelope = task.envelope
        taken = partial(self._taken, task.id, left)
        if "model" in left:
            call = ToolCall(task.call_id, task.tool_id, task.args)
            session.queue_late_result(call, envelope, partial(taken, "model"))
        if "client" in left:
            completed: TaskCompleted = {
                **_members(task),
                "type": "async_task_complete",
                "status": task.status,
                "result": flat_result(envelope),
                "finished_at": task.finished_at,
            }
            message = cast("dict[str, Any]", completed)
            if session.channel is not None and await self._send(session, message):
                taken("client")
            else:
                session.queue_message(message, partial(taken, "client"))

    def _taken(self, id: str, left: set[str], who: str) -> None:
        left.discard(who)
        self._delivered.append((id, who))
        if not left:
            self._waiting.pop(id, None)
        if not self._orchestrator.closed:
            self._orchestrator.spawn(self._mark_delivered(id, who), f"task {id} told")

    async def _mark_delivered(self, id: str, who: str) -> None:
        try:
            await self._backend.mark_delivered(id, client=who == "client", model=who == "model")
        except StoreError as error:
            logger.error("task %s may be told twice: %s", id, error)

    async def _send(self, session: Session, message: dict[str, Any]) -> bool:
        try:
            await session.send(message)
        except Exception as error:  # noqa: BLE001
            # Channels fail in ways of their own; to us all of them mean "not delivered".
            logger.info("a message did not reach session %s: %r", session.id, error)
            return False
        return True


def _members(task: Task) -> TaskMembers:
    return {
        "task_id": task.id,
        "function": task.tool_id,
        "fn_call_id": task.call_id,
        "turn_id": task.turn,
    }
