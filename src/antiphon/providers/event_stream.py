"""Server-sent event filter: each event of a stream checked before an SDK sees it.

SDKs raise in the middle of a stream when an event is an error or makes no sense, and leave the
rest of it, with a chain of generators, to the garbage collector. Here such an event is kept from
them: the stream ends as it should, and whoever `watch`es it finds the trouble afterwards.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import httpx2

Check = Callable[[Any], Exception | None]

_watched: ContextVar[list[Exception] | None] = ContextVar("watched", default=None)


def watch() -> list[Exception]:
    """Return a list that collects what will be found wrong with the next stream of this task."""
    trouble: list[Exception] = []
    _watched.set(trouble)
    return trouble


def hook(check: Check) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Return a response hook for an SDK's HTTP client; `check` says what is wrong with the data of
    one event."""

    async def look(response: httpx2.Response) -> None:
        trouble = _watched.get()
        kind = response.headers.get("content-type", "")
        if trouble is not None and response.status_code == 200 and "event-stream" in kind:
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _Checked(response.stream, check, trouble)

    return look


class _Checked(httpx2.AsyncByteStream):
    """Byte stream that drops everything from the first bad event on, and reads on to the end."""

    def __init__(
        self, stream: httpx2.AsyncByteStream, check: Check, trouble: list[Exception]
    ) -> None:
        self._stream = stream
        self._check = check
        self._trouble = trouble

    async def __aiter__(self) -> AsyncIterator[bytes]:
        rest = b""
        # To its very end, also when nothing more is passed on: only so everything is closed.
        async for piece in self._stream:
            *events, rest = (rest + piece).replace(b"\r\n", b"\n").split(b"\n\n")
            for event in events:
                if passed := self._passed(event):
                    yield passed
        if passed := self._passed(rest):
            yield passed

    async def aclose(self) -> None:
        await self._stream.aclose()

    def _passed(self, event: bytes) -> bytes:
        """Return the bytes of an event, or nothing if it is dropped. In ASCII: the SDKs take some
        other characters for the end of a line, in the middle of what the model says."""
        if self._trouble or not event.strip():
            return b""
        try:
            lines = event.decode().split("\n")
            named = [line for line in lines if line.startswith("event:")]
            data = "\n".join(_value(line) for line in lines if line.startswith("data:"))
            if data.strip() == "[DONE]":
                return b""  # where SDKs drop the stream; it ends by itself
            if not data:
                if all(line.startswith((":", "event:", "id:", "retry:")) for line in lines):
                    return b""
                raise ValueError(f"this is no event: {event[:200]!r}")
            body = json.loads(data)
        except ValueError as error:  # half JSON, and no text at all
            self._trouble.append(error)
            return b""
        wrong = self._check(body)
        if wrong is not None:
            self._trouble.append(wrong)
            return b""
        return "\n".join([*named, f"data: {json.dumps(body)}", "", ""]).encode("ascii", "replace")


def _value(line: str) -> str:
    return line.removeprefix("data:").removeprefix(" ")
