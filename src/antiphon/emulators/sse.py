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
    """One answer that comes event by event. It begins with the first event that is sent.

    Once it is `over` (ended properly, cut, or left by the client) nothing more can be sent.
    """

    def __init__(self, reply: HttpReply, headers: dict[str, str] | None = None) -> None:
        self.reply = reply
        self.over = False
        self._headers = {**_HEADERS, **(headers or {})}
        self._last = b""

    async def send(self, data: Any, event: str | None = None) -> None:
        """One event; `data` is sent as JSON, a text as it is."""
        text = data if isinstance(data, str) else orjson.dumps(data).decode()
        lines = [f"event: {event}"] if event else []
        lines += [f"data: {line}" for line in text.split("\n")]
        await self._put("\n".join([*lines, "", ""]).encode())

    async def begin(self) -> None:
        """The headers, when nothing was sent yet."""
        if not self.reply.started:
            await self.reply.start(200, self._headers)

    async def finish(self) -> None:
        """The proper end of the answer, whatever was said until now."""
        if not self.over:
            await self.begin()
            self.over = True
            await self.reply.finish()

    async def play(self, beat: Beat) -> bool:
        """Do a beat that is the same for every API; False when it is none of those."""
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
                self.over = self.reply.was_cut
        return True

    async def _put(self, data: bytes) -> None:
        if self.over:
            return
        await self.begin()
        self._last = data
        await self.reply.send(data)


async def play_fault(beat: Beat, reply: HttpReply) -> bool:
    """Do `wait`, `drop` or `silent`, which need no answer to have begun; False for other beats.

    Raises SocketGone when the client leaves meanwhile.
    """
    match beat.kind:
        case "wait":
            try:
                async with asyncio.timeout(float(beat.value)):
                    await reply.gone()
            except TimeoutError:
                return True
            raise SocketGone("the client has not waited")
        case "drop":
            reply.cut()
        case "silent":
            await reply.gone()
            raise SocketGone("the client has left")
        case _:
            return False
    return True


class ReplyRenderer(ABC):
    """Plays the beats of one answer, streamed as events or whole. Each API fills in the words.

    Beats that a request API has nothing for (audio, what an ear hears, resumption …) are passed
    over, so that one script serves every provider. The client leaving is heard as `interrupt`.
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
        """The message that ends the turn; None is the usual reason."""

    @abstractmethod
    def error(self, beat: Beat) -> tuple[int, dict[str, Any], dict[str, str]]:
        """The HTTP status, body and headers of an `error` or `status` beat."""

    @abstractmethod
    def whole(self) -> dict[str, Any]:
        """The body of an answer that is not streamed, from `chunks`."""

    async def finished(self) -> None:
        """What follows the last message of a stream that ended as it should."""
        return

    @staticmethod
    def error_options(beat: Beat) -> dict[str, Any]:
        """What a script says of an `error` or `status` beat."""
        return {**beat.options, **(beat.value if beat.kind == "error" else {})}

    # -- the beats

    async def tell(self, beats: Iterable[Beat]) -> None:
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
            self.playback.heard("interrupt", {})
            raise

    async def put(self, data: Any) -> None:
        """One message of the answer."""
        self.chunks.append(data)
        if self.stream is not None:
            await self.stream.send(data)

    async def _ends(self, beat: Beat) -> bool:
        """Do one beat; whether nothing can follow it."""
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
                    await self.reply.whole(status, body, headers)
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
                await self.reply.whole(200, body_bytes, {"content-type": "application/json"})
                return True
            case "close":
                self.reply.cut()
                return True
            case _:
                await play_fault(beat, self.reply)
                return self.reply.was_cut
        return False

    async def _status(self, beat: Beat) -> bool:
        if self.reply.started:
            self.playback.problem(f"script: status {beat.value} after the answer has begun")
            self.reply.cut()
        else:
            await self.reply.whole(*self.error(beat))
        return True

    async def _finish(self) -> None:
        if self.stream is None:
            await self.reply.whole(200, self.whole())
        else:
            await self.finished()
            await self.stream.finish()
