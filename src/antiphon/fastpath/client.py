"""Client WebSocket with the fast path: `on_message` and `try_send` on top of websockets."""

from __future__ import annotations

import os
from struct import Struct
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.protocol import State

from antiphon.fastpath.frames import MASKED, MIDDLE, MOST, TEXT, FrameSplitter, OnMessage

_WHOLE_TEXT = bytes((TEXT, MIDDLE))
_HEAD = 4
_WRITTEN_HEAD = Struct("!BBH4s")
_END_OF_RESPONSE = b"\r\n\r\n"
# So many frames of one read are handed on synchronously; a model that sends more waits for others.
_AT_ONCE = 16
_MASKS = 1024  # bytes of randomness that are asked for at a time
_PIECE = 4096  # of a long message, at a time


class FastClientConnection(ClientConnection):
    """WebSocket connection that SDKs open on our behalf, as they take any class for it.

    `on_message(data, text)` is offered each whole text message within the call that brings it,
    while a reader waits in `recv` and nothing is queued before it. A message for which it returns
    False is queued for `recv`.
    """

    on_message: OnMessage | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._splitter: FrameSplitter | None = None  # as soon as there are frames
        self._response = b""  # the last bytes of the response to our upgrade request
        self._masks = b""
        # Rings of references are left to the collector, which stops every conversation for it.
        # This one is made so that each line of a log knows its connection.
        self.logger = self.protocol.logger = self.logger.logger  # type: ignore[union-attr]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.on_message = self.keepalive_task = None  # two more, whose work is done

    @property
    def writable(self) -> bool:
        """Whether the connection is open and its write buffer takes a message now."""
        return (
            self.protocol.state is State.OPEN
            and not self.paused
            and not self.transport.is_closing()
        )

    def try_send(self, data: bytes) -> bool:
        """Send one text message synchronously; return False if the connection is not writable, in
        which case nothing was sent."""
        if not self.writable:
            return False
        self.send_now(data)
        return True

    def send_now(self, data: bytes) -> None:
        """Send one text message synchronously, at a small part of the cost of `send`. Only while
        the connection is `writable`."""
        protocol = self.protocol
        if not MIDDLE <= len(data) <= MOST or protocol.extensions:
            protocol.send_text(data)
            self.send_data()
            return
        masks = self._masks or os.urandom(_MASKS)
        mask, self._masks = masks[:4], masks[4:]
        head = _WRITTEN_HEAD.pack(TEXT, MASKED | MIDDLE, len(data), mask)
        self.transport.write(head + apply_mask(data, mask))

    def send_data(self) -> None:
        """Write pending data, a long message in pieces: TLS keeps a buffer as large as the longest
        piece so far, and the first message of all has every tool in it."""
        protocol = self.protocol
        if any(len(data) > _PIECE for data in protocol.writes):
            protocol.writes = [piece for data in protocol.writes for piece in _pieces(data)]
        super().send_data()

    async def send_text(self, data: bytes) -> None:
        """Send one text message, waiting while the write buffer is full."""
        if not self.try_send(data):
            await self.send(data, text=True)

    def data_received(self, data: bytes) -> None:
        splitter = self._splitter
        if splitter is None:
            data = self._handshake(data)
            splitter = self._splitter
            if splitter is None or not data:
                return
        if (
            splitter.between
            and data[:2] == _WHOLE_TEXT
            and len(data) > _HEAD
            and len(data) == _HEAD + (data[2] << 8 | data[3])
        ):
            self._on_frame(data, at_once=True)
            return
        left = _AT_ONCE
        for piece, short in splitter.split(data):
            if short:
                left -= 1
                self._on_frame(piece, at_once=left >= 0)
            else:
                super().data_received(piece)

    def _handshake(self, data: bytes) -> bytes:
        """Feed the response to our upgrade request; return the frames that follow it, if any."""
        seen = self._response + data
        end = seen.find(_END_OF_RESPONSE)
        if end < 0:
            self._response = seen[1 - len(_END_OF_RESPONSE) :]
            super().data_received(data)
            return b""
        after = end + len(_END_OF_RESPONSE) - len(self._response)
        super().data_received(data[:after])
        if self.protocol.state is State.OPEN:
            self._splitter = FrameSplitter(masked=False)
        elif data[after:]:
            super().data_received(data[after:])
        return data[after:]

    def _on_frame(self, frame: bytes, *, at_once: bool) -> None:
        protocol, messages = self.protocol, self.recv_messages
        if (
            frame[0] != TEXT
            or protocol.state is not State.OPEN
            or protocol.cur_size is not None  # another message is unfinished
            or protocol.extensions
        ):
            super().data_received(frame)
            return
        data = frame[_HEAD:]
        waiter = messages.frames.get_waiter
        waiting = waiter is not None and not waiter.done()
        handler = self.on_message if at_once and waiting else None
        if handler is None or not handler(data, True):
            messages.put(Frame(Opcode.TEXT, data))

    def abort(self) -> None:
        """Cut the connection at once, waking readers and writers; do nothing before it is open."""
        transport = getattr(self, "transport", None)
        if transport is not None:
            transport.abort()


def _pieces(data: bytes) -> list[bytes]:
    # Nothing at all is a sign too, and stays one.
    return [data[at : at + _PIECE] for at in range(0, len(data) or 1, _PIECE)]
