"""Agent thread: an application on an event loop of its own, used from the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from antiphon.app.loop_thread import LoopThread

if TYPE_CHECKING:
    from antiphon.agents.text_turn import Event
    from antiphon.app import Application
    from antiphon.config import Settings
    from antiphon.contracts import Envelope
    from antiphon.contracts.definition import Mode
    from antiphon.orchestrator import Session
    from antiphon.registry import Registry

T = TypeVar("T")

# Whoever sits at the terminal of this machine; the same person as on a server without sign-in.
LOCAL_USER = "local"
WARM_SECONDS = 60.0


def opening_of(
    settings: Settings, registry: Registry
) -> Callable[[], AbstractAsyncContextManager[Application]]:
    """Return what opens the application of the command line."""

    def opening() -> Application:
        from antiphon.app import Application

        # The audit goes to the store; the file beside it belongs to the server, which adds it.
        return Application(settings, registry, source="cli")

    return opening


class AgentThread:
    """Use as a context manager, from one thread. Opening raises StoreError or KeyFileError.

    The terminal waits for keys and for Ctrl+C in its own thread, while calls that were left under
    way go on in this one's.
    """

    def __init__(
        self, opening: Callable[[], AbstractAsyncContextManager[Application]], *, warm: bool = True
    ) -> None:
        """`opening` gives the application, open. `warm`: the built-in model is loaded while nobody
        waits for it yet."""
        self._opening = opening
        self._warm = warm
        self._thread: LoopThread[Application] = LoopThread(self._opened, "chat agent")
        self.session: Session | None = None

    # -- its life ------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self._thread.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._thread.close()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Application]:
        async with self._opening() as application, self._warmed(application):
            yield application
            if self.session is not None and self.session.view.active:
                await application.orchestrator.save(self.session)

    @asynccontextmanager
    async def _warmed(self, application: Application) -> AsyncIterator[None]:
        """Load the built-in model while the person is still typing, if it is to be used; what is
        wrong with it is told when it is asked."""
        if not self._warm or application.settings.agent.backend != "local":
            yield
            return
        warming = asyncio.create_task(application.backends.provider("local").probe(WARM_SECONDS))
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)

    @property
    def _application(self) -> Application:
        return self._thread.held

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.wait(work)

    # -- talking -------------------------------------------------------------------------------

    def say(self, text: str | None, **options: Any) -> Generator[Event, None, None]:
        """The events of one turn. To stop reading, also by Ctrl+C, stops the turn.

        Raises what `TextAgent.open` does.
        """
        return self._thread.iterate(lambda: self._turn(text, options))

    async def _turn(self, text: str | None, options: dict[str, Any]) -> AsyncGenerator[Event, None]:
        if self.session is not None:
            options = {**options, "session_id": self.session.id}
        elif "session_id" not in options:
            options = {**options, "user": LOCAL_USER}
        turn = await self._application.text_agent.open(text, **options)
        self.session = turn.session
        async with aclosing(turn.events()) as found:
            async for event in found:
                yield event

    def load_servers(self) -> None:
        """Wait until the tools of MCP servers are known."""
        self._wait(self._application.mcp.loaded())

    # -- one call, without a model -----------------------------------------------------------

    def call(
        self,
        tool_id: str,
        args: dict[str, Any],
        *,
        mode: Mode = "text",
        session_id: str | None = None,
        key: str | None = None,
    ) -> Envelope | None:
        """The answer to one call, in a session of its own or in that one; None when there is no
        such session."""
        return self._wait(self._call(tool_id, args, mode, session_id, key))

    async def _call(
        self,
        tool_id: str,
        args: dict[str, Any],
        mode: Mode,
        session_id: str | None,
        key: str | None,
    ) -> Envelope | None:
        from uuid import uuid4

        from antiphon.contracts import ToolCall

        if session_id is None:
            self.session = self._application.orchestrator.session(mode, LOCAL_USER)
            self.session.append_audit("session_started", details={"via": "cli"})
        else:
            self.session = await self._application.orchestrator.resume(session_id)
        if self.session is None:
            return None
        call = ToolCall(None, tool_id, args, key or uuid4().hex)
        envelope = await self.session.dispatch(call, source="cli")
        self.session.end_turn()
        return envelope

    def end(self) -> None:
        """The session is over: nobody goes on with it."""
        if self.session is not None:
            self._wait(self.session.end("done"))

    def outcome(self, envelope: Envelope) -> Envelope:
        """Wait for the task that a call was answered with, and return its envelope; any other is
        returned as it is."""
        return self._wait(self._outcome(envelope))

    async def _outcome(self, envelope: Envelope) -> Envelope:
        background = self._application.orchestrator.background
        answer = envelope.get("data") or {}
        if background is None or not envelope["ok"] or answer.get("status") != "started":
            return envelope
        task = await background.backend.result(answer["task_id"])
        return envelope if task is None or task.envelope is None else task.envelope

    def waiting(self) -> list[dict[str, Any]]:
        """The pending confirmations of the session, oldest first."""
        return self._wait(self._waiting())

    async def _waiting(self) -> list[dict[str, Any]]:
        if self.session is None:
            return []
        return self._application.orchestrator.confirmations.waiting(self.session)

    def finish_tasks(self) -> bool:
        """Wait for what the conversation has started; True when the model is to be told of it."""
        return self._wait(self._finish_tasks())

    async def _finish_tasks(self) -> bool:
        from antiphon.contracts.tasks import UNFINISHED

        background, session = self._application.orchestrator.background, self.session
        if background is None or session is None or not session.view.active:
            return False
        tasks = background.backend
        for status in UNFINISHED:
            for task in await tasks.list(session_id=session.id, status=status):
                await tasks.result(task.id)
        return bool(session.late)

    def confirm(self, request: dict[str, Any], approve: bool) -> Envelope:
        """The person's answer, from their own channel."""
        assert self.session is not None
        return self._wait(self.session.confirm(request["id"], request["token"], approve))
