"""Request guard: allowed hosts and origins, body size limits, security headers."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from typing import TypeAlias

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.config.binding import is_loopback
from antiphon.server.forwarded import LOOPBACK_NAMES, Proxies, plain_address, scheme_of
from antiphon.server.mount_paths import route_path
from antiphon.server.problems import problem

Header: TypeAlias = tuple[bytes, bytes]

MAX_MESSAGE_BYTES = 256 * 1024
# Files that people bring from elsewhere may be larger; nobody who signs in needs much.
FILES = (
    (re.compile(r"/api/sign-in(?:/.*)?|/api/account/password"), 8 * 1024),
    (re.compile(r"/api/calendar/import"), 10 * 1024 * 1024),
    (re.compile(r"/api/knowledge/[^/]{1,64}/files"), 20 * 1024 * 1024),
)

# How much of a body that is too large is taken in before that is said, and for how long.
REFUSED_BYTES = 4 * 1024 * 1024
REFUSED_SECONDS = 2.0

ANY_HOST = "*"
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(?::(\d{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Whoever signs in elsewhere is sent back here by a page of another site.
_COME_BACK = "/api/sign-in/"

# Headers of every answer, those of errors included.
EVERY_ANSWER = [
    (
        b"content-security-policy",
        b"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        b"object-src 'none'; img-src 'self' data: blob:; require-trusted-types-for 'script'; "
        b"trusted-types antiphon dompurify",
    ),
    (b"permissions-policy", b"microphone=(self), camera=(), geolocation=()"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_PRIVATE = (b"cache-control", b"no-store")
_HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class Guard:
    """Refuses foreign hosts, foreign origins and oversized bodies before anything else runs.

    The host check defeats DNS rebinding: a page under another name that resolves to this machine
    still sends its own name. The origin check defeats pages that call a server on loopback. Both
    look at the port as well.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str,
        origins: Sequence[str],
        hosts: Sequence[str] = (),
        proxies: Sequence[str] = (),
    ) -> None:
        """`hosts` are further names to answer under, with a port or at that of the socket and the
        usual one; `*` leaves that check to the host app. `proxies` are networks whose forwarded
        headers are believed."""
        self._app = app
        self._proxies = Proxies(proxies)
        bound = f"[{host}]" if ":" in host else host
        self._bound = frozenset((*LOOPBACK_NAMES, bound.lower()))
        self._hosts = frozenset(each.lower() for each in hosts)
        self._any_host = ANY_HOST in hosts
        self._origins = frozenset(origins)
        # An address that others reach is answered under, too: a name can be bound anew to another
        # address, an address cannot.
        self._any_address = not is_loopback(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value)
        refusal: Response | None
        try:
            scope = self._proxies.resolved(scope, headers)
        except ValueError as error:
            refusal = problem(400, f"The proxy before this server sent a bad header: {error}.")
        else:
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
                message = {**message, "headers": _guarded(scope, message["headers"])}
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
        scheme = scheme_of(scope)
        if authority is None or not (self._any_host or self._answers(scope, scheme, authority)):
            return problem(421, self._wrong_host(scope, authority))
        own = {f"{scheme}://{host}"}
        if authority[1] not in LOOPBACK_NAMES:
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
        path = route_path(scope)
        comes_back = (
            path.startswith(_COME_BACK)
            and scope.get("method") == "GET"
            and headers.get(b"sec-fetch-mode") == [b"navigate"]
        )
        if (
            b"cross-site" in sites
            and b"origin" not in headers
            and path.startswith("/api/")
            and not comes_back
        ):
            return problem(403, "Pages of other sites may not use this address.")
        # A body without a length is counted while it arrives.
        most = _most(scope)
        if any(int(n) > most for n in headers.get(b"content-length", []) if n.isdigit()):
            return problem(413, _too_large(most), {"connection": "close"})
        return None

    def _answers(self, scope: Scope, scheme: str, authority: re.Match[str]) -> bool:
        """Whether the server answers under a name and a port."""
        name, given = authority[1], authority[2]
        if authority[0] in self._hosts:
            return True
        server = scope.get("server")
        usual = _DEFAULT_PORTS.get(scheme)
        port = int(given) if given else usual
        # A host app that does not tell the port leaves it to itself.
        own = server[1] if server and server[1] else port
        if name in self._hosts:
            return port in (own, usual)
        if port != own:
            return False
        here = plain_address(server[0]) if server and self._any_address else None
        return name in self._bound or (here is not None and plain_address(name) == here)

    def _wrong_host(self, scope: Scope, authority: re.Match[str] | None) -> str:
        server = scope.get("server")
        port = f":{server[1]}" if server and server[1] else ""
        known = sorted({*(f"{each}{port}" for each in self._bound), *self._hosts})
        wanted = f"add `{authority[0]}` to" if authority is not None else "see"
        return (
            f"This server does not answer under that host name and port. Use one of: "
            f"{', '.join(known)}. If it should, {wanted} `hosts` under [server] in antiphon.toml; "
            "a server that is mounted takes further names from `hosts`."
        )


def _guarded(scope: Scope, headers: Sequence[Header]) -> list[Header]:
    """The headers of an answer with those that every answer has."""
    more = list(EVERY_ANSWER)
    if scope["scheme"] == "https":
        more.append(_HTTPS_ONLY)
    # What is said is for whoever asked, and nothing on the way keeps it unless a route says so.
    if all(name != _PRIVATE[0] for name, _ in headers):
        more.append(_PRIVATE)
    return [*headers, *more]


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
