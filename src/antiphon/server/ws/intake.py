"""Receive loop of a socket: message by message, with a synchronous path for audio."""

from __future__ import annotations

from typing import Any

from starlette.types import Receive

from antiphon.agents.voice.engine import VoiceEngine
from antiphon.fastpath.server import FastServerProtocol
from antiphon.server.speech_meter import SpeechMeter
from antiphon.server.ws.client_messages import speech
from antiphon.server.ws.outlet import SocketOutlet
from antiphon.server.ws.throttle import Throttle


class Intake:
    """Reader of one client's messages.

    While `next` waits and nothing came before it, speech goes to `engine` on the fast path;
    `next` returns everything else, in order.
    """

    def __init__(
        self,
        receive: Receive,
        protocol: FastServerProtocol | None,
        outlet: SocketOutlet,
        throttle: Throttle,
    ) -> None:
        self.engine: VoiceEngine | None = None
        self.meter: SpeechMeter | None = None  # of what is heard, where that is limited
        self._receive = receive
        self._protocol = protocol
        self._outlet = outlet
        self._throttle = throttle
        self._idle = False  # nothing came that is not dealt with
        self._broken: Exception | None = None

    def open(self) -> None:
        if self._protocol is not None:
            self._protocol.on_message = self._on_message

    def close(self) -> None:
        if self._protocol is not None:
            self._protocol.on_message = None

    async def next(self) -> Any:
        """Return the next ASGI event that did not take the fast path."""
        self._idle = True
        event = await self._receive()
        self._idle = False
        if self._broken is not None:
            raise self._broken
        return event

    def _on_message(self, data: bytes, text: bool) -> bool:
        """Hand speech to the engine; return False for anything else, or if it has to wait."""
        engine, outlet = self.engine, self._outlet
        if engine is None or not self._idle or outlet.closed or not self._throttle.has(len(data)):
            return False
        pcm = speech(data, text) if text or outlet.binary else None
        try:
            if pcm is None or not engine.try_send_audio(pcm):
                return False
        except Exception as error:  # noqa: BLE001 - raised where it is looked for
            self._broken = error
            return False
        self._throttle.take(len(data))
        if self.meter is not None:
            self.meter.add(len(pcm))
        return True
