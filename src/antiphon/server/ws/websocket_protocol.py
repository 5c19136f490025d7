"""WebSocket protocol of uvicorn with a fast path for single-frame messages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]

from antiphon.providers.frames import BINARY, MASKED, MIDDLE, MOST, TEXT, Cutter

logger = logging.getLogger(__name__)

_HEAD = Struct("!BBH")
_CLIENT_HEAD = 8  # with the mask
# What may wait to be taken before no more is read. uvicorn stops after each message, which costs
# a call of the system for it, and one to go on.
_WAITING = 16
# As many in a row are taken at once. Somebody who sends more than that has to wait for others.
_AT_ONCE = 16


class VoxProtocol(WebSocketsSansIOProtocol):
    """Leaves everything but such frames on an open connection to uvicorn and websockets.

    An application that waits for the next message may have it within the call that brings it:
    `taker` is asked, with the bytes of the message and whether they are text, while nothing is in
    the queue before it. What it does not take goes into the queue.
    """

    taker: Callable[[bytes, bool], bool] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._cutter = Cutter(masked=True)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)  # the request
        elif (
            self._cutter.between
            and len(data) > _CLIENT_HEAD
            and data[1] == MASKED | MIDDLE
            and (data[0] == TEXT or data[0] == BINARY)
            and len(data) == _CLIENT_HEAD + (data[2] << 8 | data[3])
        ):
            self._message(data, at_once=True)
        else:
            left = _AT_ONCE
            for piece, short in self._cutter.cut(data):
                if short:
                    left -= 1
                    self._message(piece, at_once=left >= 0)
                else:
                    super().data_received(piece)

    def _message(self, frame: bytes, *, at_once: bool) -> None:
        if self.frames or self.close_sent or self.transport.is_closing():
            super().data_received(frame)  # another message is unfinished, or none is wanted
            return
        data = apply_mask(frame[_CLIENT_HEAD:], frame[4:_CLIENT_HEAD])
        text = frame[0] == TEXT
        taker = self.taker if at_once and self.queue.empty() else None
        if taker is not None and taker(data, text):
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

    def put(self, data: bytes, text: bool) -> bool:
        """Send a message within this call. False: it cannot be, and nothing was done."""
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
            if data is not None and self.put(data, text is not None):
                return
        await super().send(message)
