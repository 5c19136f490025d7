"""Speech that goes on within the call that brings it: in order, and with nothing left behind."""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import socket
from typing import Any

import pytest
import uvicorn
from tests.fastpath.test_server import Wire, frame
from tests.server.ws.phone import Phone, VoiceServe, eventually

from antiphon.agents.voice.engine import VoiceEngine
from antiphon.fastpath.client import FastClientConnection
from antiphon.fastpath.server import FastServerProtocol
from antiphon.providers.live import LiveConnection
from antiphon.server.ws.socket_session import VoxSocket


class Application:
    """Takes what it can at once, and keeps everything in the order in which it was dealt with."""

    def __init__(self) -> None:
        self.idle = False
        self.at_once: list[bytes] = []
        self.all: list[bytes] = []
        self.complete = asyncio.Event()

    def take(self, data: bytes, text: bool) -> bool:
        if not self.idle or not text or data.startswith(b"!"):
            return False
        self.at_once.append(data)
        self.keep(data)
        return True

    def keep(self, data: bytes) -> None:
        self.all.append(data)
        if data.startswith(b"end"):
            self.complete.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        receive.__self__.on_message = self.take
        while True:
            self.idle = True
            event = await receive()
            self.idle = False
            if event["type"] != "websocket.receive":
                return
            await asyncio.sleep(0)  # it takes its time
            self.keep(event["text"].encode())


@pytest.mark.real_time(ignore=("socket:*",), timeout=30)
async def test_nothing_overtakes_what_waits() -> None:
    sizes = [640, 20, 640, 640, 126, 640, 640, 640]
    messages = [(b"%d " % n).ljust(size, b".") for n, size in enumerate(sizes)]
    messages[3] = b"!" + messages[3]  # one that is not taken at once
    messages.append(b"end".ljust(640, b"."))
    stream = b"".join(frame(message) for message in messages)

    for step in (len(stream), 1300, 656, 700, 9, 648):
        application = Application()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            config = uvicorn.Config(
                application, ws=FastServerProtocol, lifespan="off", log_level="critical"
            )
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve([listener]))
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            await reader.readuntil(b"\r\n\r\n")
            pieces = (stream[n : n + step] for n in range(0, len(stream), step))
            await Wire(reader, writer).put(*pieces)
            async with asyncio.timeout(60):
                await application.complete.wait()
            writer.close()
            server.should_exit = True
            await serving
        assert application.all == messages, step
        assert messages[0] in application.at_once
        assert messages[3] not in application.at_once


@pytest.mark.parametrize("api", ["gemini", "openai"])
def test_a_conversation_in_speech_is_whole_and_leaves_nothing_to_the_collector(
    voice_serve: VoiceServe, api: str
) -> None:
    """The collector stops everybody's conversation: what has ended has to go without it."""

    def left() -> list[type]:
        kinds = (FastServerProtocol, VoxSocket, VoiceEngine, LiveConnection, FastClientConnection)
        return [type(each) for each in gc.get_objects() if issubclass(type(each), kinds)]

    with voice_serve.talking(api) as (client, emulator, app):
        gc.collect()
        gc.disable()
        try:
            with Phone(client.port) as phone:
                phone.start(api)
                assert left()
                # In one write: speech, and what ends it right behind.
                spoken = [bytes([n, 0]) * 320 for n in range(30)]
                texts = [
                    json.dumps({"type": "audio", "data": base64.b64encode(each).decode()}).encode()
                    for each in spoken
                ]
                end = frame(json.dumps({"type": "audio_end"}).encode())
                phone.socket.socket.sendall(b"".join(map(frame, texts)) + end)
                if api == "gemini":
                    assert phone.until("transcript", role="user")["text"] == "hello"
                    phone.until("turn_complete")
                phone.works()
            heard = _heard(emulator.received, api)
            if api == "gemini":
                assert heard == b"".join(spoken)
            else:
                assert len(heard) >= 30 * 960  # at another rate, and then the silence that ends it
            eventually(lambda: app.services.voice.held == 0)
            eventually(lambda: not left())
        finally:
            gc.enable()


def _heard(received: Any, api: str) -> bytes:
    """The samples that the model got, in order."""
    samples = b""
    for each in received:
        body = json.loads(json.dumps(getattr(each, "body", each), default=str))
        if api == "gemini":
            audio = (body.get("realtime_input") or {}).get("audio")
            if audio:
                samples += base64.urlsafe_b64decode(audio["data"])
        elif body.get("type") == "input_audio_buffer.append":
            samples += base64.b64decode(body["audio"])
    return samples
