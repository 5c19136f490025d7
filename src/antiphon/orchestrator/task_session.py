"""Task sessions: the session and the progress feed of a handler in a background task."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from antiphon.contracts import Envelope, ErrorType, ToolCall, ToolError
from antiphon.contracts.tasks import Task
from antiphon.orchestrator.client_call import ClientRequest
from antiphon.orchestrator.session import Session, Taken

PROGRESS_SECONDS = 0.25


class ProgressFeed:
    """The progress of a task, throttled: its latest report, not more often than somebody can
    read."""

    def __init__(self, task: Task, told: Callable[[Task, dict[str, Any]], Awaitable[None]]) -> None:
        self.task = task
        self._told = told
        self._latest: dict[str, Any] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    def update(self, progress: dict[str, Any]) -> None:
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
        """Report what was said last before the task is over."""
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
            self.orchestrator.on_loop(self.feed.update, event)

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

    async def run_in_live_client(self, request: ClientRequest) -> Any:
        """Run a tool in the browser that is connected by now. Raises ToolError without one."""
        live = self._live
        if live is None or live.run_in_client is None:
            raise ToolError(
                ErrorType.UNAVAILABLE,
                f"{request.tool_id} runs in the browser, and none is connected.",
            )
        return await live.run_in_client(request)
