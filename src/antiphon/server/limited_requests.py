"""Limited requests: requests and sockets held to the limits of whoever makes them."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.contracts.limits import (
    KINDS,
    LimitReached,
    LimitRefused,
    LimitsAway,
    LimitSubject,
    subject_of,
)
from antiphon.limits.limiter import Limiter
from antiphon.server.authentication import TRY_AGAIN_LATER, requester_of
from antiphon.server.problems import problem, problem_socket

# Too many requests, and something too large.
_TOO_MANY, _TOO_LARGE = 429, 413
_AWAY_SECONDS = 5


class LimitedRequests:
    """Counts the requests, bytes and open sockets of each principal before anything is done for
    them. It stands behind authentication; who has no principal is not counted."""

    def __init__(self, app: ASGIApp, limiter: Callable[[], Limiter]) -> None:
        self._app = app
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        subject = subject_of(requester_of(scope).principal)
        if subject is None:
            await self._app(scope, receive, send)
            return
        limiter = self._limiter()
        try:
            await limiter.take_request(subject)
        except LimitRefused as refused:
            await _refuse(refused, scope, receive, send)
            return
        if scope["type"] == "http":
            await self._app(scope, _counted(receive, limiter, subject), send)
            return
        try:
            with limiter.held(subject, "sockets"):
                await self._app(scope, receive, send)
        except LimitRefused as refused:
            await _refuse(refused, scope, receive, send)


def _counted(receive: Receive, limiter: Limiter, subject: LimitSubject) -> Receive:
    """Count a body as it comes. Who is over their bytes is refused with the next request, so that
    a body that has begun is taken."""

    async def counted() -> Message:
        message = await receive()
        if body := message.get("body"):
            await limiter.note_bytes(subject, len(body))
        return message

    return counted


async def _refuse(refused: LimitRefused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await problem_socket(scope, receive, send, TRY_AGAIN_LATER, str(refused))
    else:
        await limit_problem(refused.reached)(scope, receive, send)


def limit_problem(reached: LimitReached) -> Response:
    """The problem document of a limit, with when there is room again."""
    after = reached.retry_after
    status = _TOO_LARGE if KINDS[reached.limit].counting == "size" else _TOO_MANY
    headers = {} if after is None else {"retry-after": str(after)}
    return problem(status, reached.message, headers, code="limit", **reached.members)


def install_limit_problems(app: FastAPI) -> None:
    app.add_exception_handler(LimitRefused, _refused)
    app.add_exception_handler(LimitsAway, _away)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, LimitRefused)
    return limit_problem(error.reached)


async def _away(_request: Request, error: Exception) -> Response:
    return problem(503, str(error), {"retry-after": str(_AWAY_SECONDS)})
