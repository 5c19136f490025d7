"""Protocol transcript: the last messages between an MCP server and us, and streams that keep it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

import anyio
import orjson
from mcp.shared.message import SessionMessage

from antiphon.secrecy.redaction import REDACTOR

MOST = 200
_MOST_TEXT = 4000
# Log messages, which stay in the transcript.
_LOG = "notifications/message"
# So many in ten seconds are a burst; ten times as many, and the connection is closed.
_WINDOW = 10.0
_BURST = 1000
_FLOOD = 10_000


@dataclass(frozen=True, slots=True)
class ProtocolMessage:
    """One message: by whom, when, its method and id, and its text, redacted and cut."""

    at: float
    sender: Literal["here", "server"]
    method: str
    id: str | None
    text: str


class ProtocolTranscript:
    """The last messages of one server over all its connections."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self.messages: deque[ProtocolMessage] = deque(maxlen=MOST)
        self.dropped = 0

    def add(self, sender: Literal["here", "server"], message: Any) -> None:
        """Keep a message of the SDK."""
        body = message.model_dump(mode="json", by_alias=True, exclude_none=True)
        text = orjson.dumps(body).decode()
        if len(text) > _MOST_TEXT:
            text = f"{text[:_MOST_TEXT]}… ({len(text)} characters)"
        method, number = body.get("method", ""), body.get("id")
        self.messages.append(
            ProtocolMessage(
                self._now(),
                sender,
                str(method)[:200],
                None if number is None else str(number)[:100],
                REDACTOR.clean(text),
            )
        )


class WatchedTransport:
    """A transport of the SDK whose messages are kept, and whose floods are dropped.

    `noticed` is told the method of what the server sends by itself, and whether it is a request;
    `ended` why the stream of its messages is over.
    """

    def __init__(
        self,
        inner: AbstractAsyncContextManager[Any],
        transcript: ProtocolTranscript,
        *,
        noticed: Callable[[str, bool], None],
        ended: Callable[[str], None],
    ) -> None:
        self._inner = inner
        self._transcript = transcript
        self._noticed = noticed
        self._ended = ended

    async def __aenter__(self) -> tuple[Any, Any]:
        read, write = await self._inner.__aenter__()
        return (
            _WatchedRead(read, self._transcript, self._noticed, self._ended),
            _WatchedWrite(write, self._transcript),
        )

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, traceback)


class _WatchedStream:
    """A stream of the SDK, passed through."""

    def __init__(self, inner: Any, transcript: ProtocolTranscript) -> None:
        self._inner = inner
        self._transcript = transcript

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:
        return await self._inner.__aexit__(kind, error, traceback)


class _WatchedWrite(_WatchedStream):
    async def send(self, item: SessionMessage) -> None:
        self._transcript.add("here", item.message)
        await self._inner.send(item)


class _WatchedRead(_WatchedStream):
    def __init__(
        self,
        inner: Any,
        transcript: ProtocolTranscript,
        noticed: Callable[[str, bool], None],
        ended: Callable[[str], None],
    ) -> None:
        super().__init__(inner, transcript)
        self._noticed = noticed
        self._ended = ended
        self._since = time.monotonic()
        self._count = 0

    async def receive(self) -> Any:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
                self._ended("it closed the connection")
                raise
            if not self._is_dropped(item):
                return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    def _is_dropped(self, item: Any) -> bool:
        message = getattr(item, "message", None)
        method = getattr(message, "method", None)
        is_answer = message is not None and method is None
        if is_answer:
            self._transcript.add("server", message)
            return False
        now = time.monotonic()
        if now - self._since > _WINDOW:
            self._since, self._count = now, 0
        self._count += 1
        if self._count > _FLOOD:
            self._ended(f"it sent {_FLOOD} messages that nobody had asked for in seconds")
            raise anyio.EndOfStream
        if message is None or self._count > _BURST:
            self._transcript.dropped += 1
            return True
        self._transcript.add("server", message)
        is_request = getattr(message, "id", None) is not None
        self._noticed(str(method)[:100], is_request)
        return method == _LOG and not is_request
