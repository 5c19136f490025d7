"""MCP endpoint: Streamable HTTP in the server, opened with its first request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from antiphon.app.maintenance import running_beside
from antiphon.extras import MissingExtra, naming_extras
from antiphon.server.authentication import principal_of, requester_of
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.lifetime import ServerLifetime
from antiphon.server.mcp.request_ids import DistinctRequests
from antiphon.server.problems import problem

if TYPE_CHECKING:
    from antiphon.app import Application
    from antiphon.server.mcp.change_notices import McpChanges

SESSION_IDLE_SECONDS = 30 * 60
MAX_SESSIONS = 1000


class McpEndpoint:
    """Answers at `/mcp`. What of it costs time or memory is loaded when somebody comes."""

    def __init__(self, application: Application, sessions: Callable[[], HttpSessions]) -> None:
        self._application = application
        self._sessions = sessions
        self._answering: DistinctRequests | None = None
        self._changes: McpChanges | None = None
        self._lifetime = ServerLifetime(self._opened)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if not self._lifetime.is_open:
            try:
                await self._lifetime.open()
            except MissingExtra as missing:
                await problem(501, str(missing))(scope, receive, send)
                return
        assert self._answering is not None
        # Space around a value is no part of it, and the SDK compares values with the body.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope = {**scope, "headers": headers, "user": _owner(scope)}
        await self._answering(scope, receive, send)

    def go_away(self) -> None:
        """End the streams on which clients listen: the server is about to stop."""
        if self._changes is not None:
            self._changes.close()

    async def close(self) -> None:
        """End every session and stream."""
        await self._lifetime.close()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        with naming_extras():
            # In a thread: it takes long enough to be heard in a conversation.
            await asyncio.to_thread(import_module, "antiphon.server.mcp.protocol_server")
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            from antiphon.server.mcp.host import McpHost
            from antiphon.server.mcp.protocol_server import make_server

        made = make_server(McpHost(self._application, self._sessions_of, _console))
        self._changes = made.changes
        manager = StreamableHTTPSessionManager(
            made.server,
            session_idle_timeout=SESSION_IDLE_SECONDS,
            max_sessions=MAX_SESSIONS,
        )
        self._answering = DistinctRequests(manager.handle_request)
        async with manager.run(), running_beside({"mcp changes": made.changes.keep()}):
            try:
                yield
            finally:
                made.changes.close()

    async def _sessions_of(self, request: Any) -> HttpSessions:
        made: Request = request.request
        return self._sessions().of(principal_of(made.scope))


def _owner(scope: Scope) -> Any:
    """Whoever makes a request, as the SDK compares it: a session is for who opened it alone."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    requester = requester_of(scope)
    principal = requester.principal
    named = requester.kind if principal is None else f"{principal.organisation}/{principal.user}"
    return AuthenticatedUser(AccessToken(token=named, client_id=named, scopes=[]))


def _console(request: Any) -> str:
    made: Request = request.request
    return str(made.base_url)
