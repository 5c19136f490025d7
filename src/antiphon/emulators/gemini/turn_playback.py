"""Playback of turns in an emulated Gemini Live session: replies, their order, and interruption."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from antiphon.emulators.gemini import messages as gemini_messages
from antiphon.emulators.gemini.messages import Message, content, inside
from antiphon.emulators.gemini.setup import INVALID, LiveSetup
from antiphon.emulators.script import Beat
from antiphon.emulators.wire import ServerWebSocket, SocketGone

BAD_KEY = "API key not valid. Please pass a valid API key."

# A reply with one of these ends as it says; any other ends the model's turn.
_ENDS = frozenset(("calls", "complete", "silent", "drop", "close", "error", "status"))
# These are no part of an answer, so a reply to speech that has only these leaves the turn alone.
_ASIDE = frozenset(
    (
        *("hear", "speech", "wait", "usage", "resumption", "go_away", "raw", "duplicate"),
        *("close", "drop", "silent", "status", "error"),
    )
)
_SPOKEN = frozenset(("say", "text", "audio", "thinking"))
_ENDING = frozenset(("silent", "drop", "close", "status"))
BY_SCRIPT = frozenset(("interrupted", "cancel"))
_QUOTA = "You exceeded your current quota, please check your plan and billing details."
_REASONS = {1007: INVALID, 1008: "The operation was aborted.", 1011: "Internal error encountered."}
_MAX_REASON = 123


@dataclass(slots=True)
class LiveServiceState:
    """State of the service beyond one connection: the history behind each resumption handle."""

    handles: dict[str, list[str]] = field(default_factory=dict)
    sessions: int = 0
    calls: int = 0


class LiveTurnPlayback(ABC):
    """The model's side of one session: replies in order, interruption, and resumption handles."""

    def __init__(self, socket: ServerWebSocket, state: LiveServiceState, *, binary: bool) -> None:
        self.socket = socket
        self.state = state
        self.binary = binary
        self.setup = LiveSetup("")
        self.history: list[str] = []
        self.calls: dict[str, str] = {}  # id and name of those that wait for their answer
        self.cancelled: set[str] = set()
        self.answers: list[dict[str, Any]] = []
        self.mute = False
        self.closed_by_us = False
        self.failed: Exception | None = None
        self._cut_off = False  # the turn under way was interrupted
        self._said: list[str] = []
        self._last: bytes | str = b""
        self._in_turn = False  # there is something to interrupt
        self._ending = asyncio.Lock()  # held while the end of a turn is sent
        self._answering: asyncio.Task[None] | None = None
        self._waiting: list[tuple[Beat, ...]] = []
        self._asides: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def resume_with_results(self) -> None:
        """Go on with the turn if no call waits for its answer any more."""

    # -- interruption

    async def interrupt(self, beats: Sequence[Beat]) -> None:
        """End what the model was doing because the person speaks or writes.

        Where the reply of the script interrupts by itself, only the answer under way is stopped.
        """
        answering = bool(self._waiting) or (self._answering is not None and self._in_turn)
        await self.stop_answer()
        if self.mute or kinds(beats) & BY_SCRIPT:
            return
        taken_back = [id_ for id_, name in self.calls.items() if self.setup.blocks(name)]
        if taken_back:
            self.answers.clear()
            await self.send({"toolCallCancellation": {"ids": taken_back}})
        if answering or taken_back:
            await self.send(content(interrupted=True))
            await self._complete(None)

    async def stop_answer(self) -> None:
        """Stop the answer under way, and forget those that wait."""
        self._waiting.clear()
        async with self._ending:
            if self._answering is not None:
                await _end(self._answering)
                self._answering = None

    # -- replies

    def start(self, trigger: str, beats: tuple[Beat, ...] | None) -> None:
        """Play a reply: an answer after the answer under way, anything else beside it."""
        if beats is None or (not beats and trigger not in ("text", "results")):
            return
        found = kinds(beats)
        if trigger not in ("text", "results") and found <= _ASIDE:
            task = asyncio.create_task(self._play(beats), name="emulator aside")
            self._asides.add(task)
            task.add_done_callback(self._asides.discard)
            return
        if not found & _ENDS:
            beats = (*beats, Beat("complete", True))
        self._waiting.append(beats)
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer(), name="emulator answer")

    async def _answer(self) -> None:
        while self._waiting:
            self._in_turn = True
            await self._play(self._waiting.pop(0))
        self._answering = None

    async def _play(self, beats: tuple[Beat, ...]) -> None:
        own_handle = "resumption" in kinds(beats)
        try:
            for number, beat in enumerate(beats, 1):
                if self.mute:
                    return
                if beat.kind in _SPOKEN:
                    self._in_turn = True
                elif number == len(beats):
                    # A client may go on as soon as it has this, before we know that it has.
                    self._in_turn = False
                await self._beat(beat, own_handle=own_handle)
                if beat.kind in _ENDING:
                    return
        except SocketGone:
            return  # nobody is there to hear it
        except Exception as error:  # noqa: BLE001 - told by `run`, which waits for the client
            self.failed = error
            self.socket.abort()

    async def _beat(self, beat: Beat, *, own_handle: bool) -> None:
        match beat.kind:
            case "wait":
                await asyncio.sleep(beat.value)
            case "complete":
                if beat.value:
                    await self._complete(beat, handle=not own_handle)
            case "resumption":
                await self.send(self._update_of(beat))
            case "raw":
                if isinstance(beat.value, str):
                    await self._frame(beat.value.encode())
                else:
                    await self.send(beat.value)
            case "duplicate":
                for _ in range(int(beat.value)):
                    await self.socket.send(self._last)
            case "status":
                code, words = close_of(beat.value, self.setup.model)
                await self.close(code, str(beat.options.get("message", words)))
            case "close":
                reason = beat.options.get("reason", _REASONS.get(beat.value, ""))
                await self.close(beat.value, str(reason))
            case "drop":
                self.closed_by_us = True
                self.socket.abort()
            case "silent":
                self.mute = True
            case _:
                await self._messages(beat)

    async def _messages(self, beat: Beat) -> None:
        if beat.kind == "hear":
            self.history.append(beat.value)
        for message in gemini_messages.of_beat(beat, self.setup, self.state.calls + 1):
            await self.send(message)
        if beat.kind == "cancel":
            await self.resume_with_results()

    async def _complete(self, beat: Beat | None, *, handle: bool = True) -> None:
        self._in_turn = False
        async with self._ending:
            await self._send_end(beat, handle=handle)

    async def _send_end(self, beat: Beat | None, *, handle: bool) -> None:
        if not self._cut_off and not (beat and beat.options.get("generationComplete") is False):
            await self.send(content(generationComplete=True))
        ending = gemini_messages.turn_complete(beat)
        if beat is not None and (more := beat.options.get("with")):
            ending = gemini_messages.merged(ending, more)
        if self._said:
            self.history.append("".join(self._said))
            self._said.clear()
        self._cut_off = False
        await self.send(ending)
        if self.setup.resumption and handle:
            # As the service does it: after the turn, where a reader of one turn does not see it.
            await self.send(self._update_of(Beat("resumption", {})))

    def _update_of(self, beat: Beat) -> Message:
        resumable = beat.value.get("resumable", True)
        body: Message = {"resumable": resumable}
        if resumable:
            number = len(self.state.handles) + 1
            body = {"newHandle": str(beat.value.get("handle") or f"handle-{number}"), **body}
        return gemini_messages.merged(
            {"sessionResumptionUpdate": body}, beat.options.get("with") or {}
        )

    # -- sending

    async def send(self, message: Any) -> None:
        """Send one message, unless the session is muted."""
        if isinstance(message, dict):
            self._notice(message)
        await self._frame(orjson.dumps(message))

    async def _frame(self, data: bytes) -> None:
        if not self.mute:
            self._last = data if self.binary else data.decode()
            await self.socket.send(self._last)

    def _notice(self, message: Message) -> None:
        """Keep track of calls, cancellations, handles and text in the service's own messages."""
        for call in inside(message, "toolCall", "functionCalls", list):
            self.state.calls += 1
            if isinstance(call, dict):
                name = str(call.get("name"))
                self.calls[call.get("id") or f"name:{name}"] = name
        for id_ in inside(message, "toolCallCancellation", "ids", list):
            self.calls.pop(id_, None)
            self.cancelled.add(id_)
        handle = inside(message, "sessionResumptionUpdate", "newHandle", str)
        if handle and inside(message, "sessionResumptionUpdate", "resumable", bool):
            self.state.handles[handle] = list(self.history)
        if inside(message, "serverContent", "interrupted", bool):
            self._cut_off = True
        if words := gemini_messages.said_in(message):
            self._said.append(words)

    async def close(self, code: int, reason: str) -> None:
        self.closed_by_us = True
        short = reason.encode()[:_MAX_REASON].decode(errors="ignore")
        await self.socket.close(code, short)

    async def stop(self) -> None:
        """Cancel every reply, even in the middle of a message that nobody takes."""
        self.mute = True
        self._waiting.clear()
        for task in (self._answering, *self._asides):
            if task is not None:
                await _end(task)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def kinds(beats: Sequence[Beat]) -> frozenset[str]:
    return frozenset(beat.kind for beat in beats)


def close_of(status: int, model: str) -> tuple[int, str]:
    """The close code and reason with which a session says what an HTTP status would."""
    if status in (401, 403):
        return 1007, BAD_KEY
    if status == 404:
        return 1008, (
            f"models/{model} is not found for API version v1, or is not supported for "
            "bidiGenerateContent."
        )
    if status == 429:
        return 1011, _QUOTA
    if status >= 500:
        return 1011, "The service is currently unavailable."
    return 1007, INVALID
