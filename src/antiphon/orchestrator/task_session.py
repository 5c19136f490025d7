"""Task sessions: the session, run and progress of a handler in a background task."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from antiphon.contracts import Envelope, ErrorType, ToolCall, ToolError, ToolResult
from antiphon.contracts.tasks import Task
from antiphon.orchestrator.session import Session, Taken
from antiphon.orchestrator.writes import Write

PROGRESS_SECONDS = 0.25
TASK_SECONDS = 3600.0


class ProgressFeed:
    """How far a task has come: the last word of it, not more often than somebody can read."""

    def __init__(self, task: Task, told: Callable[[Task, dict[str, Any]], Awaitable[None]]) -> None:
        self.task = task
        self._told = told
        self._latest: dict[str, Any] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    def note(self, progress: dict[str, Any]) -> None:
        if self._closed.is_set():
            return
        self._latest = progress
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell(), name=f"progress of {self.task.id}")

    async def _tell(self) -> None:
        while self._latest is not None:
            await self._tell_latest()
            try:
                async with asyncio.timeout(PROGRESS_SECONDS):
                    await self._closed.wait()
            except TimeoutError:
                continue
        self._telling = None

    async def _tell_latest(self) -> None:
        latest, self._latest = self._latest, None
        if latest is not None:
            await self._told(self.task, latest)

    async def close(self) -> None:
        """What was said last is told before the task is over."""
        self._closed.set()
        if self._telling is not None:
            await asyncio.wait({self._telling})
        await self._tell_latest()


class TaskSession(Session):
    """The session as a task sees it. It is there whether anybody else is or not: what has to
    reach a person or a model goes to the session itself, wherever that is by then."""

    __slots__ = ("feed",)

    feed: ProgressFeed

    @property
    def _live(self) -> Session | None:
        return self.orchestrator.sessions.get(self.id)

    def report_progress(
        self,
        tool_id: str,  # noqa: ARG002 - a session's own
        key: str,
        message: str,
        fraction: float | None,
        data: dict[str, Any],
    ) -> None:
        if key == self.feed.task.key:  # what nested calls say is not how far the task has come
            event = {**data, "message": message, "fraction": fraction}
            self.orchestrator.on_loop(self.feed.note, event)

    async def send(self, message: dict[str, Any]) -> None:
        live = self._live or await self.orchestrator.resume(self.id)
        if live is None:
            raise ConnectionError("the session has ended")
        await live.send(message)

    def queue_late_result(
        self, call: ToolCall, envelope: Envelope, taken: Taken | None = None
    ) -> None:
        live = self._live
        if live is not None:
            live.queue_late_result(call, envelope, taken)

    async def ask_client(self, name: str, args: dict[str, Any]) -> Any:
        live = self._live
        if live is None or live.call_client is None:
            raise ToolError(
                ErrorType.UNAVAILABLE, f"{name} runs in the browser, and none is connected."
            )
        return await live.call_client(name, args)


class TaskRun(Write):
    """The handler of a call at work in its task. The call itself was decided and counted before."""

    __slots__ = ()

    in_task = True

    @property
    def longest_ms(self) -> float:
        return TASK_SECONDS * 1000

    @property
    def feed(self) -> ProgressFeed:
        assert isinstance(self.session, TaskSession)
        return self.session.feed

    async def reconciled(self) -> ToolResult | None:
        """What became of an earlier attempt, if the handler can say."""
        return await self._reconciled(self.tool.handler)
