"""Request guard: allowed hosts and origins, body size limits, security headers."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.server.mount_paths import route_path
from antiphon.server.problems import problem

MAX_MESSAGE_BYTES = 256 * 1024
# Files that people bring from elsewhere may be larger.
FILES = (
    (re.compile(r"/api/calendar/import"), 10 * 1024 * 1024),
    (re.compile(r"/api/knowledge/[^/]{1,64}/files"), 20 * 1024 * 1024),
)

# How much of a body that is too large is taken in before that is said, and for how long.
REFUSED_BYTES = 4 * 1024 * 1024
REFUSED_SECONDS = 2.0

ANY_HOST = "*"
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(?::\d{1,5})?")

_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        b"object-src 'none'; img-src 'self' data: blob:",
    ),
    (b"permissions-policy", b"microphone=(self), camera=(), geolocation=()"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


class Guard:
    """Refuses foreign hosts, foreign origins and oversized bodies before anything else runs.

    The host check defeats DNS rebinding: a page under another name that resolves to this machine
    still sends its own name. The origin check defeats pages that call a server on loopback.
    """

    def __init__(
        self, app: ASGIApp, *, host: str, origins: Sequence[str], hosts: Sequence[str] = ()
    ) -> None:
        """`hosts` are further names to answer under; `*` leaves that check to the host app."""
        self._app = app
        bound = f"[{host}]" if ":" in host else host
        self._hosts = frozenset((*_LOOPBACK, bound.lower(), *(each.lower() for each in hosts)))
        self._any_host = ANY_HOST in hosts
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is None:
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})  # before accept: HTTP 403
            return

        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        if refusal is not None:
            if refusal.status_code == 413:
                await _taken_in(receive)
            await refusal(scope, receive, guarded_send)
            return
        if scope["method"] == "HEAD":
            # Every address that is read answers it as it would a GET; the server that holds the
            # connection knows what was asked, and sends the head alone.
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, _limited(receive, _most(scope)), guarded_send)
        except asyncio.CancelledError:
            # The server stops and waits no longer. What writes goes on in a task of its own.
            if not started:
                await _stopping()(scope, receive, guarded_send)

    def _refusal(self, scope: Scope, headers: dict[bytes, list[bytes]]) -> Response | None:
        hosts = headers.get(b"host", [])
        host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
        authority = _AUTHORITY.fullmatch(host)
        if authority is None or not (self._any_host or authority[1] in self._hosts):
            return problem(
                421,
                "This server does not answer under that host name. Use one of: "
                f"{', '.join(sorted(self._hosts))}. A server that is mounted takes further names "
                "from `hosts`.",
            )
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        own = {f"{scheme}://{host}"}
        if authority[1] not in _LOOPBACK:
            own.add(f"https://{host}")  # a proxy may have ended TLS
        for origin in headers.get(b"origin", []):
            text = origin.decode("latin-1").lower()
            if text not in own and text not in self._origins:
                return problem(
                    403,
                    "Pages of that origin may not use this server. If this one should, add it to "
                    "`origins` under [server] in antiphon.toml.",
                )
        # A page elsewhere can have a browser ask without an origin, as for an image. It cannot read
        # the answer, but the work would be done.
        sites = headers.get(b"sec-fetch-site", [])
        if (
            b"cross-site" in sites
            and b"origin" not in headers
            and route_path(scope).startswith("/api/")
        ):
            return problem(403, "Pages of other sites may not use this address.")
        # A body without a length is counted while it arrives.
        most = _most(scope)
        if any(int(n) > most for n in headers.get(b"content-length", []) if n.isdigit()):
            return problem(413, _too_large(most), {"connection": "close"})
        return None


def _stopping() -> Response:
    return problem(
        503,
        "The server is stopping. A write that had begun is finished and recorded: send the same "
        "request with the same Idempotency-Key again, and you get its outcome.",
        {"retry-after": "5", "connection": "close"},
    )


async def _taken_in(receive: Receive) -> None:
    """Take in a body that is refused, up to a bound: a connection that is closed on somebody who
    still sends is reset, and the answer lost."""
    taken = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REFUSED_SECONDS):
            while taken < REFUSED_BYTES:
                message = await receive()
                taken += len(message.get("body", b""))
                if not message.get("more_body"):
                    return


def _most(scope: Scope) -> int:
    path = route_path(scope)
    return next((most for files, most in FILES if files.fullmatch(path)), MAX_MESSAGE_BYTES)


def _too_large(most: int) -> str:
    return (
        f"A request body may have at most {most} bytes. Send less at once; a long text can be "
        "added to a knowledge database and asked about."
    )


def _limited(receive: Receive, most: int) -> Receive:
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(413, _too_large(most), {"connection": "close"})
        return message

    return limited
