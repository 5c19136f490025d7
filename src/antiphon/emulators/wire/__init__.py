"""HTTP/1.1 and WebSocket on one loopback port, with the power to break off anywhere."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from types import TracebackType
from urllib.parse import parse_qsl, unquote

import h11
from websockets.http11 import Request as Handshake
from websockets.http11 import Response as HandshakeAnswer
from websockets.server import ServerProtocol

from antiphon.emulators.wire.exchange import HttpReply, HttpRequest
from antiphon.emulators.wire.peer import Peer, SocketGone, WireEvent
from antiphon.emulators.wire.websocket import ServerWebSocket, WebSocketUpgrade

__all__ = [
    "HttpReply",
    "HttpRequest",
    "LoopbackServer",
    "ServerWebSocket",
    "SocketGone",
    "WireEvent",
    "WebSocketUpgrade",
]

_MAX_HEAD = 64 * 1024

HttpHandler = Callable[[HttpRequest, HttpReply], Awaitable[None]]
WebSocketHandler = Callable[[HttpRequest, WebSocketUpgrade], Awaitable[None]]


class LoopbackServer:
    """An HTTP and WebSocket server on one loopback port; also an async context manager.

    A handler that raises, or leaves a client without a whole response that it did not `abort`, has
    its connection closed, and its error is in `failures`. A client that goes away is no failure.
    """

    def __init__(
        self,
        http: HttpHandler,
        websocket: WebSocketHandler,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        max_message: int = 64 * 1024 * 1024,
        watch: Callable[[WireEvent], None] | None = None,
    ) -> None:
        self.http = http
        self.websocket = websocket
        self.host = host
        self.port = port
        self.tls = tls
        self.max_message = max_message
        self.watch = watch
        self.failures: list[BaseException] = []
        self._clients = 0
        self._listening: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    async def start(self) -> None:
        """Listen on the port; port 0 becomes a free one. Raises OSError if the port is taken."""
        if self._listening is not None:
            raise RuntimeError(f"The server runs already, at {self.url}")
        self._listening = await asyncio.start_server(self._connected, self.host, self.port)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close every connection, cancel every handler, and wait until all have ended."""
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()
        connections = list(self._connections)
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        if listening is not None:
            await listening.wait_closed()

    async def __aenter__(self) -> LoopbackServer:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._listening is None:  # accepted just before the end
            writer.transport.abort()
            return
        self._clients += 1
        peer = Peer(reader, writer, self.tls, self.watch, self._clients)
        task = asyncio.create_task(self._serve(peer), name="emulator connection")
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, peer: Peer) -> None:
        peer.notify("in", "open")
        try:
            if await peer.handshake():
                await _Connection(self, peer).run()
        except SocketGone:
            pass  # the client may leave when it likes
        except Exception as error:  # noqa: BLE001 - a test is to see whatever a handler raised
            self.failures.append(error)
        finally:
            peer.abort()
            await peer.ended()
            peer.notify("in", "gone")


class _Connection:
    """The requests of one client connection, one after the other."""

    def __init__(self, server: LoopbackServer, peer: Peer) -> None:
        self._server = server
        self._peer = peer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_MAX_HEAD)

    async def run(self) -> None:
        while (request := await self._request()) is not None:
            self._peer.notify("in", "request", request)
            reply = HttpReply(request, self._peer, self._http)
            if "websocket" in request.headers.get("upgrade", "").lower():
                await self._upgrade(request, reply)
                return
            await self._server.http(request, reply)
            if not reply.finished:
                self._check_ended(reply)
                return
            if reply.was_aborted:
                return
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                break
            self._http.start_next_cycle()
        await self._peer.finish()

    async def _request(self) -> HttpRequest | None:
        """Read the next request with its body; None when there is none, or none to be answered."""
        body = bytearray()
        try:
            while True:
                event = self._http.next_event()
                if event is h11.NEED_DATA:
                    if self._http.they_are_waiting_for_100_continue:
                        go_on = h11.InformationalResponse(status_code=100, headers=[])
                        await self._peer.write(self._http.send(go_on) or b"")
                    self._http.receive_data(await self._peer.read())
                elif isinstance(event, h11.Request):
                    self._head = event
                elif isinstance(event, h11.Data):
                    body += event.data
                    if len(body) > self._server.max_message:
                        await self._reject(
                            413, f"The body has more than {self._server.max_message} bytes"
                        )
                        return None
                elif isinstance(event, h11.EndOfMessage):
                    return _request(self._head, bytes(body))
                else:
                    return None
        except h11.RemoteProtocolError as error:
            await self._reject(error.error_status_hint, f"This is not HTTP/1.1: {error}")
            return None

    async def _reject(self, status: int, why: str) -> None:
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            reply = HttpReply(HttpRequest("?", "?"), self._peer, self._http)
            await reply.respond(status, {"error": why}, {"connection": "close"})

    async def _upgrade(self, request: HttpRequest, reply: HttpReply) -> None:
        protocol = ServerProtocol(max_size=self._server.max_message)
        answer = _handshake(protocol, self._head)
        if answer.status_code != 101:
            await self._peer.write(answer.serialize())
            await self._peer.finish()
            return
        protocol.send_response(answer)
        welcome = b"".join(protocol.data_to_send())
        socket = ServerWebSocket(request, self._peer, protocol, self._server.max_message)
        upgrade = WebSocketUpgrade(reply, socket, welcome)
        try:
            await self._server.websocket(request, upgrade)
            if upgrade.accepted:
                await socket.close()
            elif reply.finished:
                await self._peer.finish()
            else:
                self._check_ended(reply)
        finally:
            await socket.stop()

    def _check_ended(self, reply: HttpReply) -> None:
        if not reply.was_aborted and not self._peer.left:
            what = "began an answer and did not finish it" if reply.started else "did not answer"
            raise RuntimeError(
                f"The handler of {reply.request.method} {reply.request.path} {what}, "
                "and neither cut the connection nor waited until the client was gone"
            )


def _request(head: h11.Request, body: bytes) -> HttpRequest:
    # Not by urlsplit, which takes what follows a double slash for a host.
    path, _, query = head.target.decode("ascii").partition("?")
    headers: dict[str, str] = {}
    for raw_name, raw_text in head.headers:
        name, text = raw_name.decode("ascii"), raw_text.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return HttpRequest(
        method=head.method.decode("ascii"),
        path=unquote(path),
        query=dict(parse_qsl(query, keep_blank_values=True)),
        headers=headers,
        body=body,
    )


def _handshake(protocol: ServerProtocol, head: h11.Request) -> HandshakeAnswer:
    """The response to a WebSocket handshake: 101, or what is wrong with the request."""
    lines = [b"%s %s HTTP/%s" % (head.method, head.target, head.http_version)]
    lines += [b"%s: %s" % (name, text) for name, text in head.headers]
    protocol.receive_data(b"\r\n".join(lines) + b"\r\n\r\n")
    for event in protocol.events_received():
        if isinstance(event, Handshake):
            return protocol.accept(event)
    error = protocol.handshake_exc
    why = (error and error.__cause__) or error
    return protocol.reject(400, f"Failed to open a WebSocket connection: {why}.\n")
