"""Server WebSocket with the fast path: `on_message` and `try_send` on top of uvicorn."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]

from antiphon.fastpath.frames import BINARY, MASKED, MIDDLE, MOST, TEXT, FrameSplitter, OnMessage

logger = logging.getLogger(__name__)

AsgiSend = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_HEAD = Struct("!BBH")
_CLIENT_HEAD = 8  # with the mask
# What may wait to be taken before no more is read. uvicorn stops after each message, which costs
# a call of the system for it, and one to go on.
_WAITING = 16
# So many frames of one read are handed on synchronously; whoever sends more waits for others.
_AT_ONCE = 16


class FastServerProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, with a short way for whole frames on an open connection.

    `on_message(data, text)` is offered each whole message within the call that brings it, while
    nothing is queued before it. A message for which it returns False is queued for the
    application, as is everything else.
    """

    on_message: OnMessage | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._splitter = FrameSplitter(masked=True)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)  # the request
        elif (
            self._splitter.between
            and len(data) > _CLIENT_HEAD
            and data[1] == MASKED | MIDDLE
            and (data[0] == TEXT or data[0] == BINARY)
            and len(data) == _CLIENT_HEAD + (data[2] << 8 | data[3])
        ):
            self._on_frame(data, at_once=True)
        else:
            left = _AT_ONCE
            for piece, short in self._splitter.split(data):
                if short:
                    left -= 1
                    self._on_frame(piece, at_once=left >= 0)
                else:
                    super().data_received(piece)

    def _on_frame(self, frame: bytes, *, at_once: bool) -> None:
        if self.frames or self.close_sent or self.transport.is_closing():
            super().data_received(frame)  # another message is unfinished, or none is wanted
            return
        data = apply_mask(frame[_CLIENT_HEAD:], frame[4:_CLIENT_HEAD])
        text = frame[0] == TEXT
        handler = self.on_message if at_once and self.queue.empty() else None
        if handler is not None and handler(data, text):
            return
        try:
            content = {"text": data.decode()} if text else {"bytes": data}
        except UnicodeDecodeError:
            super().data_received(frame)  # refused below
            return
        self.queue.put_nowait({"type": "websocket.receive", **content})  # type: ignore[arg-type]
        if not self.read_paused and self.queue.qsize() >= _WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                # uvicorn would write a traceback for each.
                logger.warning("a client sent a text that is not UTF-8, and was hung up on")
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def try_send(self, data: bytes, text: bool) -> bool:
        """Send one message of MIDDLE length synchronously; return False if it has another length
        or the socket is not writable, in which case nothing was sent."""
        if (
            not MIDDLE <= len(data) <= MOST
            or not self.handshake_complete
            or not self.writable.is_set()
            or self.disconnected
            or self.close_sent
            or self.transport.is_closing()
        ):
            return False
        self.transport.write(_HEAD.pack(TEXT if text else BINARY, MIDDLE, len(data)) + data)
        return True

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            text = message.get("text")
            data = message.get("bytes") if text is None else text.encode()
            if data is not None and self.try_send(data, text is not None):
                return
        await super().send(message)


def protocol_of(send: AsgiSend) -> FastServerProtocol | None:
    """Return the protocol object behind an ASGI `send`; None if the server is another one.

    ASGI has no word for it: `send` is a method of the protocol.
    """
    protocol = getattr(send, "__self__", None)
    return protocol if isinstance(protocol, FastServerProtocol) else None


def aborter_of(send: AsgiSend) -> Callable[[], None]:
    """Return a function that cuts the connection behind an ASGI `send` at once.

    To close a WebSocket waits for the other side to read, and ASGI knows nothing harder.
    """
    protocol = getattr(send, "__self__", None)

    def abort() -> None:
        transport = getattr(protocol, "transport", None)
        if transport is not None:
            transport.abort()

    return abort
