"""Authentication: who makes each request and opens each socket, found out before anything else."""

from __future__ import annotations

import hmac
import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.access.errors import AccessRefused
from antiphon.contracts import Principal
from antiphon.server.lifetime import PROBES
from antiphon.server.mcp.protected_resource import challenge
from antiphon.server.mount_paths import route_path
from antiphon.server.problems import ProblemError, problem, problem_socket

logger = logging.getLogger(__name__)

PrincipalHook: TypeAlias = Callable[
    [HTTPConnection], Principal | Awaitable[Principal | None] | None
]

# Close codes of a socket whose person is not known, or not let in.
UNAUTHENTICATED, FORBIDDEN, INTERNAL_ERROR, TRY_AGAIN_LATER = 4401, 4403, 1011, 1013
_CLOSE_CODES = {401: UNAUTHENTICATED, 500: INTERNAL_ERROR, 503: TRY_AGAIN_LATER}
_KEY = "antiphon.requester"
_PREFLIGHT = "access-control-request-method"
_WORDS = "Sign in first: the application does not know who makes this request."


@dataclass(frozen=True, slots=True)
class Requester:
    """Who makes a request, and by what the server knows: `session` and `token` of its directory,
    the `host` application, the admin token (`operator`), no sign-in at all (`open`); or nobody is
    known, who may only use what is open to everybody.

    `principal` is None for the operator and where nobody is asked to sign in: both may do
    everything. `renewed` is a header that the answer brings to the browser.
    """

    kind: Literal["session", "token", "host", "operator", "open", "nobody"]
    principal: Principal | None = None
    renewed: tuple[bytes, bytes] | None = None

    @property
    def watched(self) -> Principal | None:
        """The principal whose credential the directory of this server knows, so that it can be
        looked at again; None: there is none. Those of a host application are its own."""
        return self.principal if self.kind in ("session", "token") else None


NOBODY = Requester("nobody")
OPERATOR = Requester("operator")

# Finds out who makes a request. Raises HTTPException and AccessRefused for who is not let in.
Identify: TypeAlias = Callable[[HTTPConnection], Awaitable[Requester]]


def requester_of(scope: Scope) -> Requester:
    """Who makes a request."""
    found: Requester = scope[_KEY]
    return found


def principal_of(scope: Scope) -> Principal | None:
    """The principal of a request; None where the server asks for none, and for its operator.
    Raises a 401 problem where nobody is known."""
    requester = requester_of(scope)
    if requester.kind == "nobody":
        error = ProblemError(401, "Sign in first.")
        error.headers = {"www-authenticate": challenge(scope)}
        raise error
    return requester.principal


class Authentication:
    """Finds out who makes each request, before anything else sees it.

    Who is not let in gets a problem document, or a socket that is closed with a code: 4401 where
    nobody is known, 4403, 1013 while that cannot be found out. Probes are open to all.
    """

    def __init__(self, app: ASGIApp, identify: Identify) -> None:
        self._app = app
        self._identify = identify

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope) if scope["type"] != "lifespan" else None
        if connection is None or route_path(scope) in PROBES or _is_preflight(connection):
            # A browser asks for leave in nobody's name; no route answers that method.
            await self._app({**scope, _KEY: NOBODY}, receive, send)
            return
        code: str | None = None
        scopes: tuple[str, ...] = ()
        try:
            requester = await self._identify(connection)
        except AccessRefused as refused:
            status, words, code = refused.status, refused.reason, refused.code
            scopes = refused.scopes
        except HTTPException as refusal:
            status, words = refusal.status_code, str(refusal.detail)
        except Exception as error:
            logger.error("who makes a request could not be found out", exc_info=error)
            status, words = 500, "Who makes this request could not be found out."
        else:
            scope = {**scope, _KEY: requester}
            if requester.renewed is not None and scope["type"] == "http":
                send = _bringing(requester.renewed, send)
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            closing = _CLOSE_CODES.get(status, FORBIDDEN)
            await problem_socket(scope, receive, send, closing, words)
        else:
            headers = _headers(scope, status, scopes)
            members = {} if code is None else {"code": code}
            await problem(status, words, headers, **members)(scope, receive, send)


class HostRequesters:
    """Asks the hook of the host application who makes a request. Whoever sends the admin token is
    the operator, for whom the hook is not asked."""

    def __init__(self, hook: PrincipalHook, token: Callable[[], str]) -> None:
        self._hook = hook
        self._token = token

    async def __call__(self, connection: HTTPConnection) -> Requester:
        if is_operator(bearer_of(connection), self._token()):
            return OPERATOR
        asked = self._hook(connection)
        principal = await asked if inspect.isawaitable(asked) else asked
        if principal is None:
            raise HTTPException(401, _WORDS)
        if not isinstance(principal, Principal):
            raise TypeError(
                f"`principal` gave a {type(principal).__name__}. It must return an "
                "antiphon.Principal, or None for nobody."
            )
        return Requester("host", principal)


def bearer_of(connection: HTTPConnection) -> str:
    """The token of the header `Authorization`; '' where there is none. Raises AccessRefused for
    two of them."""
    given = connection.headers.getlist("authorization")
    if len(given) > 1:
        raise AccessRefused("Send one `Authorization` header, not several.", "unknown")
    kind, _, token = (given or [""])[0].partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def is_operator(bearer: str, token: str) -> bool:
    """Whether what was shown is the admin token."""
    return hmac.compare_digest(bearer.encode("utf-8", "replace"), token.encode())


def _headers(scope: Scope, status: int, scopes: tuple[str, ...]) -> dict[str, str] | None:
    """What a refusal says beside its words: how to be let in."""
    if status == 401:
        shown = any(name == b"authorization" for name, _ in scope["headers"])
        return {"www-authenticate": challenge(scope, error="invalid_token" if shown else "")}
    if status == 403 and scopes:
        said = challenge(scope, error="insufficient_scope", scopes=scopes)
        return {"www-authenticate": said}
    return {"retry-after": "1"} if status == 503 else None


def _is_preflight(connection: HTTPConnection) -> bool:
    return connection.scope.get("method") == "OPTIONS" and _PREFLIGHT in connection.headers


def _bringing(header: tuple[bytes, bytes], send: Send) -> Send:
    """Send answers with one more header."""

    async def bringing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), header]}
        await send(message)

    return bringing
