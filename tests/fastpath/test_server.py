"""The server's end of a WebSocket, from a client that writes its frames by hand."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from antiphon.fastpath.server import FastServerProtocol
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time(ignore=("socket:*",), timeout=20)

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
MASK = b"\x11\x22\x33\x44"
# Around every change of a frame's head, and of who handles it.
SIZES = [1, 125, 126, 127, 640, 65_535, 65_536, 70_000]


async def echo(scope: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        kind = "bytes" if event.get("text") is None else "text"
        await send({"type": "websocket.send", kind: event[kind]})


def frame(payload: bytes, opcode: int = TEXT, *, last: bool = True) -> bytes:
    size = len(payload)
    first = (0x80 if last else 0) | opcode
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + MASK + bytes(b ^ MASK[n % 4] for n, b in enumerate(payload))


class Wire:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def put(self, *pieces: bytes) -> None:
        """Each piece on its own, as far as a socket can be made to."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()
            await asyncio.sleep(0)

    async def get(self) -> tuple[int, bytes]:
        async with asyncio.timeout(60):
            first, size = await self.reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 15, await self.reader.readexactly(size)


@asynccontextmanager
async def connected() -> AsyncIterator[Wire]:
    started = asyncio.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            echo,
            ws=FastServerProtocol,
            ws_per_message_deflate=False,
            lifespan="off",
            log_level="critical",
        )
        server = Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        async with asyncio.timeout(60):
            await started.wait()
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        try:
            yield Wire(reader, writer)
        finally:
            writer.close()
            await asyncio.wait([asyncio.create_task(writer.wait_closed())])
            server.should_exit = True
            await serving


def run(main: Any) -> None:
    run_real(main, timeout=20, ignore=("socket:*",))


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
async def test_messages_of_every_size_go_both_ways(opcode: int) -> None:
    async with connected() as wire:
        for size in SIZES:
            payload = b"x" * size
            await wire.put(frame(payload, opcode))
            assert await wire.get() == (opcode, payload), size


async def test_messages_keep_their_order_however_their_bytes_are_cut() -> None:
    messages = [bytes([65 + n]) * size for n, size in enumerate((640, 3, 640, 126, 900, 640))]
    stream = b"".join(frame(message) for message in messages)

    async with connected() as wire:
        for step in (1, 7, 647, 648, 649, 1300, len(stream)):
            await wire.put(*(stream[n : n + step] for n in range(0, len(stream), step)))
            assert [(await wire.get())[1] for _ in messages] == messages, step


async def test_a_message_in_pieces_is_one_message_and_a_ping_between_them_is_answered() -> None:
    async with connected() as wire:
        await wire.put(frame(b"a" * 200, last=False))
        await wire.put(frame(b"still there?", PING))
        assert await wire.get() == (PONG, b"still there?")
        await wire.put(frame(b"b" * 200, 0))
        assert await wire.get() == (TEXT, b"a" * 200 + b"b" * 200)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([frame(b"\xff" * 200)], 1007),
        ([frame(b"a" * 200, last=False), frame(b"b" * 200)], 1002),
        ([b"\x81\x7e\x00\xc8" + b"x" * 200], 1002),  # a client has to mask
        ([frame(b"x" * 200)[:1].replace(b"\x81", b"\xc1") + frame(b"x" * 200)[1:]], 1002),
    ],
    ids=["no UTF-8", "a message within another", "no mask", "reserved bits"],
)
async def test_what_breaks_the_protocol_is_refused_as_before(
    frames: list[bytes], code: int
) -> None:
    async with connected() as wire:
        await wire.put(*frames)
        opcode, payload = await wire.get()
        assert (opcode, struct.unpack("!H", payload[:2])[0]) == (CLOSE, code)


@pytest.mark.parametrize("size", [20, 200, 70_000])
async def test_a_text_that_is_none_is_one_short_line_in_the_log(
    size: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected() as wire:
        await wire.put(frame(b"\xff" * size))
        assert (await wire.get())[1][:2] == struct.pack("!H", 1007)
    (record,) = caplog.records
    assert (record.exc_info, len(record.getMessage().splitlines())) == (None, 1)
    assert "not UTF-8" in record.getMessage()


async def test_nothing_is_taken_after_a_close() -> None:
    async with connected() as wire:
        await wire.put(frame(struct.pack("!H", 1000), CLOSE) + frame(b"x" * 200))
        opcode, payload = await wire.get()
        assert (opcode, payload) == (CLOSE, struct.pack("!H", 1000))
        assert await wire.reader.read() == b""
