"""Request ids of MCP sessions: one that is under way is not taken for another request.

The SDK keeps the answers of a session by their ids. A second request of the same id would take the
stream of the first, which then waits for ever.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SESSION = b"mcp-session-id"
INVALID_REQUEST = -32600
_WORDS = "A request of that id is under way in this session. Give each request an id of its own."


class DistinctRequests:
    """Refuses a request whose id another one of its session has at that moment."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: set[tuple[bytes, str]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = next((value for name, value in scope["headers"] if name == SESSION), None)
        if session is None or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        own = _id_of(body)
        # The SDK takes 7 and "7" for the same.
        key = (session, str(own))
        if key in self._under_way:
            error = {"code": INVALID_REQUEST, "message": _WORDS}
            answer = JSONResponse({"jsonrpc": "2.0", "id": own, "error": error}, 400)
            await answer(scope, receive, send)
            return
        if own is None:
            await self._app(scope, _again(body, receive), send)
            return

        async def ending(message: Message) -> None:
            # Before the client has the end of its answer: from then on the id is free.
            if message["type"] == "http.response.body" and not message.get("more_body"):
                self._under_way.discard(key)
            await send(message)

        self._under_way.add(key)
        try:
            await self._app(scope, _again(body, receive), ending)
        finally:
            self._under_way.discard(key)


def _id_of(body: bytes) -> str | int | None:
    """The id of a request; None for any other message, and for what is none."""
    try:
        message: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or "method" not in message:
        return None
    found = message.get("id")
    return found if isinstance(found, str | int) else None


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read to the next who reads it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
