"""A spoken conversation to test with: a real session, a scripted model, a listener that records."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from tests.orchestrator.helpers import House, house

from antiphon.agents.conversation import Conversation
from antiphon.agents.voice.engine import VoiceEngine, VoiceOptions
from antiphon.contracts.events import HistoryTurn
from antiphon.contracts.session_events import PersonMessage, VoiceEvent
from antiphon.contracts.voice_stream import encode
from antiphon.orchestrator.session import Session
from antiphon.providers.port import Capabilities, Setup
from antiphon.testing.model import EVERYTHING, ScriptedConnection, ScriptedModel


class Listener:
    """The person's end: everything that reached them, in order."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.heard = b""
        self.flushes = 0
        self._news = asyncio.Condition()
        self._looked = 0
        self._waking: set[asyncio.Task[None]] = set()

    def send(self, event: VoiceEvent, turn: int | None = None) -> None:
        self.messages.append(cast("dict[str, Any]", encode(event, turn)))
        self._wake()

    writable = True

    async def send_audio(self, pcm: bytes, turn_id: int) -> None:
        self.send_audio_now(pcm, turn_id)

    def send_audio_now(self, pcm: bytes, turn_id: int) -> None:
        self.heard += pcm
        self.messages.append({"type": "audio", "turn_id": turn_id, "bytes": len(pcm)})
        self._wake()

    def flush(self) -> None:
        self.flushes += 1

    def _wake(self) -> None:
        task = asyncio.ensure_future(self._notify())
        self._waking.add(task)
        task.add_done_callback(self._waking.discard)

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def got(self, type: str, seconds: float = 60.0, **fields: Any) -> dict[str, Any]:
        """The next message of this kind, with these fields. Raises TimeoutError."""

        def found() -> bool:
            while self._looked < len(self.messages):
                message = self.messages[self._looked]
                if message["type"] == type and fields.items() <= message.items():
                    return True
                self._looked += 1
            return False

        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(found)
            self._looked += 1
            return self.messages[self._looked - 1]

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]


class Stage:
    def __init__(self, house: House, session: Session, model: ScriptedModel) -> None:
        self.house = house
        self.session = session
        self.model = model
        self.person = Listener()
        self.engine: VoiceEngine
        self.running: asyncio.Task[str]

    def another(self, options: VoiceOptions | None = None) -> VoiceEngine:
        """The person is back: the same session with another engine, which runs."""
        before = self.engine
        self.engine = VoiceEngine(
            self.session,
            lambda: self.model,
            before._setup,
            self.person,
            before.conversation,
            options,
        )
        self.running = asyncio.create_task(self.engine.run())
        return self.engine

    async def line(self, number: int = 0) -> ScriptedConnection:
        return await self.model.connection(number)

    async def over(self, seconds: float = 60.0) -> str:
        """The reason why the conversation ended."""
        async with asyncio.timeout(seconds):
            return await self.running


@asynccontextmanager
async def stage(
    *,
    options: VoiceOptions | None = None,
    capabilities: Capabilities = EVERYTHING,
    prepare: Callable[[Stage], None] | None = None,
) -> AsyncIterator[Stage]:
    async with house() as h:
        session = h.session("voice")
        s = Stage(h, session, ScriptedModel(capabilities))

        def setup(resume: str | None, history: list[HistoryTurn]) -> Setup:
            return Setup("scripted", resume=resume, history=history)

        async def channel(message: dict[str, Any]) -> None:
            s.person.send(PersonMessage(message))

        session.channel = channel
        conversation = Conversation(session.id, None, h.clock.now)
        s.engine = VoiceEngine(session, lambda: s.model, setup, s.person, conversation, options)
        if prepare:
            prepare(s)
        s.running = asyncio.create_task(s.engine.run())
        try:
            yield s
        finally:
            s.engine.end("test over")
            async with asyncio.timeout(60):
                await asyncio.gather(s.running, return_exceptions=True)
