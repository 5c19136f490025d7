"""A text agent on an emulated provider, over the tools of the orchestrator's tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

from tests.orchestrator.helpers import HeldStore, Workshop, toolbox

from antiphon import Orchestrator, Registry
from antiphon.agents.conversation import Conversation
from antiphon.agents.profiles import Profile, ProfileError
from antiphon.agents.text import TextAgent
from antiphon.agents.text_turn import Event
from antiphon.config.settings import ProvidersSettings
from antiphon.contracts.events import HistoryTurn
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import make
from antiphon.orchestrator import Session
from antiphon.providers import Backends, Deadlines
from antiphon.storage import Store
from antiphon.testing import run
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.meter import UsageMeters

T = TypeVar("T")

VENDORS = ("gemini", "openai", "claude")
EMULATED = {"gemini": "gemini", "openai": "openai", "claude": "anthropic"}


def unhurried(main: Coroutine[Any, Any, T]) -> T:
    """Run under virtual time, with the provider on the same loop: a deadline passes only when
    nobody has anything to do. On a busy machine even loopback takes some milliseconds."""
    return run(main, patience=0.2)


def calls(*made: tuple[str, dict[str, Any]] | dict[str, Any], text: str = "") -> list[Any]:
    """The beats of an answer that calls tools, each call with an id of its own."""
    listed = [
        each if isinstance(each, dict) else {"id": _id(*each), "name": each[0], "args": each[1]}
        for each in made
    ]
    return [*([{"text": text}] if text else []), {"calls": listed}, "complete"]


def _id(name: str, args: dict[str, Any]) -> str:
    return f"call_{sha256(repr((name, args)).encode()).hexdigest()[:16]}"


def says(text: str) -> list[Any]:
    return [{"text": text}, "complete"]


def step(on: str, reply: list[Any], **match: Any) -> dict[str, Any]:
    return {"on": on, "with": match, "reply": reply}


class Chat:
    """One agent, one session, and everything that came of what was said."""

    def __init__(
        self, agent: TextAgent, orchestrator: Orchestrator, work: Workshop, emulator: Emulator
    ) -> None:
        self.agent = agent
        self.orchestrator = orchestrator
        self.work = work
        self.emulator = emulator
        self.id: str | None = None

    @property
    def session(self) -> Session:
        assert self.id is not None
        return self.orchestrator.sessions[self.id]

    async def events(self, text: str | None, **options: Any) -> AsyncIterator[Event]:
        turn = await self.agent.open(text, session_id=self.id, **options)
        async with aclosing(turn.events()) as events:
            async for event in events:
                self.id = turn.session.id
                yield event

    async def say(self, text: str | None, **options: Any) -> list[Event]:
        return [event async for event in self.events(text, **options)]

    async def history(self) -> list[HistoryTurn]:
        assert self.id is not None
        return (await Conversation.load(self.orchestrator.store, self.id)).history(100_000)


def only(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event["type"] == kind]


def everything(name: str) -> Profile:
    if name == "nobody":
        raise ProfileError(["There is no profile 'nobody'."])
    return Profile(name)


def own_settings(vendor: str, emulator: Emulator, **more: Any) -> ProvidersSettings:
    access: dict[str, Any] = {"api_key": "test-key", "base_url": emulator.base_url}
    access |= {"ca_file": emulator.ca_file, **more}
    return ProvidersSettings.model_validate({vendor: access})


@asynccontextmanager
async def emulated(
    api: str, script: Any, *, check: bool = True, **options: Any
) -> AsyncIterator[Emulator]:
    """An emulator on the loop of the test, so that virtual time waits for what it does."""
    async with make(api, script, **options) as emulator:
        yield emulator
        if check:
            async with asyncio.timeout(60):
                while emulator.playback.unfinished():  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.005)
    if check:
        emulator.check()


@asynccontextmanager
async def chat(
    vendor: str,
    script: Any,
    *,
    store: str = "sqlite://",
    registry: Registry | None = None,
    work: Workshop | None = None,
    profile: Profile | None = None,
    check: bool = True,
    retries: int = 0,
    deadlines: Deadlines | None = None,
    provider: dict[str, Any] | None = None,
    ledger: Callable[[Store], UsageLedger] | None = None,
    capabilities: dict[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Chat]:
    """The provider is on the same loop, and what the store does takes no virtual time. `ledger`
    counts what the answers cost."""
    work = work or Workshop()
    async with AsyncExitStack() as stack:
        emulator = await stack.enter_async_context(emulated(EMULATED[vendor], script, check=check))
        settings = own_settings(vendor, emulator, **(provider or {}))
        backends = await stack.enter_async_context(Backends(settings, chosen=vendor))  # type: ignore[arg-type]
        opened = await asyncio.to_thread(HeldStore.open, store)
        stack.push_async_callback(opened.close)
        if ledger is not None:
            counting = ledger(opened)
            stack.push_async_callback(counting.close)
            options["spending"] = UsageMeters(counting)
        orchestrator = await stack.enter_async_context(
            Orchestrator(
                registry or toolbox(),
                opened,
                capabilities={"workspace": work, **(capabilities or {})},
                environment={},
                **options,
            )
        )
        agent = TextAgent(
            orchestrator,
            backends,
            everything if profile is None else lambda name: replace(profile, name=name),
            retries=retries,
            deadlines=deadlines,
        )
        yield Chat(agent, orchestrator, work, emulator)
