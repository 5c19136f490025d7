"""Server lifetime: opened by a lifespan, by a host application, or with the first request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.types import ASGIApp, Receive, Scope, Send

from antiphon.server.mount_paths import route_path
from antiphon.server.problems import problem, problem_socket

logger = logging.getLogger(__name__)

# Probes say how the server is; they do not start it.
PROBES = frozenset({"/healthz", "/readyz"})


class ServerLifetime:
    """Keeps one context manager open in a task of its own, whoever asked for it first.

    A server that is mounted gets no lifespan events. It opens with its first request and closes
    when the event loop ends, which cancels the task; `running()` of the host does both in good
    order.
    """

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        self._opening = opening
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._stop: asyncio.Event | None = None
        self.closed = False  # by whoever ran it: requests do not open it again

    @property
    def is_open(self) -> bool:
        """Whether it has been opened and is not about to close."""
        return self._ready is not None and self._ready.done() and self._task is not None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open it, and close it when the context is left. Raises what opening raises."""
        self.closed = False
        await self.open()
        try:
            yield
        finally:
            self.closed = True
            await self.close()

    async def open(self) -> None:
        """Open it unless it is open, and wait until it is. Raises what opening raises."""
        if self._task is None:
            loop = asyncio.get_running_loop()
            self._ready, self._stop = loop.create_future(), asyncio.Event()
            self._task = loop.create_task(self._hold(self._ready, self._stop), name="server")
        assert self._ready is not None
        await asyncio.shield(self._ready)

    async def close(self) -> None:
        """Close it, and wait until that is done. Nothing happens when it is not open."""
        if self._task is not None and self._stop is not None:
            self._stop.set()
            await asyncio.wait([self._task])

    async def _hold(self, ready: asyncio.Future[None], stop: asyncio.Event) -> None:
        try:
            async with self._opening():
                ready.set_result(None)
                await stop.wait()
        except BaseException as error:
            if ready.done():
                if not isinstance(error, asyncio.CancelledError):
                    logger.error("the server did not close in good order", exc_info=error)
            elif isinstance(error, asyncio.CancelledError):
                ready.cancel()
            else:
                ready.set_exception(error)
                ready.exception()  # whoever waited may be gone
        finally:
            self._task = self._ready = self._stop = None


class OpenedServer:
    """Opens the server before its first request; one that cannot be opened answers with 503."""

    def __init__(self, app: ASGIApp, lifetime: ServerLifetime) -> None:
        self._app = app
        self._lifetime = lifetime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lifetime = self._lifetime
        if scope["type"] == "lifespan" or lifetime.is_open or route_path(scope) in PROBES:
            await self._app(scope, receive, send)
            return
        words = "The server is stopping. Try again in a moment."
        if not lifetime.closed:
            try:
                await lifetime.open()
            except Exception as error:
                logger.error("the server could not be opened", exc_info=error)
                words = "The server could not be opened. Its log says why."
            else:
                await self._app(scope, receive, send)
                return
        if scope["type"] == "websocket":
            await problem_socket(scope, receive, send, 1013, words)
        else:
            await problem(503, words, {"retry-after": "5"})(scope, receive, send)
