"""Realtime transport: the WebSocket of one OpenAI Realtime session, raw messages both ways."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from openai.resources.realtime.realtime import AsyncRealtimeConnection

    from antiphon.providers.socket import Socket


class RealtimeTransport:
    """Messages as they are on the wire, past the SDK: its objects, and a queue of messages for a
    reconnect that never comes here, cost more than all the rest of it."""

    def __init__(self) -> None:
        self.sdk: AsyncRealtimeConnection | None = None
        self._socket: Socket | None = None
        self._reader: asyncio.Task[Any] | None = None  # while it waits for a message
        self._woken = False

    def create(self, *args: Any, **options: Any) -> Socket:
        """Makes the SDK's WebSocket, and keeps hold of it: the SDK shows it to nobody."""
        from antiphon.providers.socket import Socket

        self._socket = Socket(*args, **options)
        return self._socket

    def tap(self, take: Callable[[bytes], bool]) -> None:
        """Offer messages to it as they come, while the reader waits for one."""
        assert self._socket is not None
        self._socket.tap = take

    @property
    def free(self) -> bool:
        return self._socket is not None and self._socket.free

    def write(self, text: bytes) -> None:
        """Send it within this call. Only while the line is `free`."""
        assert self._socket is not None
        self._socket.write_text(text)

    async def put(self, message: dict[str, Any]) -> None:
        await self.send(orjson.dumps(message))

    async def send(self, text: bytes) -> None:
        assert self._socket is not None
        await self._socket.send_text(text)

    async def receive(self) -> bytes:
        assert self._socket is not None
        return await self._socket.recv(decode=False)

    async def receive_or_wake(self) -> bytes | None:
        """The next message; None when `wake` was called, before or meanwhile."""
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
        self._woken = True
        if self._reader is not None:
            self._reader.cancel()

    def _take_wake(self) -> bool:
        woken, self._woken = self._woken, False
        return woken

    def abort(self) -> None:
        if self._socket is not None:
            self._socket.abort()

    async def close(self) -> None:
        if self.sdk is not None:
            try:
                await self.sdk.close()
            finally:
                # Its parts know each other. The collector would stop every conversation for them.
                vars(self.sdk).clear()
                self.sdk = None
