"""MCP over stdio: the registry for one client that has started this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from mcp.server.stdio import stdio_server

from antiphon.app.maintenance import running_beside
from antiphon.contracts.principal import PrincipalRefused
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.mcp.host import McpHost, McpRequest, invalid
from antiphon.server.mcp.protocol_server import make_server
from antiphon.server.security import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from antiphon.app import Application
    from antiphon.contracts import Principal

logger = logging.getLogger(__name__)

_AHEAD = 16  # lines that are read before they are answered


async def serve_stdio(application: Application, principal: Principal | None) -> None:
    """Serve an open application in a principal's name, until the client closes standard input or
    the process is told to stop."""
    sessions = HttpSessions(application.orchestrator).of(principal)

    async def todays(_: McpRequest) -> HttpSessions:
        try:
            return await host.todays(sessions)
        except PrincipalRefused as refused:
            raise invalid(refused.reason) from None

    host = McpHost(application, todays, lambda _: "of `antiphon serve`")
    made = make_server(host)
    lines = BoundedLines(_own_input(), MAX_MESSAGE_BYTES)
    serving = asyncio.ensure_future(_serve(made.server, lines))
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(each, serving.cancel)
    async with running_beside({"mcp changes": made.changes.keep()}):
        with contextlib.suppress(asyncio.CancelledError):
            await serving
    await sessions.save_all()


async def _serve(server: Any, lines: BoundedLines) -> None:
    async with stdio_server(stdin=cast(Any, lines)) as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


def _own_input() -> BinaryIO:
    """Standard input under a descriptor of its own: what handlers start must not read from it."""
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(own, "rb", closefd=False)


class BoundedLines:
    """The lines of a stream, read in a thread that ends with the process. A line that is longer
    than `most` bytes is left out, and said so on standard error."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._most = most
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(_AHEAD)
        threading.Thread(target=self._read, name="mcp stdin", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line.decode("utf-8", "replace")

    def _read(self) -> None:
        with contextlib.suppress(RuntimeError, OSError, ValueError):  # the loop has ended
            while line := self._stream.readline(self._most + 1):
                if len(line) > self._most and not line.endswith(b"\n"):
                    self._skip()
                    continue
                asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
            asyncio.run_coroutine_threadsafe(self._lines.put(None), self._loop).result()

    def _skip(self) -> None:
        while (rest := self._stream.readline(self._most)) and not rest.endswith(b"\n"):
            pass
        sys.stderr.write(f"antiphon mcp: a message of more than {self._most} bytes is left out.\n")
