"""uvicorn's HTTP with limits: the size of request heads, slow clients, and open connections.

It overrides callbacks of uvicorn's own protocol class. `tests/server/test_http_limits.py` drives it
over sockets and fails when uvicorn no longer calls them.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from antiphon.config.binding import is_loopback
from antiphon.config.limits import LimitSettings
from antiphon.config.settings import ServerSettings
from antiphon.server.forwarded import Proxies, plain_address
from antiphon.server.problems import problem
from antiphon.server.security import EVERY_ANSWER

MAX_URL = 16 * 1024
MAX_HEAD = 64 * 1024
MAX_HEADERS = 100
# Requests that were sent before the answers to those before them; each takes some kilobytes.
MAX_PIPELINED = 32


class _Refused(Exception):
    """Ends the parser's work on a connection whose answer is written."""


def limited_http(
    settings: ServerSettings, limits: LimitSettings | None = None
) -> type[HttpToolsProtocol]:
    """The protocol class for `uvicorn.Config(http=...)` with the limits of the settings."""
    import resource

    # Descriptors are needed for other things too: the store, models, connections to providers.
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    most = min(settings.max_connections, max(1, descriptors * 3 // 4))
    # On loopback everybody has one address, and behind a proxy the proxy's.
    counted = limits is not None and not is_loopback(settings.host)
    options = {
        "head_seconds": settings.head_seconds,
        "body_seconds": settings.body_seconds,
        "least_rate": settings.min_body_rate,
        "most_connections": most,
        "most_of_address": limits.address_connections if limits and counted else most,
        "proxies": Proxies(settings.proxies),
    }
    return type("LimitedHttp", (LimitedHttpProtocol,), options)


class LimitedHttpProtocol(HttpToolsProtocol):
    """A WebSocket leaves it with its handshake: none of this is on the way of speech."""

    head_seconds: float = 15.0
    body_seconds: float = 10.0
    least_rate: int = 500
    most_connections: int = 1000
    most_of_address: int = 1000
    proxies: Proxies = Proxies(())

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._unsent = 0  # bytes of answers when it was looked at
        self._unread = 0  # bytes that have become neither a head nor a piece of a body yet
        self._body = 0  # bytes of the body since it was looked at
        self._under_way: list[RequestResponseCycle] = []
        self._refused = False
        self._upgraded = False  # the connection is a WebSocket's now

    # -- connections ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self._refuse(503, "Too many connections are open at this server. Try again later.")
        elif len(self.connections) > self.most_of_address and self._has_too_many():
            self._refuse(503, "Too many connections are open from your address. Close some first.")
        else:
            self._wait_for_head()

    def _has_too_many(self) -> bool:
        """Whether this connection is one too many of its address, WebSockets included."""
        client = self.client
        if client is None or self.proxies.includes(plain_address(client[0])):
            return False
        # Of both protocols `client` is the address and port of the other side.
        others = [getattr(each, "client", None) for each in self.connections]
        own = sum(each is not None and each[0] == client[0] for each in others)
        return bool(own > self.most_of_address)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_write_timer()
        # uvicorn tells the request that came last alone, which may not be the one under way.
        for cycle in self._under_way:
            cycle.disconnected = True
            cycle.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._unread += len(data)
        super().data_received(data)
        if self._upgraded:
            return
        if self._unread > MAX_HEAD:
            self._refuse(431, f"The head of a request may have at most {MAX_HEAD} bytes.")
        elif self._timer is None and self.timeout_keep_alive_task is None and self._idle():
            self._wait_for_head()  # a few bytes between two requests, and then nothing

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._stop_timer()
        super().handle_websocket_upgrade()

    def _idle(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    # -- heads ---------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._wait_for_head()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > MAX_URL:
            self._refuse(414, f"An address may have at most {MAX_URL} bytes.")
            raise _Refused

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        # Those behind a body in pieces come here as well.
        if len(self.headers) > MAX_HEADERS:
            self._refuse(431, f"A request may have at most {MAX_HEADERS} header fields.")
            raise _Refused

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > MAX_HEAD:
            self._refuse(431, f"The head of a request may have at most {MAX_HEAD} bytes.")
            raise _Refused
        self._unread = 0
        self._stop_timer()
        if not self.url.startswith(b"/"):
            # A host in it would stand beside the one that was checked.
            self._refuse(400, "The target of a request is a path; this server is no proxy.")
            raise _Refused
        if len(self.pipeline) >= MAX_PIPELINED:
            self._refuse(429, f"At most {MAX_PIPELINED} requests may wait for those before them.")
            raise _Refused
        super().on_headers_complete()
        self._under_way = [each for each in self._under_way if not each.response_complete]
        if self.cycle is not None:  # none is made for a WebSocket
            self._under_way.append(self.cycle)
        self._watch_body()

    def _wait_for_head(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.head_seconds, self._head_took_long)

    def _head_took_long(self) -> None:
        if self._unread or self.cycle is None:
            words = f"The head of the request was not complete within {self.head_seconds:g} s."
            self._refuse(408, words)
        else:
            self.transport.close()

    # -- bodies --------------------------------------------------------------------------------

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        self._stop_timer()
        super().on_message_complete()

    def _watch_body(self) -> None:
        self._body = 0
        self._timer = self.loop.call_later(self.body_seconds, self._look_at_body)

    def _look_at_body(self) -> None:
        # Who is not read from cannot send.
        if self.flow.read_paused or self._body >= self.least_rate * self.body_seconds:
            self._watch_body()
        else:
            words = f"The body came slower than {self.least_rate} bytes a second."
            self._refuse(408, words)

    # -- answers -------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_writing()  # it is closed once everything is sent, and that may be never

    def _watch_writing(self) -> None:
        self._stop_write_timer()
        self._unsent = self.transport.get_write_buffer_size()
        self._write_timer = self.loop.call_later(self.body_seconds, self._look_at_writing)

    def _look_at_writing(self) -> None:
        """Hang up on somebody who reads nothing, or next to nothing: the answer takes memory."""
        self._write_timer = None
        unsent = self.transport.get_write_buffer_size()
        if not unsent:
            return
        if self._unsent - unsent >= self.least_rate * self.body_seconds:
            self._watch_writing()
        else:
            self.transport.abort()

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    # -- refusals ------------------------------------------------------------------------------

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: int, words: str) -> None:
        """Answer with a problem document, unless another answer has begun, and hang up."""
        self._refused = True
        self._stop_timer()
        if self.transport.is_closing():
            return
        answering = any(
            each.response_started and not each.response_complete for each in self._under_way
        )
        if not answering:
            answer = problem(status, words, {"connection": "close"})
            head = [STATUS_LINE[status]]
            for name, value in (*answer.raw_headers, *EVERY_ANSWER):
                head += [name, b": ", value, b"\r\n"]
            self.transport.write(b"".join([*head, b"\r\n", bytes(answer.body)]))
        self.transport.close()
        self._watch_writing()

    def send_400_response(self, msg: str) -> None:
        if not self._refused:
            self._refuse(400, msg)
