"""One WebSocket from the server's side, and the request for it."""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from contextlib import suppress
from typing import Any

from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from antiphon.emulators.wire.exchange import HttpReply, HttpRequest
from antiphon.emulators.wire.peer import GRACE, Peer, SocketGone

_MAX_REASON = 123  # what is left of a control frame after the code
_NO_CODE, _NO_FRAME = 1005, 1006  # codes that stand for something missing and are never sent


class ServerWebSocket:
    """A WebSocket from the server's side, which answers pings and the client's close by itself.

    `close_code` and `close_reason` are what the client closed it with: the code is 1005 if it sent
    none, and None if it did not close, or just dropped the connection.
    """

    def __init__(
        self, request: HttpRequest, peer: Peer, protocol: ServerProtocol, max_message: int
    ) -> None:
        self.request = request
        self._peer = peer
        self._protocol = protocol
        self._messages: deque[str | bytes] = deque()
        self._held = 0
        self._most = max_message
        self._parts: list[bytes] = []
        self._kind = Opcode.TEXT
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._ended = asyncio.Event()
        self._closing = False
        self._reading: asyncio.Task[None] | None = None

    @property
    def close_code(self) -> int | None:
        return self._protocol.close_rcvd.code if self._protocol.close_rcvd else None

    @property
    def close_reason(self) -> str:
        return self._protocol.close_rcvd.reason if self._protocol.close_rcvd else ""

    async def receive(self) -> str | bytes | None:
        """Return the client's next message; None when there will be none any more."""
        while not self._messages:
            if self._ended.is_set():
                return None
            self._arrived.clear()
            await self._arrived.wait()
        message = self._messages.popleft()
        self._held -= len(message)
        self._room.set()
        return message

    async def send(self, message: str | bytes) -> None:
        """Send a text or binary message in one frame.

        Raises SocketGone when the socket has ended.
        """
        self._check_open()
        if isinstance(message, str):
            self._protocol.send_text(message.encode())
        else:
            self._protocol.send_binary(message)
        self._peer.notify("out", "message", message)
        await self._peer.write(self._outgoing()[0])

    async def send_raw(self, data: bytes) -> None:
        """Send bytes that need not be a WebSocket frame, or only half of one."""
        self._check_open()
        await self._peer.write(data)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Do the closing handshake, for which the client has a second; nothing if it has ended.

        Any code is sent, even those no server may send; but 1005 is a close without a code, and
        1006 no close at all (`abort`). Raises ValueError for what does not fit in a close frame.
        """
        size = len(reason.encode())
        if not 0 <= code <= 65535 or size > _MAX_REASON:
            raise ValueError(
                f"A close has a code from 0 to 65535 and a reason of at most {_MAX_REASON} bytes; "
                f"this is code {code} and {size} bytes"
            )
        if self._ended.is_set() or self._reading is None:
            return
        if code == _NO_FRAME:
            self.abort()
            return
        if not self._closing:
            self._closing = True
            self._room.set()
            if self._protocol.state is State.OPEN:
                self._peer.notify("out", "close", (code, reason))
                with suppress(SocketGone):
                    self._peer.put(self._close_frame(code, reason))
        await asyncio.wait([self._reading], timeout=GRACE)
        self.abort()

    def abort(self) -> None:
        """Close the connection now, without a close frame; what was sent before still arrives."""
        if not self._ended.is_set() and not self._closing:
            self._peer.notify("out", "cut")
        self._peer.abort()
        self._end()

    async def wait_closed(self) -> None:
        """Return when the socket has ended, as a server that stays silent waits."""
        await self._ended.wait()

    async def start(self, welcome: bytes, early: bytes) -> None:
        """Answer the handshake and start reading; for the server, which ends it with `stop`."""
        await self._peer.write(welcome)
        self._reading = asyncio.create_task(self._read(early), name="emulator socket reader")

    async def stop(self) -> None:
        """Stop reading and close the connection."""
        self.abort()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _check_open(self) -> None:
        if self._ended.is_set() or self._closing or self._protocol.state is not State.OPEN:
            code = "" if self.close_code is None else f" (the client closed it: {self.close_code})"
            raise SocketGone(f"the WebSocket has ended{code}")

    def _close_frame(self, code: int, reason: str) -> bytes:
        try:
            if code == _NO_CODE:
                self._protocol.send_close()
            else:
                self._protocol.send_close(code, reason)
        except ProtocolError:  # not a code that the library would send
            payload = struct.pack("!H", code) + reason.encode()
            return Frame(Opcode.CLOSE, payload).serialize(mask=False)
        return self._outgoing()[0]

    def _outgoing(self) -> tuple[bytes, bool]:
        """What the protocol wants to be sent, and whether that is the last."""
        pieces = self._protocol.data_to_send()
        return b"".join(pieces), b"" in pieces

    def _end(self) -> None:
        self._ended.set()
        self._arrived.set()
        self._room.set()

    async def _read(self, early: bytes) -> None:
        """Reads all the time, so that pings are answered and a close seen while others wait."""
        try:
            data = early or await self._peer.read()
            while data:
                self._protocol.receive_data(data)
                for event in self._protocol.events_received():
                    if isinstance(event, Frame):
                        self._take(event)
                answer, last = self._outgoing()
                # Without waiting: a client that is itself stuck in sending must be read on.
                self._peer.put(answer)
                if last:
                    self._end()
                    await self._peer.finish()
                    break
                while self._held > self._most and not self._closing:
                    self._room.clear()
                    await self._room.wait()
                data = await self._peer.read()
        except SocketGone:
            pass  # which is the end, as if it had been read
        finally:
            self._end()

    def _take(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._kind = frame.opcode
        elif frame.opcode is not Opcode.CONT:
            return
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            return
        whole = b"".join(self._parts)
        self._parts.clear()
        message: str | bytes = whole
        if self._kind is Opcode.TEXT:
            try:
                message = whole.decode()
            except UnicodeDecodeError as error:
                self._protocol.fail(1007, f"{error.reason} at position {error.start}")
                return
        self._peer.notify("in", "message", message)
        if not self._closing:
            self._messages.append(message)
            self._held += len(message)
            self._arrived.set()


class WebSocketUpgrade:
    """A client's request for a WebSocket, which a handler accepts or refuses."""

    def __init__(self, reply: HttpReply, socket: ServerWebSocket, welcome: bytes) -> None:
        self._reply = reply
        self._socket = socket
        self._welcome = welcome
        self.accepted = False

    async def accept(self) -> ServerWebSocket:
        """Return the open WebSocket. Raises SocketGone if the client has not waited for it."""
        if self.accepted or self._reply.started:
            raise RuntimeError("This WebSocket was accepted or refused already")
        self.accepted = True
        await self._socket.start(self._welcome, self._reply.early)
        return self._socket

    async def refuse(
        self, status: int, body: bytes | dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        """Send an HTTP response instead of a WebSocket."""
        if self.accepted:
            raise RuntimeError("This WebSocket was accepted already")
        await self._reply.respond(status, body, {**(headers or {}), "connection": "close"})

    def abort(self) -> None:
        """Close the connection without any response."""
        self._reply.abort()

    async def wait_closed(self) -> None:
        """Return when the client has closed the connection without a response."""
        await self._reply.wait_closed()
