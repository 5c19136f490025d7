"""One HTTP request and its answer, which may come in pieces or break off."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h11
import orjson

from antiphon.emulators.wire.peer import Peer


@dataclass(frozen=True)
class HttpRequest:
    """One HTTP request, or the one that opens a WebSocket. Names of headers are in lower case."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:
        """The body as JSON. Raises ValueError if it is none."""
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError as error:
            what = f"is not JSON: {error}" if self.body else "is empty, but JSON is needed"
            raise ValueError(f"The body of {self.method} {self.path} {what}") from None


class HttpReply:
    """The response to one HTTP request: `respond`, or `start`, any number of `send`, `finish`.

    Everything that sends raises SocketGone once the connection has ended.
    """

    def __init__(self, request: HttpRequest, peer: Peer, http: h11.Connection) -> None:
        self.request = request
        self._peer = peer
        self._http = http
        self.started = False
        self.finished = False
        self.was_aborted = False

    async def respond(
        self, status: int, body: bytes | dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        """Send the complete response; a dict is sent as JSON."""
        content, lines = _content(body, headers)
        data = self._begin(status, lines)
        if content and self.request.method != "HEAD" and status not in (204, 304):
            data += self._bytes(h11.Data(data=content))
        data += self._bytes(h11.EndOfMessage())
        self.finished = True
        self._peer.notify("out", "body", content)
        await self._peer.write(data)

    async def start(self, status: int, headers: dict[str, str] | None = None) -> None:
        """Send the status line and headers of a response whose body follows in chunks."""
        await self._peer.write(self._begin(status, dict(headers or {})))

    async def send(self, data: bytes) -> None:
        """Send one chunk of the body; the system has taken it when this returns."""
        if data:  # an empty chunk would be the end
            self._peer.notify("out", "piece", data)
            await self._peer.write(self._bytes(h11.Data(data=data)))

    async def finish(self) -> None:
        """Send the proper end of a chunked body."""
        data = self._bytes(h11.EndOfMessage())
        self.finished = True
        await self._peer.write(data)

    async def send_raw(self, data: bytes) -> None:
        """Send bytes that need not be HTTP: half a chunk, garbage. `abort` ends such a response."""
        self.started = True
        self._peer.notify("out", "piece", data)
        await self._peer.write(data)

    def abort(self) -> None:
        """Close the connection now, without a proper end; what was sent before still arrives."""
        self.was_aborted = True
        self._peer.notify("out", "cut")
        self._peer.abort()

    async def wait_closed(self) -> None:
        """Return when the client has closed the connection, as a server that stays silent waits."""
        while data := await self._peer.read():
            self._http.receive_data(data)  # the next request, early; its turn comes

    @property
    def early(self) -> bytes:
        """Bytes that the client sent after this request, before it had a response."""
        return self._http.trailing_data[0]

    def _begin(self, status: int, headers: dict[str, str]) -> bytes:
        if self.started:
            raise RuntimeError(
                f"The answer to {self.request.method} {self.request.path} has begun already"
            )
        lines = [(name.encode("ascii"), text.encode("latin-1")) for name, text in headers.items()]
        data = self._bytes(h11.Response(status_code=status, headers=lines))
        self.started = True
        self._peer.notify("out", "status", status)
        return data

    def _bytes(self, event: h11.Event) -> bytes:
        return self._http.send(event) or b""


def _content(
    body: bytes | dict[str, Any], headers: dict[str, str] | None
) -> tuple[bytes, dict[str, str]]:
    lines = {name.lower(): text for name, text in (headers or {}).items()}
    if isinstance(body, dict):
        body = orjson.dumps(body)
        lines.setdefault("content-type", "application/json")
    lines.setdefault("content-length", str(len(body)))
    return body, lines
