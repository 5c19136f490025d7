"""Receive loop of a socket: message by message, with a synchronous path for audio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Send

from antiphon.agents.voice.engine import VoiceEngine
from antiphon.server.ws.client_messages import speech
from antiphon.server.ws.outlet import Put, SocketOutlet
from antiphon.server.ws.throttle import Throttle
from antiphon.server.ws.websocket_protocol import VoxProtocol


class Intake:
    """Speech for `engine` goes on within the call that brings it, as long as everything that came
    before it is dealt with. `next` has all the rest, in order."""

    def __init__(
        self, receive: Receive, server: VoxProtocol | None, outlet: SocketOutlet, throttle: Throttle
    ) -> None:
        self.engine: VoiceEngine | None = None
        self._receive = receive
        self._server = server
        self._outlet = outlet
        self._throttle = throttle
        self._idle = False  # nothing came that is not dealt with
        self._broken: Exception | None = None

    def open(self) -> None:
        if self._server is not None:
            self._server.taker = self._at_once

    def close(self) -> None:
        if self._server is not None:
            self._server.taker = None

    async def next(self) -> Any:
        """The next message that was not dealt with at once."""
        self._idle = True
        event = await self._receive()
        self._idle = False
        if self._broken is not None:
            raise self._broken
        return event

    def _at_once(self, data: bytes, text: bool) -> bool:
        """False: it is something else, or has to wait, and comes the usual way."""
        engine, outlet = self.engine, self._outlet
        if engine is None or not self._idle or outlet.closed or not self._throttle.has(len(data)):
            return False
        pcm = speech(data, text) if text or outlet.binary else None
        try:
            if pcm is None or not engine.hear(pcm):
                return False
        except Exception as error:  # noqa: BLE001 - raised where it is looked for
            self._broken = error
            return False
        self._throttle.take(len(data))
        return True


def server_of(send: Send) -> VoxProtocol | None:
    """The server's end of the socket, when it is one that can do more than ASGI has words for."""
    server = getattr(send, "__self__", None)
    return server if isinstance(server, VoxProtocol) else None


def put_of(server: VoxProtocol | None) -> Put | None:
    return server.put if server is not None else None


def abort_of(send: Send) -> Callable[[], None]:
    """Cuts a connection. ASGI has no word for that, and to close one waits for the other side to
    read; so the transport of the server is asked, whose method `send` is."""
    protocol = getattr(send, "__self__", None)

    def abort() -> None:
        transport = getattr(protocol, "transport", None)
        if transport is not None:
            transport.abort()

    return abort
