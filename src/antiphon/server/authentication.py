"""Authentication by the host application: the principal behind each request and socket."""

from __future__ import annotations

import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from antiphon.contracts import Principal
from antiphon.server.lifetime import PROBES
from antiphon.server.mount_paths import route_path
from antiphon.server.problems import problem, problem_socket

logger = logging.getLogger(__name__)

PrincipalHook: TypeAlias = Callable[
    [HTTPConnection], Principal | Awaitable[Principal | None] | None
]

# Close codes of a socket whose person is not known, or not let in.
UNAUTHENTICATED, FORBIDDEN, INTERNAL_ERROR = 4401, 4403, 1011
_KEY = "antiphon.principal"
_PREFLIGHT = "access-control-request-method"
_WORDS = "Sign in first: the application does not know who makes this request."


def principal_of(scope: Scope) -> Principal | None:
    """The principal of a request; None where the server asks for none, and for its operator."""
    found: Principal | None = scope.get(_KEY)
    return found


class Authentication:
    """Asks the hook who makes each request, before anything else sees it.

    Nobody is a 401 problem document, or the close code 4401 of a socket; an HTTPException of the
    hook keeps its status and words. Whoever sends the admin token is the operator, for whom the
    hook is not asked. Probes are open to all.
    """

    def __init__(self, app: ASGIApp, hook: PrincipalHook, token: Callable[[], str]) -> None:
        self._app = app
        self._hook = hook
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or route_path(scope) in PROBES:
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if scope.get("method") == "OPTIONS" and _PREFLIGHT in connection.headers:
            # A browser asks for leave in nobody's name; no route answers this method.
            await self._app(scope, receive, send)
            return
        status, words = 401, _WORDS
        if self._is_operator(connection):
            await self._app({**scope, _KEY: None}, receive, send)
            return
        try:
            asked = self._hook(connection)
            principal = await asked if inspect.isawaitable(asked) else asked
            if principal is not None and not isinstance(principal, Principal):
                raise TypeError(
                    f"`principal` gave a {type(principal).__name__}. It must return an "
                    "antiphon.Principal, or None for nobody."
                )
        except HTTPException as refusal:
            status, words = refusal.status_code, str(refusal.detail)
        except Exception as error:
            logger.error("the hook `principal` failed", exc_info=error)
            status, words = 500, "Who makes this request could not be found out."
        else:
            if principal is not None:
                await self._app({**scope, _KEY: principal}, receive, send)
                return
        if scope["type"] == "websocket":
            codes = {401: UNAUTHENTICATED, 500: INTERNAL_ERROR}
            await problem_socket(receive, send, codes.get(status, FORBIDDEN), words)
        else:
            headers = {"www-authenticate": "Bearer"} if status == 401 else None
            await problem(status, words, headers)(scope, receive, send)

    def _is_operator(self, connection: HTTPConnection) -> bool:
        kind, _, given = connection.headers.get("authorization", "").partition(" ")
        token = given.strip().encode("utf-8", "replace")
        return kind.lower() == "bearer" and hmac.compare_digest(token, self._token().encode())
