"""The WebSocket under a live line to a model: a short way for whole frames, and a sudden end."""

from __future__ import annotations

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

# A frame that is a complete message of text, of 126 to 65535 bytes, which the next two count.
_WHOLE_TEXT = b"\x81\x7e"
_HEAD = 4


class Socket(ClientConnection):
    """Made by the SDKs on our behalf, who take any class for it."""

    async def send_text(self, data: bytes) -> None:
        """The same as `send` of text, for a third of it as long as nothing is in the way."""
        if self.protocol.state is not State.OPEN or self.paused or self.transport.is_closing():
            await self.send(data, text=True)
            return
        self.protocol.send_text(data)
        self.send_data()

    def data_received(self, data: bytes) -> None:
        # The commonest, again: one whole frame, and nothing unfinished before it.
        protocol = self.protocol
        if (
            data[:2] == _WHOLE_TEXT
            and len(data) == _HEAD + (data[2] << 8 | data[3])
            and protocol.state is State.OPEN
            and protocol.cur_size is None
            and not protocol.reader.buffer
            and not protocol.extensions
        ):
            self.recv_messages.put(Frame(Opcode.TEXT, data[_HEAD:]))
        else:
            super().data_received(data)

    def abort(self) -> None:
        """Whoever reads or writes is woken. Nothing, before there is anything to break."""
        transport = getattr(self, "transport", None)
        if transport is not None:
            transport.abort()
