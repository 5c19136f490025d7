"""Realtime transport: the WebSocket of one OpenAI Realtime session, raw messages both ways."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection

    from antiphon.fastpath.client import FastClientConnection
    from antiphon.fastpath.frames import OnMessage


class RealtimeTransport:
    """Raw messages of one session, past the SDK: its objects, and its queue for a reconnect that
    never comes here, cost more than all the rest of it."""

    def __init__(self) -> None:
        self.sdk: AsyncRealtimeConnection | None = None
        self._socket: FastClientConnection | None = None
        self._reader: asyncio.Task[Any] | None = None  # while it waits for a message
        self._woken = False

    def create(self, *args: Any, **options: Any) -> FastClientConnection:
        """Make the SDK's WebSocket and keep a reference to it: the SDK shows it to nobody."""
        from antiphon.fastpath.client import FastClientConnection

        self._socket = FastClientConnection(*args, **options)
        return self._socket

    def set_on_message(self, handler: OnMessage) -> None:
        """Offer messages to `handler` synchronously while the reader waits for one."""
        assert self._socket is not None
        self._socket.on_message = handler

    @property
    def writable(self) -> bool:
        """Whether the socket is open and takes a message now."""
        return self._socket is not None and self._socket.writable

    def send_now(self, text: bytes) -> None:
        """Send one message synchronously. Only while the transport is `writable`."""
        assert self._socket is not None
        self._socket.send_now(text)

    async def send_json(self, message: dict[str, Any]) -> None:
        """Send one message, waiting while the write buffer is full."""
        await self.send(orjson.dumps(message))

    async def send(self, text: bytes) -> None:
        """Send the bytes of one message, waiting while the write buffer is full."""
        assert self._socket is not None
        await self._socket.send_text(text)

    async def receive(self) -> bytes:
        """Return the next message."""
        assert self._socket is not None
        return await self._socket.recv(decode=False)

    async def receive_or_wake(self) -> bytes | None:
        """Return the next message; None if `wake` was called, before or meanwhile."""
        assert self._socket is not None
        if self._take_wake():
            return None
        # By hand what asyncio.timeout does, but once a session instead of once a message.
        self._reader = task = asyncio.current_task()
        assert task is not None
        before = task.cancelling()
        try:
            return await self._socket.recv(decode=False)
        except asyncio.CancelledError:
            if not self._take_wake() or task.uncancel() > before:
                raise  # somebody else wants it to end
            return None
        finally:
            self._reader = None
            del task  # which keeps the exception that keeps this frame

    def wake(self) -> None:
        """Make the reader in `receive_or_wake` return None."""
        self._woken = True
        if self._reader is not None:
            self._reader.cancel()

    def _take_wake(self) -> bool:
        woken, self._woken = self._woken, False
        return woken

    def abort(self) -> None:
        """Cut the connection at once."""
        if self._socket is not None:
            self._socket.abort()

    async def close(self) -> None:
        """Close the session through the SDK, and free its parts."""
        if self.sdk is not None:
            try:
                await self.sdk.close()
            finally:
                # Its parts know each other. The collector would stop every conversation for them.
                vars(self.sdk).clear()
                self.sdk = None
