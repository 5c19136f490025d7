"""Blocking HTTP client for threads: an HttpClient on an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Coroutine, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, TypeVar

from antiphon.net.client import HttpClient, HttpResponse
from antiphon.net.errors import HostUnreachableError

_T = TypeVar("_T")


class BlockingHttpClient:
    """Requests of any number of threads at once. Its thread starts with the first request and
    ends with `close`. Every method raises NetworkError."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Any = None

    def request(self, method: str, url: str, **content: Any) -> HttpResponse:
        """Send a request and wait for its whole response; see HttpClient.request."""
        return self._run(self._client.request(method, url, **content))

    @contextmanager
    def stream(self, method: str, url: str, **content: Any) -> Iterator[BlockingStream]:
        """Send a request and yield its response unread; see HttpClient.stream."""
        opened = self._client.stream(method, url, **content)
        response = self._run(opened.__aenter__())
        try:
            yield BlockingStream(response, self._run)
        except BaseException as error:
            self._run(opened.__aexit__(type(error), error, error.__traceback__))
            raise
        self._run(opened.__aexit__(None, None, None))

    def close(self) -> None:
        """Close the kept connections and end the thread; the next request starts another."""
        with self._guard:
            loop, self._loop = self._loop, None
            stop, self._stop = self._stop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._client.close(), loop).result()
            stop()

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        loop = self._running()
        try:
            return asyncio.run_coroutine_threadsafe(work, loop).result()
        except CancelledError:
            raise HostUnreachableError("the client was closed") from None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._loop is None:
                self._loop = loop = asyncio.new_event_loop()
                thread = threading.Thread(target=_serve, args=(loop,), name="http", daemon=True)
                thread.start()
                # A client that nobody closed must not leave its thread behind either.
                self._stop = weakref.finalize(self, _end, loop, thread)
            return self._loop


class BlockingStream:
    """A response that is read while it comes."""

    def __init__(self, response: Any, run: Any) -> None:
        self._response = response
        self._run = run
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    def read(self) -> bytes:
        """The rest of the body."""
        body: bytes = self._run(self._response.aread())
        return body

    def iter_bytes(self, size: int) -> Iterator[bytes]:
        """The body in pieces of `size` bytes, the last one shorter."""
        pieces = self._response.aiter_bytes(size)
        try:
            while (piece := self._run(_next(pieces))) is not None:
                yield piece
        finally:
            self._run(_close(pieces))


async def _next(pieces: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(pieces, None)


async def _close(pieces: AsyncGenerator[bytes, None]) -> None:
    await pieces.aclose()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        waiting = asyncio.all_tasks(loop)
        for task in waiting:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    if thread is not threading.current_thread():
        thread.join()
