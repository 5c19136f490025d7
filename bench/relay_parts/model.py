"""The model of the relay benchmark: OpenAI Realtime, as far as it takes, one frame back for each.

python model.py      prints its port. A request to /flood answers each frame with 100 of them.
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


def message(**fields: object) -> bytes:
    return frame(json.dumps(fields).encode())


def audio(event: str) -> bytes:
    return message(
        type="response.output_audio.delta",
        event_id=event,
        response_id="resp_1",
        item_id="item_1",
        output_index=0,
        content_index=0,
        delta=SAMPLES,
    )


# Two in turns: an event that comes twice in a row is one that was sent twice.
AUDIO = (audio("event_1"), audio("event_2"))
SESSION = {"type": "realtime", "id": "sess_1", "model": "bench", "expires_at": 4_000_000_000}
CREATED = message(type="session.created", event_id="event_0", session=SESSION)
UPDATED = message(type="session.updated", event_id="event_0", session=SESSION)
RESPONSE = message(
    type="response.created",
    event_id="event_0",
    response={"id": "resp_1", "status": "in_progress", "output": []},
)


class Model(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.head = b""
        self.frames: Frames | None = None
        self.answering = False
        self.turn = 0

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
            self.copies = 100 if b"model=flood" in lines[0] else 1
            self.frames = Frames()
            self.transport.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept_key(key) + b"\r\n\r\n"
            )
            self.transport.write(CREATED)
        for opcode, mask, payload in self.frames.feed(data):
            if opcode == 1:
                self.told(mask, payload)
            elif opcode == 8:
                self.transport.write(frame(unmask(mask, payload), 8))
                self.transport.close()
            elif opcode == 9:
                self.transport.write(frame(unmask(mask, payload), 10))

    def told(self, mask: bytes, payload: bytes) -> None:
        # Frames of audio are told by their type, which stands at the front of the message.
        start = unmask(mask, payload[:48])
        if b"input_audio_buffer.append" in start or b'"bench.frame"' in start:
            if not self.answering:
                self.answering = True
                self.transport.write(RESPONSE)
            for _ in range(self.copies):
                self.turn = 1 - self.turn
                self.transport.write(AUDIO[self.turn])
        elif b"session.update" in start:
            self.transport.write(UPDATED)


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Model, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)  # until whoever started it goes


if __name__ == "__main__":
    uvloop.run(main())
