"""A small HTTP server on loopback that answers as a test says, or hangs up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import orjson


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


@dataclass
class Answer:
    status: int = 200
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)


class HangUp(Exception):
    """Close the connection instead of an answer; the request may have had its effect."""


Handler = Callable[[Request], Awaitable[Answer]]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """The address of a server that lives as long as the block."""
    tasks: set[asyncio.Task[Any]] = set()

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            while (request := await _read(reader)) is not None:
                answer = await handler(request)
                plain = isinstance(answer.body, bytes)
                body = answer.body if plain else orjson.dumps(answer.body)
                head = {"content-length": str(len(body)), **answer.headers}
                lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
                writer.write(f"HTTP/1.1 {answer.status} X\r\n{lines}\r\n".encode() + body)
                await writer.drain()
        except (HangUp, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


@contextmanager
def in_thread(handler: Handler) -> Iterator[str]:
    """The same, on a loop of its own, for tests that are not on one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(10)

    server = serving(handler)
    try:
        yield run(_entered(server))
    finally:
        run(_left(server))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _entered(server: AbstractAsyncContextManager[str]) -> str:
    return await server.__aenter__()


async def _left(server: AbstractAsyncContextManager[str]) -> None:
    await server.__aexit__(None, None, None)


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, unquote(parts.path), dict(parse_qsl(parts.query)), headers, body)
