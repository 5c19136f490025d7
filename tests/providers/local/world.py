"""The built-in model over the shipped tools, the sample knowledge and a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

import numpy
from tests.tools.kb_world import registry, sample_base

from antiphon import Orchestrator
from antiphon.agents.profiles import load_profile
from antiphon.app.local_model import KnownNames
from antiphon.contracts import make_meta, success
from antiphon.contracts.definition import FurtherModes
from antiphon.contracts.events import (
    CallAnswer,
    Event,
    Fault,
    HistoryTurn,
    Prompt,
    Ready,
    Text,
    ToolCalls,
    TurnEnded,
)
from antiphon.knowledge.capability import Knowledge
from antiphon.orchestrator import Session
from antiphon.providers.local import LocalText
from antiphon.providers.local.catalogue import read_catalogue
from antiphon.providers.local.router import ToolRouter, VectorMemo
from antiphon.providers.port import Access, Connection, NoTools, Setup, ToolDeclarations
from antiphon.testing import run_real
from antiphon.understanding.model import shipped_understanding

T = TypeVar("T")

# The tools that these tests speak of; others that ship do not change what is tested here.
TOOLS = (
    *("kb_search", "kb_get", "linkedin_lookup", "rank_results", "extract_contacts"),
    *("format_datetime", "start_voice_session", "end_voice_session", "ignore_user"),
    *("list_kgs", "search_kg", "query_kg", "cross_kg_search", "get_kg_analytics", "ingest_to_kg"),
)
MONDAY = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
_vectors: dict[str, Any] = {}


def run(main: Coroutine[Any, Any, T], *, timeout: float = 90.0) -> T:
    """As `run_real`. The sample knowledge stays open for all tests."""
    ready()
    return run_real(main, timeout=timeout, ignore=("*antiphon-kb-*",))


def embed_phrases(texts: Sequence[str]) -> Any:
    """The vectors of tools' texts, each made once for all tests."""
    new = [text for text in dict.fromkeys(texts) if text not in _vectors]
    if new:
        _vectors.update(zip(new, shipped_understanding().router.vectors(new), strict=True))
    return numpy.stack([_vectors[text] for text in texts])


@cache
def names() -> KnownNames:
    return KnownNames(lambda _: nullcontext(sample_base()))


@cache
def ready() -> None:
    """What takes long, once and before any test counts its time."""
    names()()
    every = registry().snapshot().declarations().declared("local")
    memo = VectorMemo(shipped_understanding(), embed_phrases)
    ToolRouter(read_catalogue(every), memo).warm()


def provider(**more: Any) -> LocalText:
    options = {"embed_phrases": embed_phrases, "names": names(), "clock": lambda: MONDAY, **more}
    return LocalText(Access(), **options)


@dataclass
class Said:
    """What came of one utterance."""

    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


class Conversation:
    """A person at one connection; calls go through a session, or are answered with `answers`."""

    def __init__(
        self,
        connection: Connection,
        session: Session | None,
        answers: dict[str, dict[str, Any]] | None = None,
    ) -> None:
        self.connection = connection
        self.session = session
        self.answers = answers or {}

    async def say(self, text: str) -> Said:
        said = Said()
        await self.connection.send(Prompt(text))
        async with asyncio.timeout(60), aclosing(self.connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                said.events.append(event)
                match event:
                    case Text(piece):
                        said.text += piece
                    case ToolCalls(calls):
                        for call in calls:
                            said.calls.append((call.name, call.args))
                            envelope = self.answers.get(call.name)
                            if envelope is None and self.session is not None:
                                envelope = await self.session.dispatch(call)
                            if envelope is None:
                                envelope = done(call.name)
                            await self.connection.send(CallAnswer(call.id, call.name, envelope))
                    case TurnEnded():
                        break
                    case Fault(fatal=True) | Ready():
                        continue
        if self.session is not None:
            self.session.end_turn()
        return said

    @property
    def history(self) -> list[HistoryTurn]:
        history: list[HistoryTurn] = self.connection.history  # type: ignore[attr-defined]
        return history


def done(tool: str, **data: Any) -> dict[str, Any]:
    return success(data, [], make_meta(tool, "1.0.0", "r1", 1))


def declarations(mode: Any = "text", *tools: str) -> ToolDeclarations:
    return registry().snapshot().declarations(mode, None, tools or TOOLS, further_modes())


@cache
def further_modes() -> FurtherModes:
    """The calendar by voice, as the console's profile has it."""
    return load_profile("workspace").modes


@asynccontextmanager
async def talking(
    mode: Any = "text",
    *,
    tools: Sequence[str] = (),
    answers: dict[str, dict[str, Any]] | None = None,
    history: Sequence[HistoryTurn] = (),
    elsewhere: Sequence[str] = (),
    **more: Any,
) -> AsyncIterator[Conversation]:
    """A conversation whose calls are answered by `answers`, else with an empty success.
    `elsewhere` are tools that the person has in writing only."""
    made = provider(**more)
    try:
        other = declarations("text", *elsewhere) if elsewhere else NoTools()
        setup = Setup("local", tools=declarations(mode, *tools), elsewhere=other, history=history)
        async with await made.connect(setup) as connection:
            yield Conversation(connection, None, answers)
    finally:
        await made.close()


@asynccontextmanager
async def working(mode: Any = "text", user: str = "ada") -> AsyncIterator[Conversation]:
    """A conversation whose calls run: real gates, real tools, the sample knowledge."""
    made = provider()
    knowledge = Knowledge(sample_base())
    try:
        async with Orchestrator(
            registry(), "sqlite://", capabilities={"knowledge": knowledge}
        ) as orchestrator:
            session = orchestrator.session(mode, user, toolset=TOOLS, modes=further_modes())
            setup = Setup("local", tools=session.declarations())
            async with await made.connect(setup) as connection:
                yield Conversation(connection, session)
            await session.end("tested")
    finally:
        await made.close()
