"""The socket of a live line, against a server that writes its frames by hand."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from antiphon.fastpath.client import FastClientConnection
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time(ignore=("socket:*",), timeout=20)

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
ANSWER = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)
Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter, bytes], Coroutine[Any, Any, None]]


def frame(payload: bytes, first: int = 0x81) -> bytes:
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", first, size) + payload
    return struct.pack("!BBH", first, 126, size) + payload


def message(number: int, size: int = 640) -> bytes:
    return (b"%d " % number).ljust(size, b".")


@asynccontextmanager
async def connected(peer: Peer) -> AsyncIterator[FastClientConnection]:
    """A line to a server whose answer `peer` writes, and whatever it likes after it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        key = request.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        try:
            await peer(reader, writer, ANSWER % accept)
            writer.write_eof()
            await reader.read()  # until the other side has gone, too
        finally:
            writer.close()
            served.set()

    served = asyncio.Event()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        async with connect(
            f"ws://127.0.0.1:{port}",
            create_connection=FastClientConnection,
            compression=None,
            close_timeout=0.2,
            proxy=None,
        ) as line:
            assert isinstance(line, FastClientConnection)
            yield line
    finally:
        async with asyncio.timeout(60):
            await served.wait()
        server.close()
        await server.wait_closed()


def run(main: Any) -> None:
    run_real(main, timeout=20, ignore=("socket:*",))


async def in_pieces(writer: asyncio.StreamWriter, stream: bytes, *cuts: int) -> None:
    """Each piece on its own, as far as a socket can be made to."""
    for begin, end in zip((0, *cuts), (*cuts, len(stream)), strict=True):
        writer.write(stream[begin:end])
        for _ in range(5):  # the reader is on the same loop: these are its turns
            await asyncio.sleep(0)


@pytest.mark.parametrize("cut", [-2, 0, 1, 2, 3, 4, 5, 644, 700])
async def test_the_first_frames_may_come_with_the_answer_and_be_cut_anywhere(cut: int) -> None:
    sent = [message(0), message(1), message(2, 20), message(3)]

    async def peer(_: Any, writer: asyncio.StreamWriter, answer: bytes) -> None:
        stream = answer + b"".join(frame(each) for each in sent)
        await in_pieces(writer, stream, len(answer) + cut)

    async with connected(peer) as line:
        assert [await line.recv(decode=False) for _ in sent] == sent


async def test_a_server_that_refuses_is_understood() -> None:
    async def peer(_: Any, writer: asyncio.StreamWriter, answer: bytes) -> None:
        del answer
        body = b"not\r\n\r\nhere".ljust(300, b"!")
        head = b"HTTP/1.1 404 Not Found\r\nContent-Length: 300\r\n\r\n"
        await in_pieces(writer, head + body, 30, len(head), len(head) + 5)

    with pytest.raises(InvalidStatus) as refused:
        async with connected(peer):
            pass
    assert refused.value.response.status_code == 404
    assert refused.value.response.body is not None
    assert refused.value.response.body.startswith(b"not\r\n\r\nhere!")


async def test_whoever_waits_has_messages_at_once_and_none_overtakes_another() -> None:
    """Some are taken at once, some refused, some too short for it, some come in a heap."""
    sizes = [640, 640, 20, 640, 126, 640] + [640] * 40
    sent = [message(number, size) for number, size in enumerate(sizes)]

    async def peer(_: Any, writer: asyncio.StreamWriter, answer: bytes) -> None:
        await in_pieces(writer, answer)
        for each in sent[:6]:
            await in_pieces(writer, frame(each))
        await in_pieces(writer, b"".join(frame(each) for each in sent[6:]))

    got: list[bytes] = []
    taken: list[bytes] = []

    def take(data: bytes, text: bool) -> bool:
        if data.startswith(b"1 "):
            return False
        got.append(data)
        taken.append(data)
        return True

    async with connected(peer) as line:
        line.on_message = take
        while len(got) < len(sent) - 1:
            got.append(await line.recv(decode=False))
            if got[-1].startswith(b"45"):
                break
        assert got == sent[: len(got)]
        assert sent[0] in taken
        assert sent[1] not in taken  # it was refused
        assert sent[2] not in taken  # a short one has the usual way
        # A server that says a great deal does not keep everybody else waiting.
        assert 0 < len([each for each in taken if each in sent[6:]]) <= 16


async def test_a_message_in_pieces_and_a_ping_have_the_usual_way() -> None:
    async def peer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes
    ) -> None:
        parts = frame(b"a" * 200, 0x01), frame(b"?", 0x89), frame(b"b" * 200, 0x80)
        await in_pieces(writer, answer)
        await in_pieces(writer, b"".join(parts) + frame(message(1)), 100, 205, 210)
        assert (await reader.readexactly(2))[0] == 0x8A  # the ping is answered

    taken: list[bytes] = []

    def take(data: bytes, text: bool) -> bool:
        taken.append(data)
        return False

    async with connected(peer) as line:
        line.on_message = take
        assert await line.recv(decode=False) == b"a" * 200 + b"b" * 200
        assert await line.recv(decode=False) == message(1)
        assert not [each for each in taken if each != message(1)]


@pytest.mark.parametrize("size", [1, 125, 126, 640, 65_535, 65_536])
async def test_what_is_written_at_once_is_what_the_server_reads(size: int) -> None:
    read: list[bytes] = []

    async def peer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes
    ) -> None:
        writer.write(answer)
        for _ in range(3):
            first, second = await reader.readexactly(2)
            assert first == 0x81
            assert second & 0x80  # a client has to mask
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", await reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await reader.readexactly(8))
            mask = await reader.readexactly(4)
            masked = await reader.readexactly(length)
            read.append(bytes(byte ^ mask[n % 4] for n, byte in enumerate(masked)))
            masks.add(mask)
        writer.write(frame(b"done"))

    masks: set[bytes] = set()
    async with connected(peer) as line:
        assert line.writable
        for letter in b"abc":
            assert line.try_send(bytes([letter]) * size)
        assert await line.recv() == "done"
    assert read == [bytes([letter]) * size for letter in b"abc"]
    assert len(masks) == 3, "each message has a mask of its own"


async def test_a_line_that_is_gone_is_not_writable() -> None:
    async def peer(_: Any, writer: asyncio.StreamWriter, answer: bytes) -> None:
        await in_pieces(writer, answer)

    async with connected(peer) as line:
        with pytest.raises(ConnectionClosed):
            await line.recv()
        assert not line.writable
