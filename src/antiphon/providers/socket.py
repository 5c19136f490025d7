"""The WebSocket under a live line to a model: a short way for whole frames, and a sudden end."""

from __future__ import annotations

import os
from collections.abc import Callable
from struct import Struct
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.protocol import State

from antiphon.providers.frames import MASKED, MIDDLE, MOST, TEXT, Cutter

_WHOLE_TEXT = bytes((TEXT, MIDDLE))
_HEAD = 4
_WRITTEN_HEAD = Struct("!BBH4s")
_END_OF_ANSWER = b"\r\n\r\n"
# As many in a row are taken at once. A model that says more than that has to wait for others.
_AT_ONCE = 16
_MASKS = 1024  # bytes of randomness that are asked for at a time
_PIECE = 4096  # of a long message, at a time


class Socket(ClientConnection):
    """Made by the SDKs on our behalf, who take any class for it.

    Whoever waits for the next message may have it within the call that brings it: `tap` is asked,
    while nothing was read before it that is not taken yet. What it does not take is read.
    """

    tap: Callable[[bytes], bool] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._cutter: Cutter | None = None  # as soon as there are frames
        self._answer = b""  # to our request; the last bytes that came of it
        self._masks = b""
        # Rings of references are left to the collector, which stops every conversation for it.
        # This one is made so that each line of a log knows its connection.
        self.logger = self.protocol.logger = self.logger.logger  # type: ignore[union-attr]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.tap = self.keepalive_task = None  # two more, whose work is done

    @property
    def free(self) -> bool:
        """Whether `write_text` may be used: nothing is in the way of a message."""
        return (
            self.protocol.state is State.OPEN
            and not self.paused
            and not self.transport.is_closing()
        )

    def write_text(self, data: bytes) -> None:
        """The same as `send` of text, for a small part of it."""
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
        """A long message in pieces: TLS keeps the room that the longest piece so far took, and the
        first message of all has every tool in it."""
        protocol = self.protocol
        if any(len(data) > _PIECE for data in protocol.writes):
            protocol.writes = [piece for data in protocol.writes for piece in _pieces(data)]
        super().send_data()

    async def send_text(self, data: bytes) -> None:
        if self.free:
            self.write_text(data)
        else:
            await self.send(data, text=True)

    def data_received(self, data: bytes) -> None:
        cutter = self._cutter
        if cutter is None:
            data = self._answered(data)
            cutter = self._cutter
            if cutter is None or not data:
                return
        if (
            cutter.between
            and data[:2] == _WHOLE_TEXT
            and len(data) > _HEAD
            and len(data) == _HEAD + (data[2] << 8 | data[3])
        ):
            self._message(data, at_once=True)
            return
        left = _AT_ONCE
        for piece, short in cutter.cut(data):
            if short:
                left -= 1
                self._message(piece, at_once=left >= 0)
            else:
                super().data_received(piece)

    def _answered(self, data: bytes) -> bytes:
        """What follows the answer to our request: frames, if it was a good one."""
        seen = self._answer + data
        end = seen.find(_END_OF_ANSWER)
        if end < 0:
            self._answer = seen[1 - len(_END_OF_ANSWER) :]
            super().data_received(data)
            return b""
        after = end + len(_END_OF_ANSWER) - len(self._answer)
        super().data_received(data[:after])
        if self.protocol.state is State.OPEN:
            self._cutter = Cutter(masked=False)
        elif data[after:]:
            super().data_received(data[after:])
        return data[after:]

    def _message(self, frame: bytes, *, at_once: bool) -> None:
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
        if not at_once or not waiting or self.tap is None or not self.tap(data):
            messages.put(Frame(Opcode.TEXT, data))

    def abort(self) -> None:
        """Whoever reads or writes is woken. Nothing, before there is anything to break."""
        transport = getattr(self, "transport", None)
        if transport is not None:
            transport.abort()


def _pieces(data: bytes) -> list[bytes]:
    # Nothing at all is a sign too, and stays one.
    return [data[at : at + _PIECE] for at in range(0, len(data) or 1, _PIECE)]
