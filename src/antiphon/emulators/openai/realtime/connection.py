"""Realtime connection: one conversation, its audio buffer, and its one response at a time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from antiphon.emulators.base import RATE, Emulator
from antiphon.emulators.openai.realtime.reply import play
from antiphon.emulators.openai.realtime.response import EmulatedResponse
from antiphon.emulators.openai.realtime.session import MAX_SESSION, EmulatedRealtimeSession
from antiphon.emulators.script import Beat
from antiphon.emulators.wire import ServerWebSocket

_numbers = itertools.count(1)
_INSTEAD = ("close", "drop", "silent", "error")


def ms_of(size: int) -> float:
    """The duration in milliseconds of so many bytes of PCM16."""
    return size * 1000 / (2 * RATE)


class EmulatedRealtimeConnection:
    """One connection: session, conversation, audio buffer, and the events sent to the client."""

    def __init__(self, emulator: Emulator, socket: ServerWebSocket, model: str) -> None:
        self.socket = socket
        self.options: Mapping[str, Any] = emulator.playback.script.options
        self.lifetime = float(self.options.get("expires_in", MAX_SESSION))
        self.session = EmulatedRealtimeSession(self.name("sess"), model, self.lifetime)
        self.conversation = self.name("conv")
        self.active: EmulatedResponse | None = None
        self.asked: asyncio.Task[None] | None = None  # the reply that is to be a response soon
        self.silent = False
        self.last = ""  # the last message that was sent
        self.texts: list[str] = []  # everything that was said or written, in order
        self.items: dict[str, dict[str, Any]] = {}
        self.audio: dict[str, int] = {}  # bytes of speech in each item of the model
        self.calls: dict[str, Any] = {}  # every call there ever was, and its name
        self.outstanding: dict[str, Any] = {}  # those without an output
        self.buffered = 0  # bytes of the person's speech that are not an item yet
        self._emulator = emulator
        self._all_audio = 0
        self._heard_audio = 0  # since the last step of the script
        self._speech: str | None = None  # the item that speech in progress will be
        self._said: str | None = None  # the last item that is speech of the person
        self._tasks: set[asyncio.Task[None]] = set()

    # -- the wire

    @staticmethod
    def name(kind: str) -> str:
        return f"{kind}_{next(_numbers):06d}"

    async def send(self, text: str) -> None:
        self.last = text
        if not self.silent:
            await self.socket.send(text)

    async def event(self, type: str, **fields: Any) -> None:
        same = self.options.get("event_ids") == "same"
        body = {"type": type, "event_id": "event_0" if same else self.name("event"), **fields}
        await self.send(orjson.dumps(body).decode())

    def report_problem(self, text: str) -> None:
        self._emulator.playback.report_problem(text)

    # -- the script

    def next_reply(self, kind: str, facts: Mapping[str, Any]) -> tuple[Beat, ...] | None:
        """Match an event with the script; see ScriptPlayback.next_reply."""
        beats = self._emulator.playback.next_reply(kind, facts)
        if beats is not None:
            self._heard_audio = 0
        return beats

    def awaited_event(self) -> str | None:
        """The event that the next step of the script waits for."""
        step = self._emulator.playback.next_step
        return step.on if step else None

    def would_match(self, kind: str, facts: Mapping[str, Any]) -> bool:
        """Whether the script has a reply to this event, without advancing it."""
        step = self._emulator.playback.next_step
        rules = self._emulator.playback.script.rules
        return any(s.fits(kind, facts) is not None for s in ((step,) if step else rules))

    def reply(
        self, kind: str, beats: Sequence[Beat], event_id: str | None = None, *, asked: bool = False
    ) -> None:
        """Play a reply as a task; `asked` marks it as the response that the client asked for."""
        if not beats and not asked:
            return
        task = asyncio.create_task(play(self, kind, beats, event_id), name="emulator reply")
        self._tasks.add(task)
        if asked:
            self.asked = task
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self.asked is task:
            self.asked = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self.report_problem(f"the emulator itself failed: {error!r}")
            self.socket.abort()

    async def finish(self) -> None:
        """Cancel every reply."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def replaces_setup(self, beats: Sequence[Beat]) -> bool:
        """Whether the script has the setup fail, in place of `session.updated`."""
        first = next((beat.kind for beat in beats if beat.kind != "wait"), None)
        return first in _INSTEAD

    # -- responses

    @property
    def busy(self) -> bool:
        return self.active is not None or self.asked is not None

    async def respond(self) -> EmulatedResponse:
        """Begin a new response, cancelling one that is still going on."""
        if self.asked is asyncio.current_task():
            self.asked = None
        await self.stop("turn_detected")
        self.active = response = EmulatedResponse(self)
        await response.begin()
        return response

    async def stop(self, reason: str) -> None:
        """Cancel the response that is going on, if any, and the reply that it is part of."""
        asked, self.asked = self.asked, None
        if asked is not None and asked is not asyncio.current_task():
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            if self.active is None:  # it had no time to begin, but the service says it did
                self.active = EmulatedResponse(self)
                await self.active.begin()
        response = self.active
        if response is None:
            return
        owner = response.owner
        if owner is not None and owner is not asyncio.current_task():
            owner.cancel()
            await asyncio.gather(owner, return_exceptions=True)
        await response.finish("cancelled", reason)

    # -- items

    async def add_item(self, item: dict[str, Any]) -> None:
        previous = next(reversed(self.items), None)
        self.items[item["id"]] = item
        await self.event("conversation.item.added", previous_item_id=previous, item=item)

    # -- what the person says

    def take_audio(self, data: bytes) -> None:
        self.buffered += len(data)
        self._all_audio += len(data)
        self._heard_audio += len(data)

    @property
    def heard_ms(self) -> int:
        return int(ms_of(self._heard_audio))

    async def speech_started(self) -> None:
        if self._speech is None:
            self._speech = self.name("item")
            start = max(0, int(ms_of(self._all_audio - self.buffered)))
            await self.event(
                "input_audio_buffer.speech_started", audio_start_ms=start, item_id=self._speech
            )
        if self.session.listens is not None and self.session.listens["interrupt_response"]:
            await self.stop("turn_detected")

    async def speech_stopped(self) -> None:
        if self._speech is None:
            self.report_problem(
                "the script has `speech: stopped` without `speech: started` before it"
            )
            return
        end = int(ms_of(self._all_audio))
        await self.event(
            "input_audio_buffer.speech_stopped", audio_end_ms=end, item_id=self._speech
        )
        await self.commit()

    async def detect_speech(self) -> None:
        """Send the events of turn detection before the reply, unless the client detects turns."""
        if self.session.listens is not None and (self.buffered or self._speech):
            await self.speech_started()
            await self.speech_stopped()

    async def commit(self) -> None:
        """Commit the audio buffer as a user item."""
        name = self._speech or self.name("item")
        self._speech, self._said, self.buffered = None, name, 0
        previous = next(reversed(self.items), None)
        await self.event("input_audio_buffer.committed", item_id=name, previous_item_id=previous)
        item = {
            "id": name,
            "object": "realtime.item",
            "type": "message",
            "status": "completed",
            "role": "user",
            "content": [{"type": "input_audio", "transcript": None}],
        }
        await self.add_item(item)
        await self.event("conversation.item.done", item=item)

    async def transcribe(self, text: str, pieces: Sequence[str] | None = None) -> None:
        """Send the transcript of the last user item; `pieces` are its deltas.

        The deltas need not add up to the transcript.
        """
        if not self.session.transcribes:
            self.report_problem("the script has `hear`, but the client asked for no transcription")
            return
        if self._said is None or self._speech is not None:  # they are in another utterance by now
            await self.commit()
        assert self._said is not None
        at = {"item_id": self._said, "content_index": 0}
        kind = "conversation.item.input_audio_transcription"
        if not self.options.get("omit_deltas"):
            for piece in (text,) if pieces is None else pieces:
                await self.event(f"{kind}.delta", **at, delta=piece)
        self.texts.append(text)
        self.items[self._said]["content"][0]["transcript"] = text
        usage = {"type": "duration", "seconds": 1}
        await self.event(f"{kind}.completed", **at, transcript=text, usage=usage)
