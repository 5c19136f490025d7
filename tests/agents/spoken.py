"""A spoken conversation with an emulated provider, through its real SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from tests.agents.chatting import EMULATED, own_settings
from tests.agents.voice.stage import Listener
from tests.orchestrator.helpers import Workshop, toolbox

from antiphon import Orchestrator
from antiphon.agents.conversation import Conversation
from antiphon.agents.voice.engine import VoiceEngine, VoiceOptions
from antiphon.contracts.events import HistoryTurn
from antiphon.contracts.session_events import PersonMessage
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate, make
from antiphon.orchestrator import Session
from antiphon.providers import Backends, Deadlines, Setup

MODELS = {
    "gemini": "gemini-2.5-flash-native-audio-preview-12-2025",
    "openai": "gpt-realtime",
    "claude": "claude-sonnet-4-6",
}
PATIENT = Deadlines(connect=5.0, send=5.0, answer=8.0, gap=8.0, request=15.0)


class Spoken:
    def __init__(
        self,
        orchestrator: Orchestrator,
        session: Session,
        engine: VoiceEngine,
        person: Listener,
        work: Workshop,
        emulator: Emulator,
    ) -> None:
        self.orchestrator = orchestrator
        self.session = session
        self.engine = engine
        self.person = person
        self.work = work
        self.emulator = emulator
        self.running: asyncio.Task[str]

    async def got(self, type: str, **fields: Any) -> dict[str, Any]:
        return await self.person.got(type, seconds=20.0, **fields)

    def said(self, role: str = "assistant") -> str:
        """What the person's end was shown of it."""
        found = [m for m in self.person.messages if m["type"] == "transcript" and m["role"] == role]
        return "".join(m["text"] for m in found)

    def asked(self, words: str) -> int:
        """How often the model was asked this."""
        return str(self.emulator.received).count(words)

    async def over(self) -> str:
        async with asyncio.timeout(60):
            return await self.running


@asynccontextmanager
async def spoken(
    vendor: str,
    script: Any,
    *,
    check: bool = True,
    deadlines: Deadlines = PATIENT,
    options: VoiceOptions | None = None,
    here: bool = False,
    manual: bool = False,
) -> AsyncIterator[Spoken]:
    """`here`: the emulator is on the same loop, for tests in virtual time. `manual`: the person
    holds a button to talk."""
    work = Workshop()
    async with AsyncExitStack() as stack:
        if here:
            emulator = await stack.enter_async_context(make(EMULATED[vendor], script))
        else:
            emulator = stack.enter_context(emulate(EMULATED[vendor], script, check=check))
        settings = own_settings(vendor, emulator)
        backends = await stack.enter_async_context(Backends(settings, chosen=vendor))  # type: ignore[arg-type]
        orchestrator = await stack.enter_async_context(
            Orchestrator(toolbox(), capabilities={"workspace": work}, environment={})
        )
        session = orchestrator.session("voice", "ada", provider=vendor)
        person = Listener()

        async def channel(message: dict[str, Any]) -> None:
            person.send(PersonMessage(message))

        session.channel = channel
        base = Setup(
            MODELS[vendor],
            tools=session.declarations(),
            retries=0,
            deadlines=deadlines,
            manual_activity=manual,
        )

        def setup(resume: str | None, history: list[HistoryTurn]) -> Setup:
            return replace(base, resume=resume, history=history)

        engine = VoiceEngine(
            session,
            lambda: backends.provider((vendor, "voice")),  # type: ignore[arg-type]
            setup,
            person,
            Conversation(session.id, orchestrator.store),
            options or VoiceOptions(backoff=0.02),
        )
        held = Spoken(orchestrator, session, engine, person, work, emulator)
        held.running = asyncio.create_task(engine.run())
        try:
            yield held
        finally:
            engine.end("test over")
            async with asyncio.timeout(60):
                await asyncio.gather(held.running, return_exceptions=True)
            if here and check:
                emulator.check()
