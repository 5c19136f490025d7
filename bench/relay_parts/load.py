"""The people of the relay benchmark: each speaks and listens in frames of 20 ms.

python load.py PORT PATH SESSIONS SECONDS [--start MESSAGE] [--rate HZ] [--ca FILE] [--cut-in]

Prints "ready", waits for a line, and prints what they saw as JSON. With --cut-in, what one person
after another saw who interrupts a model that says far more than it should.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import ssl
import statistics
import sys
import time
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).parent))
from wire import Frames, frame, unmask

FRAME = 0.02
# Longer than any player buffers: what comes later than that is heard as a gap.
LATE = 0.06
# What is left of a turn would have come by then.
SILENCE = 0.5
# In the middle of a turn there is no more than this from one frame to the next.
MIDST = 0.002
INTERRUPT = frame(b'{"type":"interrupt"}', masked=True)


def spoken(rate: int, kind: str) -> bytes:
    data = base64.b64encode(b"\x01\x02" * (rate // 50)).decode()
    return frame(json.dumps({"type": kind, "data": data}).encode(), masked=True)


READY = (b"setup_complete", b"session.created", b"setupComplete")


class Person(asyncio.Protocol):
    def __init__(self, port: int, path: str, start: bytes, spoken: bytes) -> None:
        self.path, self.port = path, port
        self.start, self.spoken = start, spoken
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.clock = time.perf_counter  # the loop's own clock ticks in milliseconds
        self.head, self.frames = b"", None
        self.sent: list[float] = []
        self.taken: list[float] = []
        self.got = 0
        self.last = 0.0
        self.said: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self.frames is None:
            self.head += data
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self.head[:20]:
                self.fail(self.head[:200].decode("latin-1"))
                return
            data, self.frames = self.head[end + 4 :], Frames()
            if self.start:
                self.transport.write(frame(self.start, masked=True))
        for opcode, mask, payload in self.frames.feed(data):
            if opcode == 9:
                self.transport.write(frame(unmask(mask, payload), 10, masked=True))
            elif opcode == 8:
                self.fail(f"closed: {payload[2:]!r}; before that {self.said[-3:]}")
            elif len(payload) > 900:  # audio, and nothing else is that long here
                if self.got < len(self.sent):
                    self.taken.append(self.clock() - self.sent[self.got])
                self.got += 1
                self.last = self.clock()
            else:
                self.said.append(payload.decode("utf-8", "replace"))
                if not self.ready.done() and any(word in payload for word in READY):
                    self.ready.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        self.fail(f"connection lost: {error}; before that {self.said[-3:]}")

    def fail(self, why: str) -> None:
        if not self.ready.done():
            self.ready.set_exception(RuntimeError(why))

    async def speak(self, frames: int, offset: float) -> None:
        begin = self.clock() + offset
        for number in range(frames):
            await asyncio.sleep(max(0.0, begin + number * FRAME - self.clock()))
            self.sent.append(self.clock())
            self.transport.write(self.spoken)


async def talk(people: list[Person], seconds: float) -> dict[str, float | None]:
    """All at once, each with a moment of its own within the 20 ms."""
    count = int(seconds / FRAME)
    await asyncio.gather(*(p.speak(count, n * FRAME / len(people)) for n, p in enumerate(people)))
    for _ in range(100):
        if all(p.got >= count for p in people):
            break
        await asyncio.sleep(0.02)
    taken = sorted(t for p in people for t in p.taken)
    lost = sum(max(0, count - p.got) for p in people)
    return {
        "frames": sum(min(p.got, count) for p in people),
        "lost": lost,
        "late": sum(t > LATE for t in taken) + lost,
        "p50_ms": taken[len(taken) // 2] * 1000 if taken else None,
        "p99_ms": taken[int(len(taken) * 0.99)] * 1000 if taken else None,
        "max_ms": taken[-1] * 1000 if taken else None,
    }


async def cut_in(people: list[Person], seconds: float) -> dict[str, float]:
    """One after another, who go on speaking, and so does the model; then they hang up."""
    took = []
    for person in people:
        speaking = asyncio.create_task(person.speak(int((seconds + SILENCE) / FRAME), 0))
        await asyncio.sleep(seconds)
        while person.clock() - person.last > MIDST:
            if speaking.done():
                raise RuntimeError(f"the model is silent; {person.said[-3:]}")
            await asyncio.sleep(MIDST / 2)
        began = person.clock()
        person.transport.write(INTERRUPT)
        await speaking
        took.append(max(0.0, person.last - began) * 1000)
        person.transport.abort()
        await asyncio.sleep(SILENCE)  # what the model said in vain is not the next one's burden
    return {"ms": statistics.median(took), "worst_ms": max(took), "frames": people[-1].got}


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("path")
    parser.add_argument("sessions", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--start", default="")
    parser.add_argument("--rate", type=int, default=16_000)
    parser.add_argument("--ca")
    parser.add_argument("--cut-in", action="store_true")
    options = parser.parse_args()
    port, path, start = options.port, options.path, options.start.encode()
    speech = spoken(options.rate, "audio" if path == "/ws/vox" else "bench.frame")
    trusted = ssl.create_default_context(cafile=options.ca) if options.ca else None
    loop = asyncio.get_running_loop()
    people: list[Person] = []
    for _ in range(options.sessions):
        _, person = await loop.create_connection(
            lambda: Person(port, path, start, speech), "127.0.0.1", port, ssl=trusted
        )
        people.append(person)
        await asyncio.wait_for(person.ready, 20)
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    act = cut_in if options.cut_in else talk
    print(json.dumps(await act(people, options.seconds)), flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    for person in people:
        person.transport.abort()


if __name__ == "__main__":
    uvloop.run(main())
