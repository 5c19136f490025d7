"""The bytes of one accepted connection, plain or TLS, down to how and when it ends."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

# How long the other side gets to end a connection that we have ended properly.
GRACE = 1.0
_PIECE = 65536


class SocketGone(ConnectionError):
    """The connection has ended, so nothing can be sent on it any more."""


@dataclass(frozen=True, slots=True)
class WireEvent:
    """Something that happened on a connection, for whoever watches the traffic.

    From the client: `open`, `request` (an HttpRequest), `message`, `gone`. To it: `status`, `body`
    or `piece` of HTTP, `message`, `close` (code and reason), `cut`.
    """

    client: int  # the connection, counted from 1
    way: Literal["in", "out"]
    what: str
    data: Any = None


class Peer:
    """The client of one connection. Its going away is the end of `read`, and SocketGone to `write`.

    TLS is done here and not by the event loop, whose transport keeps a buffer of its own and waits
    for the other side when it closes: only so is what `write` took out of our hands when it
    returns, and `abort` at once.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        context: ssl.SSLContext | None,
        watch: Callable[[WireEvent], None] | None = None,
        number: int = 0,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.left = False  # whether `read` came to the end
        self._watch = watch
        self._number = number
        # `drain` then waits until everything is with the system, so that a cut loses nothing.
        writer.transport.set_write_buffer_limits(high=0)
        self._tls: ssl.SSLObject | None = None
        if context is not None:
            self._coming = ssl.MemoryBIO()
            self._going = ssl.MemoryBIO()
            self._tls = context.wrap_bio(self._coming, self._going, server_side=True)

    def notify(self, way: Literal["in", "out"], what: str, data: Any = None) -> None:
        """Pass an event to whoever watches the traffic."""
        if self._watch is not None:
            self._watch(WireEvent(self._number, way, what, data))

    async def handshake(self) -> bool:
        """Do the TLS handshake, if there is any; False if the client does not go along with it."""
        if self._tls is None:
            return True
        try:
            while True:
                try:
                    self._tls.do_handshake()
                except ssl.SSLWantReadError:
                    await self._flush()
                    await self._more()
                else:
                    await self._flush()
                    return True
        except ssl.SSLError:
            self._writer.write(self._going.read())  # the alert that tells the client why
            await self.finish()
            return False

    async def read(self) -> bytes:
        """Return what came next; empty once the client has ended the connection in any way."""
        try:
            data = await self._read()
        except OSError:  # every error of TLS is one, too
            data = b""
        self.left = not data
        return data

    async def _read(self) -> bytes:
        if self._tls is None:
            return await self._reader.read(_PIECE)
        while True:
            try:
                return self._tls.read(_PIECE)
            except ssl.SSLWantReadError:
                await self._flush()
                await self._more()

    async def write(self, data: bytes) -> None:
        """Send bytes and return when the system has taken them all. Raises SocketGone."""
        self.put(data)
        await self._drain()

    def put(self, data: bytes) -> None:
        """Send bytes without waiting until the system has taken them. Raises SocketGone."""
        if self._writer.is_closing():
            raise SocketGone("the connection has ended")
        if self._tls is None:
            self._writer.write(data)
            return
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._tls.write(rest) :]
        except ssl.SSLError as error:
            raise SocketGone(f"the connection has ended: {error}") from error
        self._writer.write(self._going.read())

    def abort(self) -> None:
        """Close the connection at once, in the middle of whatever is going on."""
        self._writer.transport.abort()

    async def finish(self) -> None:
        """Close the connection properly.

        What was sent arrives before the end; the client has a second to follow.
        """
        with suppress(OSError):
            async with asyncio.timeout(GRACE):
                if self._tls is not None:
                    with suppress(ssl.SSLError):  # it wants the client's answer: see below
                        self._tls.unwrap()
                    await self._flush()
                self._writer.write_eof()
                # Closing while something is unread would be a reset, which may overtake our data.
                while await self._reader.read(_PIECE):
                    pass
        self.abort()

    async def ended(self) -> None:
        """Return when the socket is closed, which must be under way."""
        with suppress(OSError):
            await self._writer.wait_closed()

    async def _more(self) -> None:
        data = await self._reader.read(_PIECE)
        if data:
            self._coming.write(data)
        else:
            self._coming.write_eof()

    async def _flush(self) -> None:
        if data := self._going.read():
            self._writer.write(data)
            await self._drain()

    async def _drain(self) -> None:
        try:
            await self._writer.drain()
        except OSError as error:
            raise SocketGone(f"the connection has ended: {error}") from error
