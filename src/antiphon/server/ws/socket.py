"""uvicorn's WebSocket with a short way for what comes fifty times a second: one whole frame."""

from __future__ import annotations

from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]

# The first bytes of frames that are complete messages: text, binary.
_TEXT, _BINARY = 0x81, 0x82
# A frame of 126 to 65535 bytes says so, and then how many they are; one of a client has a mask.
_LONG, _MASKED = 126, 0x80
_HEAD = Struct("!BBH")
_CLIENT_HEAD = 8  # with the mask
# What may wait to be taken before no more is read. uvicorn stops after each message, which costs
# a call of the system for it, and one to go on.
_WAITING = 16


class VoxProtocol(WebSocketsSansIOProtocol):
    """Leaves everything but such frames on an open connection to uvicorn and websockets."""

    def data_received(self, data: bytes) -> None:
        message = self._whole(data)
        if message is None:
            super().data_received(data)
            return
        self.queue.put_nowait(message)
        if not self.read_paused and self.queue.qsize() >= _WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def _whole(self, data: bytes) -> Any:
        """The message, when the data is exactly one and nothing is unfinished before it."""
        if (
            len(data) <= _CLIENT_HEAD
            or data[1] != _MASKED | _LONG
            or len(data) != _CLIENT_HEAD + (data[2] << 8 | data[3])
            or self.frames
            or self.conn.reader.buffer
            or self.close_sent
            or self.transport.is_closing()
        ):
            return None
        if data[0] == _TEXT:
            try:
                text = apply_mask(data[_CLIENT_HEAD:], data[4:_CLIENT_HEAD]).decode()
            except UnicodeDecodeError:
                return None  # uvicorn knows how to refuse it
            return {"type": "websocket.receive", "text": text}
        if data[0] == _BINARY:
            samples = apply_mask(data[_CLIENT_HEAD:], data[4:_CLIENT_HEAD])
            return {"type": "websocket.receive", "bytes": samples}
        return None

    async def send(self, message: Any) -> None:
        text = message.get("text")
        kind, data = (_BINARY, message.get("bytes")) if text is None else (_TEXT, text.encode())
        if (
            data is None
            or message["type"] != "websocket.send"
            or not _LONG <= len(data) <= 0xFFFF
            or not self.writable.is_set()
            or self.disconnected
            or self.close_sent
            or self.transport.is_closing()
        ):
            await super().send(message)
            return
        self.transport.write(_HEAD.pack(kind, _LONG, len(data)) + data)
