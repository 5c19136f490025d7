"""Server-sent events of request APIs, with every fault that a script can ask for."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import orjson

from antiphon.emulators.base import pieces
from antiphon.emulators.script import Beat, ScriptPlayback
from antiphon.emulators.wire import HttpReply, SocketGone

_HEADERS = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}


class EventStream:
    """A response as server-sent events, which begins with the first event that is sent.

    Once it is `over` (ended properly, aborted, or left by the client) nothing more can be sent.
    """

    def __init__(self, reply: HttpReply, headers: dict[str, str] | None = None) -> None:
        self.reply = reply
        self.over = False
        self._headers = {**_HEADERS, **(headers or {})}
        self._last = b""

    async def send(self, data: Any, event: str | None = None) -> None:
        """Send one event; `data` is sent as JSON, a text as it is."""
        text = data if isinstance(data, str) else orjson.dumps(data).decode()
        lines = [f"event: {event}"] if event else []
        lines += [f"data: {line}" for line in text.split("\n")]
        await self._put("\n".join([*lines, "", ""]).encode())

    async def begin(self) -> None:
        """Send the headers, unless they were sent."""
        if not self.reply.started:
            await self.reply.start(200, self._headers)

    async def finish(self) -> None:
        """End the response properly, whatever was sent until now."""
        if not self.over:
            await self.begin()
            self.over = True
            await self.reply.finish()

    async def play(self, beat: Beat) -> bool:
        """Play a beat that is the same for every API; False when it is none of those."""
        match beat.kind:
            case "raw" if beat.options.get("bare"):
                await self._put(str(beat.value).encode())
            case "raw":
                await self.send(beat.value, beat.options.get("event"))
            case "duplicate":
                for _ in range(int(beat.value)):
                    await self._put(self._last)
            case "close":  # a stream has no codes; it ends before its time
                await self.finish()
            case _:
                if not await play_fault(beat, self.reply):
                    return False
                self.over = self.reply.was_aborted
        return True

    async def _put(self, data: bytes) -> None:
        if self.over:
            return
        await self.begin()
        self._last = data
        await self.reply.send(data)


async def play_fault(beat: Beat, reply: HttpReply) -> bool:
    """Play `wait`, `drop` or `silent`, which need no response to have begun; False for others.

    Raises SocketGone when the client leaves meanwhile.
    """
    match beat.kind:
        case "wait":
            try:
                async with asyncio.timeout(float(beat.value)):
                    await reply.wait_closed()
            except TimeoutError:
                return True
            raise SocketGone("the client has not waited")
        case "drop":
            reply.abort()
        case "silent":
            await reply.wait_closed()
            raise SocketGone("the client has left")
        case _:
            return False
    return True


class ReplyRenderer(ABC):
    """Renders the beats of one reply, streamed as events or whole; each API fills in the format.

    Beats that a request API has nothing for (audio, transcripts, resumption …) are skipped, so that
    one script serves every provider. The client leaving is matched as `interrupt`.
    """

    def __init__(self, playback: ScriptPlayback, reply: HttpReply, *, streamed: bool) -> None:
        self.playback = playback
        self.reply = reply
        self.stream = EventStream(reply) if streamed else None
        self.chunks: list[Any] = []  # what a whole answer is made of
        self.usage: dict[str, Any] = {}
        self.calls_made = 0
        self.completed = False

    # -- what each API says its own way

    @abstractmethod
    async def text(self, text: str) -> None: ...

    @abstractmethod
    async def thinking(self, text: str) -> None: ...

    @abstractmethod
    async def call(self, call: dict[str, Any]) -> None: ...

    @abstractmethod
    async def complete(self, reason: str | None) -> None:
        """Emit the message that ends the turn; None is the usual reason."""

    @abstractmethod
    def error(self, beat: Beat) -> tuple[int, dict[str, Any], dict[str, str]]:
        """The HTTP status, body and headers of an `error` or `status` beat."""

    @abstractmethod
    def whole(self) -> dict[str, Any]:
        """The body of an answer that is not streamed, from `chunks`."""

    async def finished(self) -> None:
        """Emit what follows the last message of a stream that ended as it should."""
        return

    @staticmethod
    def error_options(beat: Beat) -> dict[str, Any]:
        """What a script says of an `error` or `status` beat."""
        return {**beat.options, **(beat.value if beat.kind == "error" else {})}

    # -- the beats

    async def render(self, beats: Iterable[Beat]) -> None:
        """Play the beats, then complete and finish the response unless the script has."""
        beats = tuple(beats)
        for beat in beats:
            if beat.kind == "usage":
                self.usage |= beat.value
        try:
            for beat in beats:
                if await self._ends(beat):
                    return
            if not self.completed:
                await self.complete(None)
            await self._finish()
        except SocketGone:
            self.playback.next_reply("interrupt", {})
            raise

    async def put(self, data: Any) -> None:
        """Emit one message of the response."""
        self.chunks.append(data)
        if self.stream is not None:
            await self.stream.send(data)

    async def _ends(self, beat: Beat) -> bool:
        """Play one beat; True when nothing can follow it."""
        match beat.kind:
            case "say" | "text":
                for piece in pieces(beat.value):
                    await self.text(piece)
            case "oversized":
                await self.text("x" * int(beat.value))
            case "thinking":
                await self.thinking(beat.value)
            case "calls":
                for call in beat.value:
                    await self.call(call)
                    self.calls_made += 1
            case "complete":
                if beat.value is not False:
                    self.completed = True
                    await self.complete(beat.value if isinstance(beat.value, str) else None)
            case "status":
                return await self._status(beat)
            case "error":
                status, body, headers = self.error(beat)
                if self.stream is None:
                    await self.reply.respond(status, body, headers)
                else:
                    await self.stream.send(body)
                    await self.stream.finish()
                return True
            case _ if self.stream is not None:
                await self.stream.play(beat)
                return self.stream.over
            case "raw":
                text = beat.value if isinstance(beat.value, str) else orjson.dumps(beat.value)
                body_bytes = text.encode() if isinstance(text, str) else text
                await self.reply.respond(200, body_bytes, {"content-type": "application/json"})
                return True
            case "close":
                self.reply.abort()
                return True
            case _:
                await play_fault(beat, self.reply)
                return self.reply.was_aborted
        return False

    async def _status(self, beat: Beat) -> bool:
        if self.reply.started:
            self.playback.report_problem(f"script: status {beat.value} after the answer has begun")
            self.reply.abort()
        else:
            await self.reply.respond(*self.error(beat))
        return True

    async def _finish(self) -> None:
        if self.stream is None:
            await self.reply.respond(200, self.whole())
        else:
            await self.finished()
            await self.stream.finish()
