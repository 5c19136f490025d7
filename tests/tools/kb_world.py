"""The sample knowledge as it ships, embedded once for all tests, and the shipped tools over it."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests.scenarios import run_in
from tests.shipped import shipped_registry

from antiphon import Orchestrator, ToolCall
from antiphon.contracts import envelope_problems
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.capability import Knowledge
from antiphon.knowledge.embedding import default_embedder
from antiphon.knowledge.samples import import_samples
from antiphon.tasks import TaskRunner

SECONDS = 30.0

Call = Callable[..., Awaitable[dict[str, Any]]]


@cache
def scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="antiphon-kb-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def sample_folder() -> Path:
    """A knowledge base with the sample in it, every record embedded, closed. Copy it to write."""
    folder = scratch() / "knowledge"
    with KnowledgeBase.open(folder, embedder=default_embedder()) as base:
        assert import_samples(base)
        for name in base.ids():
            base.database(name).flush()
    return folder


@cache
def sample_base() -> KnowledgeBase:
    """That base, open. For reading only."""
    base = KnowledgeBase.open(sample_folder(), embedder=default_embedder())
    atexit.register(base.close)
    return base


registry = shipped_registry


class World:
    """A session of an orchestrator over a knowledge base; each call has an id of its own."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self._made = 0

    async def call(self, tool: str, /, **args: Any) -> dict[str, Any]:
        self._made += 1
        call = ToolCall(f"call_{self._made:09}", tool, args)
        envelope: dict[str, Any] = await self.session.dispatch(call)
        assert envelope_problems(envelope) == []
        return envelope

    async def outcome(self, tool: str, /, **args: Any) -> dict[str, Any]:
        """The answer to a call; that of its task where it runs as one."""
        envelope = await self.call(tool, **args)
        if not envelope["ok"] or "task_id" not in envelope["data"]:
            return envelope
        tasks = self.session.orchestrator.background.backend
        task = await tasks.result(envelope["data"]["task_id"], SECONDS)
        assert task is not None
        assert task.envelope is not None, task.status
        assert envelope_problems(task.envelope) == []
        found: dict[str, Any] = task.envelope
        return found

    async def data(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = await self.outcome(tool, **args)
        assert envelope["ok"], envelope["error"]
        found: dict[str, Any] = envelope["data"]
        return found

    async def error(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = await self.outcome(tool, **args)
        assert not envelope["ok"], envelope["data"]
        found: dict[str, Any] = envelope["error"]
        return found


@asynccontextmanager
async def within(*, mode: Any = "text", base: KnowledgeBase | None = None) -> AsyncIterator[Any]:
    """Runs a scenario in a session over the sample, or over another base."""
    knowledge = Knowledge(base or sample_base())
    async with Orchestrator(
        registry(), "sqlite://", capabilities={"knowledge": knowledge}, tasks=TaskRunner
    ) as orchestrator:
        yield World(orchestrator.session(mode, "ada"))


def call(tool: str, /, mode: Any = "text", **args: Any) -> dict[str, Any]:
    """The envelope of one call in a session of its own."""
    found: list[dict[str, Any]] = []

    async def scenario(world: World) -> None:
        found.append(await world.outcome(tool, **args))

    run_in(within(mode=mode), scenario)
    return found[0]


def data(tool: str, /, mode: Any = "text", **args: Any) -> dict[str, Any]:
    envelope = call(tool, mode=mode, **args)
    assert envelope["ok"], envelope["error"]
    found: dict[str, Any] = envelope["data"]
    return found


def error(tool: str, /, mode: Any = "text", **args: Any) -> dict[str, Any]:
    envelope = call(tool, mode=mode, **args)
    assert not envelope["ok"], envelope["data"]
    found: dict[str, Any] = envelope["error"]
    return found
