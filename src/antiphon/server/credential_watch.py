"""Credential watch: open sockets and answers under way, ended once their credential is over."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessRefused
from antiphon.contracts import Principal
from antiphon.contracts.rights import Rights
from antiphon.orchestrator import Orchestrator
from antiphon.server.authentication import requester_of
from antiphon.server.problems import problem

logger = logging.getLogger(__name__)

# What another node has revoked ends here within a second.
LOOK_SECONDS = 0.5
# For so long connections stay open while nobody can be looked up.
BLIND_SECONDS = 5.0
# For so long a client is waited for that is told why its answer ends.
_TELL_SECONDS = 5.0
_AWAY = AccessRefused(
    "The server cannot look up who you are any more. Connect again in a moment.", "unavailable"
)


class WatchedConnection(Protocol):
    """A connection that somebody has opened with a credential, as `principal`."""

    @property
    def principal(self) -> Principal | None: ...

    async def renew(self, principal: Principal) -> None:
        """Go on as the principal of today, or end where they may not."""

    async def end(self, refused: AccessRefused) -> None:
        """End it, and say why. Nothing more is done for it afterwards."""


class CredentialWatch:
    """Looks twice a second whether the credentials behind open connections are in force. Sessions
    have today's rights of their principal from then on; what is over has none, and ends."""

    def __init__(
        self,
        directory: AccessDirectory,
        orchestrator: Orchestrator,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._orchestrator = orchestrator
        self._monotonic = monotonic
        self._watched: dict[str, set[WatchedConnection]] = {}
        self._looked_at = monotonic()

    @contextmanager
    def watching(
        self, principal: Principal | None, connection: WatchedConnection
    ) -> Iterator[None]:
        """Watch a connection of a principal meanwhile. Without a credential none is lost."""
        if principal is None or not principal.credential:
            yield
            return
        if not self._watched:
            self._looked_at = self._monotonic()  # until now there was nothing to look at
        connections = self._watched.setdefault(principal.credential, set())
        connections.add(connection)
        try:
            yield
        finally:
            connections.discard(connection)
            if not connections and self._watched.get(principal.credential) is connections:
                del self._watched[principal.credential]

    async def keep(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Look up everybody who is connected, and end what must not go on."""
        credentials = list(self._watched)
        if not credentials:
            return
        looked_at = self._monotonic()
        try:
            async with asyncio.timeout(BLIND_SECONDS):
                found = await self._directory.recheck_all(credentials)
        except Exception as error:  # noqa: BLE001 - logged below
            # Whatever it is, nobody is let go on for longer than this.
            if self._monotonic() - self._looked_at < BLIND_SECONDS:
                return
            logger.error("connections are ended, as nobody can be looked up: %s", error)
            found = dict.fromkeys(credentials, _AWAY)
        else:
            self._looked_at = looked_at
        self._update_sessions(found)
        told: list[Coroutine[Any, Any, None]] = []
        for own_id, outcome in found.items():
            if isinstance(outcome, AccessRefused):
                told += [each.end(outcome) for each in self._watched.pop(own_id, ())]
            else:
                connections = self._watched.get(own_id, ())
                told += [each.renew(outcome) for each in connections if each.principal != outcome]
        for failed in await asyncio.gather(*told, return_exceptions=True):
            if isinstance(failed, Exception):
                logger.error("a connection was not told in good order", exc_info=failed)

    def _update_sessions(self, found: Mapping[str, Principal | AccessRefused]) -> None:
        for session in list(self._orchestrator.sessions.values()):
            before = session.principal
            if before is None or (now := found.get(before.credential)) is None:
                continue
            if isinstance(now, AccessRefused):
                now = _without_rights(before)
            if now != before:
                session.set_principal(now)


def _without_rights(principal: Principal) -> Principal:
    return Principal(
        principal.user,
        principal.data,
        organisation=principal.organisation,
        rights=Rights(),
        credential=principal.credential,
    )


class WatchedAnswers:
    """Ends answers of HTTP whose credential is over while they are under way."""

    def __init__(self, app: ASGIApp, watch: Callable[[], CredentialWatch]) -> None:
        self._app = app
        self._watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        principal = requester_of(scope).watched if scope["type"] == "http" else None
        if principal is None or not principal.credential:
            await self._app(scope, receive, send)
            return
        exchange = _HttpExchange(principal, scope, receive, send)
        with self._watch().watching(principal, exchange):
            await self._app(scope, exchange.receive, exchange.send)


class _HttpExchange:
    """One request and its answer. Ended, the application sees a client that has gone: writes are
    finished and recorded, and nothing more is told of them."""

    def __init__(self, principal: Principal, scope: Scope, receive: Receive, send: Send) -> None:
        self.principal = principal
        self._scope = scope
        self._receive = receive
        self._send = send
        self._ended = asyncio.Event()
        self._is_taken = False  # the body of the request
        self._started = self._is_event_stream = self._is_sent = False

    async def receive(self) -> Message:
        if not self._is_taken:
            message = await self._receive()
            self._is_taken = not message.get("more_body", False)
            return message
        if not self._ended.is_set():
            waiting = [
                asyncio.ensure_future(self._receive()),
                asyncio.ensure_future(self._ended.wait()),
            ]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if waiting[0].done() and not self._ended.is_set():
                    given: Message = waiting[0].result()  # type: ignore[assignment]
                    return given
            finally:
                for each in waiting:
                    each.cancel()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self._ended.is_set():
            return
        if message["type"] == "http.response.start":
            self._started = True
            kind = dict(message.get("headers", ())).get(b"content-type", b"")
            self._is_event_stream = kind.startswith(b"text/event-stream")
        elif not message.get("more_body", False):
            self._is_sent = True
        await self._send(message)

    async def renew(self, principal: Principal) -> None:
        self.principal = principal  # what was let in goes on; its calls are looked at by themselves

    async def end(self, refused: AccessRefused) -> None:
        if self._is_sent or self._ended.is_set():
            return
        self._ended.set()
        async with asyncio.timeout(_TELL_SECONDS):
            if not self._started:
                answer = problem(refused.status, refused.reason, code=refused.code)
                await answer(self._scope, self._receive, self._send)
            elif self._is_event_stream:
                last = {
                    "type": "error",
                    "kind": "signed_out",
                    "message": refused.reason,
                    "retryable": False,
                    "retry_after": None,
                }
                frame = b"event: error\ndata: %b\n\n" % orjson.dumps(last)
                await self._send({"type": "http.response.body", "body": frame, "more_body": False})
