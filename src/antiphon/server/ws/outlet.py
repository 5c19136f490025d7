"""Send queue of a socket: messages and audio in order, bounded, with a deadline."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from struct import Struct
from typing import Any, cast

import orjson
from pybase64 import b64encode

from antiphon._eager import resume
from antiphon.contracts.events import OUTPUT_RATE
from antiphon.contracts.session_events import VoiceEvent
from antiphon.contracts.voice_stream import encode
from antiphon.server.speech_meter import SpeechMeter

logger = logging.getLogger(__name__)

AsgiMessage = MutableMapping[str, Any]
AsgiSend = Callable[[AsgiMessage], Awaitable[None]]
# Sends the bytes of a message synchronously, as text or binary. False: nothing was sent.
TrySend = Callable[[bytes, bool], bool]

MAX_MESSAGES = 256
MAX_AUDIO_BYTES = OUTPUT_RATE * 2  # a second of speech
DEADLINE = 5.0
TRY_AGAIN_LATER = 1013

# The head of a binary frame: the turn that the samples after it belong to.
HEAD = Struct("<I")
SPEECH = b'{"seq":%d,"type":"audio","data":"%b","turn_id":%d}'


class SocketOutlet:
    """Gives everything to the socket at once while that takes it, and keeps it in order otherwise.

    Whoever takes nothing for `deadline` seconds, or lets more than MAX_MESSAGES messages wait, is
    closed with 1013. `abort` cuts the connection of somebody who does not even take that. With
    `try_send` speech takes the fast path.
    """

    def __init__(
        self,
        send: AsgiSend,
        abort: Callable[[], None],
        *,
        try_send: TrySend | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self.binary = False
        self.closed = False
        self.meter: SpeechMeter | None = None  # of what is spoken, where that is limited
        self._asgi = send
        self._abort = abort
        self._try_send = try_send
        self._deadline = deadline
        self._seq = 0
        # What waits, in order: the text of a message, or the turn and samples of a piece of speech.
        self._waiting: deque[str | tuple[int, bytes]] = deque()
        self._messages = 0
        self._audio_bytes = 0
        self._ending: AsgiMessage | None = None
        self._flushes = 0
        self._room: asyncio.Event | None = None
        self._writer: asyncio.Task[None] | None = None

    # -- what is to be sent --------------------------------------------------------------------

    def send(self, event: VoiceEvent, turn: int | None = None) -> None:
        """Send an event, or queue it; never blocks. `turn` is the model's turn that it is of."""
        self.send_message(cast("dict[str, Any]", encode(event, turn)))

    def send_message(self, message: dict[str, Any]) -> None:
        """Send a message in its wire form, or queue it; never blocks."""
        if self.closed:
            return
        text = _json(message)
        if self._writer is None:
            self._write(self._numbered(text))
            return
        self._waiting.append(text)
        self._messages += 1
        if self._messages > MAX_MESSAGES:
            logger.info("a client lets %d messages wait and is closed", self._messages)
            self.end(TRY_AGAIN_LATER, "too many messages wait to be read", now=True)

    async def send_audio(self, pcm: bytes, turn_id: int) -> None:
        """Send a piece of speech, waiting while a second of it is queued already."""
        if self._writer is not None and not await self._wait_for_room():
            return
        if self._writer is None:
            self.send_audio_now(pcm, turn_id)
        elif not self.closed:
            self._waiting.append((turn_id, pcm))
            self._audio_bytes += len(pcm)
            if self.meter is not None:
                self.meter.add(len(pcm))

    @property
    def writable(self) -> bool:
        """Whether nothing is queued, so that `send_audio_now` keeps the order."""
        return self._writer is None

    def send_audio_now(self, pcm: bytes, turn_id: int) -> None:
        """Send a piece of speech synchronously. Only while the outlet is `writable`."""
        if not self.closed:
            if self.meter is not None:
                self.meter.add(len(pcm))
            data = self._speech(turn_id, pcm)
            if self._try_send is None or not self._try_send(data, not self.binary):
                self._write(self._message(data))

    async def _wait_for_room(self) -> bool:
        """Wait until the queue has room for speech; return False if it was flushed meanwhile."""
        flushes = self._flushes
        while self._audio_bytes >= MAX_AUDIO_BYTES and not self.closed:
            if self._room is None:
                self._room = asyncio.Event()
            await self._room.wait()
        return flushes == self._flushes

    def flush(self) -> None:
        """Drop the speech that is still queued."""
        self._flushes += 1
        if self._audio_bytes:
            kept = [each for each in self._waiting if type(each) is str]
            self._waiting.clear()
            self._waiting.extend(kept)
            self._audio_bytes = 0
        self._make_room()

    def end(self, code: int, reason: str, *, now: bool = False) -> None:
        """Close the socket once the queue is sent, or with `now` at once. The first call counts."""
        if self.closed:
            return
        self.closed = True
        message = {"type": "websocket.close", "code": code, "reason": reason[:120]}
        if now:
            self._waiting.clear()
        if self._writer is None:
            self._write(message)
        else:
            self._ending = message
        self._make_room()

    async def drained(self) -> None:
        """Wait until the queue is empty, or the client is gone."""
        while self._writer is not None:
            await asyncio.wait([self._writer])

    async def close(self) -> None:
        """Drop the queue and stop the writer: the socket is gone."""
        self.closed = True
        self._waiting.clear()
        self._make_room()
        writer = self._writer
        if writer is not None:
            writer.cancel()
            await asyncio.wait([writer])
            self._writer = None

    # -- the form on the wire ------------------------------------------------------------------

    def _numbered(self, text: str) -> AsgiMessage:
        # Numbered as it leaves, so that speech that was dropped leaves no gap.
        self._seq += 1
        return {"type": "websocket.send", "text": f'{{"seq":{self._seq},{text[1:]}'}

    def _speech(self, turn_id: int, pcm: bytes) -> bytes:
        if self.binary:
            return HEAD.pack(turn_id & 0xFFFFFFFF) + pcm
        self._seq += 1
        return SPEECH % (self._seq, b64encode(pcm), turn_id)

    def _message(self, speech: bytes) -> AsgiMessage:
        if self.binary:
            return {"type": "websocket.send", "bytes": speech}
        return {"type": "websocket.send", "text": speech.decode("ascii")}

    # -- writing -------------------------------------------------------------------------------

    def _write(self, message: AsgiMessage) -> None:
        """Hand it to the socket. If that is full, a task goes on with it and with what follows."""
        work = cast("Coroutine[Any, Any, None]", self._asgi(message))
        try:
            # By hand: while the socket takes everything there is nothing to wait for.
            yielded = work.send(None)
        except StopIteration:
            return
        except (OSError, RuntimeError):
            self._lost()
            return
        self._writer = asyncio.create_task(self._go_on(work, yielded), name="socket writer")

    async def _go_on(self, work: Coroutine[Any, Any, None], yielded: Any) -> None:
        try:
            await self._within_deadline(resume(work, yielded))
            while (message := self._next()) is not None:
                await self._within_deadline(self._asgi(message))
        except TimeoutError:
            await self._cut_off()
        except (OSError, RuntimeError):
            self._lost()
        finally:
            self._writer = None
            self._make_room()

    async def _within_deadline(self, work: Awaitable[None]) -> None:
        async with asyncio.timeout(self._deadline):
            await work

    def _next(self) -> AsgiMessage | None:
        if not self._waiting:
            ending, self._ending = self._ending, None
            return ending
        first = self._waiting.popleft()
        if type(first) is str:
            self._messages -= 1
            return self._numbered(first)
        turn_id, pcm = cast("tuple[int, bytes]", first)
        self._audio_bytes -= len(pcm)
        if self._audio_bytes < MAX_AUDIO_BYTES:
            self._make_room()
        return self._message(self._speech(turn_id, pcm))

    async def _cut_off(self) -> None:
        """They take nothing. If they take the word about it after all, they know why."""
        self._lost()
        reason = f"nothing was read for {self._deadline:g} seconds"
        logger.info("a client is cut off: %s", reason)
        close = self._ending or {
            "type": "websocket.close",
            "code": TRY_AGAIN_LATER,
            "reason": reason,
        }
        try:
            await self._within_deadline(self._asgi(close))
        except TimeoutError:
            self._abort()

    def _lost(self) -> None:
        """Mark the client as gone; whoever reads the socket learns it there."""
        self.closed = True
        self._waiting.clear()
        self._make_room()

    def _make_room(self) -> None:
        if self._room is not None:
            self._room.set()
            self._room = None


def _json(message: dict[str, Any]) -> str:
    try:
        return orjson.dumps(message, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        # Half a character at the end of a piece of a model's text, for one; escaped it is JSON.
        return json.dumps(message, default=str)
