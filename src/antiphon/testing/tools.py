"""A session to try one tool in: the real gates, an in-memory store, capabilities of your own."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.definition import Mode
from antiphon.orchestrator.orchestrator import Orchestrator
from antiphon.orchestrator.session import Session
from antiphon.registry.builder import build
from antiphon.registry.registry import Registry


class ToolSession:
    """What `tool_session` gives. `messages` and `progress` hold what the tool sent, in order."""

    def __init__(self, session: Session, tool_id: str) -> None:
        self.session = session
        self.tool_id = tool_id
        self.messages: list[dict[str, Any]] = []
        self.progress: list[dict[str, Any]] = []

    async def call(self, args: dict[str, Any] | None = None, **how: Any) -> Envelope:
        """Call the tool through every gate. `how` is passed on to `ToolCall` (id, client_key)."""
        return await self.session.dispatch(ToolCall(name=self.tool_id, args=args, **how))

    async def outcome(self, answer: Envelope, seconds: float = 20.0) -> Envelope:
        """What came of a call that was answered with the id of a task; of any other its answer."""
        background = self.session.orchestrator.background
        if not answer["ok"] or background is None or "task_id" not in answer["data"]:
            return answer
        task = await background.backend.result(answer["data"]["task_id"], seconds)
        if task is None or task.envelope is None:
            raise TimeoutError(f"{self.tool_id} did not come to its end in {seconds:g} seconds")
        return task.envelope

    async def approve(self, *, yes: bool = True) -> Envelope:
        """Answer the one open confirmation, as the person would."""
        (request,) = self.session.orchestrator.confirmations.waiting(self.session)
        return await self.session.confirm(request["id"], request["token"], yes)

    def end_turn(self) -> None:
        self.session.end_turn()

    @property
    def state(self) -> dict[str, Any]:
        return self.session.state.snapshot()


@asynccontextmanager
async def tool_session(
    directory: str | Path,
    *,
    mode: Mode = "text",
    user: str | None = None,
    now: Callable[[], float] = time.time,
    isolate: bool = True,
    **capabilities: Any,
) -> AsyncIterator[ToolSession]:
    """A session with the tool in `directory` and those beside it.

    `capabilities` are what the handler finds as `context.knowledge`, `context.calendar` and
    `context.workspace`. A tool with `"isolation": "process"` really runs in a worker process; with
    `isolate=False` it runs in this one, where a debugger and coverage see it and no limit holds.
    Raises ValueError with the findings when the tools do not build.
    """
    from antiphon.tasks import TaskRunner  # loads SQLAlchemy

    directory = Path(os.path.abspath(directory))  # noqa: ASYNC240 - a test may wait for its disk
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "tool_registry.json"
        report = build([directory.parent], out)
        if not report.ok:
            raise ValueError("\n".join(f"{f.file}: {f.message} {f.fix}" for f in report.findings))
        async with Orchestrator(
            Registry.load(out, isolate=isolate),
            capabilities=capabilities,
            now=now,
            tasks=TaskRunner,
        ) as orchestrator:
            session = orchestrator.session(mode, user)
            tried = ToolSession(session, directory.name.replace("-", "_"))
            session.channel = tried.messages.append
            orchestrator.progress_listeners.subscribe(lambda _, event: tried.progress.append(event))
            yield tried
