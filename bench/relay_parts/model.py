"""The model of the relay benchmark: as much of a live API as it takes, one frame back for each.

python model.py [gemini FOLDER]      prints its port

OpenAI's Realtime API; with `gemini` Google's Live API over TLS, its certificate to be trusted in
FOLDER. A model named "flood" says more than anybody could relay.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).parent))
from wire import Frames, accept_key, frame, unmask

SAMPLES = base64.b64encode(b"\x10\x20" * 480).decode()  # 20 ms at 24 kHz
FLOOD = 500  # frames for each


def message(**fields: object) -> bytes:
    return frame(json.dumps(fields).encode())


class Model(asyncio.Protocol):
    """Whoever connects is a session of its own."""

    copies = 1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.head = b""
        self.frames: Frames | None = None

    def data_received(self, data: bytes) -> None:
        if self.frames is None:
            self.head += data
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return
            data, self.head = self.head[end + 4 :], self.head[:end]
            lines = self.head.split(b"\r\n")
            key = next(
                v
                for k, _, v in (x.partition(b": ") for x in lines)
                if k.lower() == b"sec-websocket-key"
            )
            self.frames = Frames()
            self.transport.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept_key(key) + b"\r\n\r\n"
            )
            self.begin(lines[0])
        for opcode, mask, payload in self.frames.feed(data):
            if opcode == 1:
                self.told(mask, payload)
            elif opcode == 8:
                self.transport.write(frame(unmask(mask, payload), 8))
                self.transport.close()
            elif opcode == 9:
                self.transport.write(frame(unmask(mask, payload), 10))

    def begin(self, request: bytes) -> None:
        """The line is open."""

    def told(self, mask: bytes, payload: bytes) -> None:
        """A message came. Audio is told by its type, which stands near the front."""
        raise NotImplementedError


def delta(event: str) -> bytes:
    return message(
        type="response.output_audio.delta",
        event_id=event,
        response_id="resp_1",
        item_id="item_1",
        output_index=0,
        content_index=0,
        delta=SAMPLES,
    )


SESSION = {"type": "realtime", "id": "sess_1", "model": "bench", "expires_at": 4_000_000_000}
PART = {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": SAMPLES}}


class Realtime(Model):
    CREATED = message(type="session.created", event_id="event_0", session=SESSION)
    UPDATED = message(type="session.updated", event_id="event_0", session=SESSION)
    RESPONSE = message(
        type="response.created",
        event_id="event_0",
        response={"id": "resp_1", "status": "in_progress", "output": []},
    )
    # Two in turns: an event that comes twice in a row is one that was sent twice.
    AUDIO = (delta("event_1"), delta("event_2"))

    def begin(self, request: bytes) -> None:
        self.answering = False
        self.turn = 0
        self.copies = FLOOD if b"model=flood" in request else 1
        self.transport.write(self.CREATED)

    def told(self, mask: bytes, payload: bytes) -> None:
        start = unmask(mask, payload[:96])
        if b"input_audio_buffer.append" in start or b'"bench.frame"' in start:
            if not self.answering:
                self.answering = True
                self.transport.write(self.RESPONSE)
            for _ in range(self.copies):
                self.turn = 1 - self.turn
                self.transport.write(self.AUDIO[self.turn])
        elif b"session.update" in start:
            self.transport.write(self.UPDATED)


class Gemini(Model):
    READY = message(setupComplete={})
    AUDIO = message(serverContent={"modelTurn": {"parts": [PART], "role": "model"}})

    def told(self, mask: bytes, payload: bytes) -> None:
        start = unmask(mask, payload[:96])
        if b'"audio":' in start or b'"bench.frame"' in start:
            for _ in range(self.copies):
                self.transport.write(self.AUDIO)
        elif b'"setup"' in start:
            self.copies = FLOOD if b"models/flood" in start else 1
            self.transport.write(self.READY)


async def main() -> None:
    loop = asyncio.get_running_loop()
    if sys.argv[1:2] == ["gemini"]:
        from antiphon.emulators.wire.tls import TestAuthority

        context = TestAuthority.saved(Path(sys.argv[2])).server_context()
        server = await loop.create_server(Gemini, "127.0.0.1", 0, ssl=context)
    else:
        server = await loop.create_server(Realtime, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)  # until whoever started it goes


if __name__ == "__main__":
    uvloop.run(main())
