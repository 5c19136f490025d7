"""What the built-in model is measured in: the shipped tools over a workspace as a server has it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from antiphon import Orchestrator, Registry
from antiphon.agents.profiles import load_profile, profiles
from antiphon.app.local_model import KnownNames
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.capability import Knowledge
from antiphon.knowledge.embedding import default_embedder
from antiphon.knowledge.samples import import_samples
from antiphon.orchestrator import Session
from antiphon.providers.local import LocalText
from antiphon.providers.port import Access
from antiphon.registry.builder import build
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS
from antiphon.storage import Store
from antiphon.tasks import TaskRunner
from antiphon.workspace import open_workspace
from antiphon.workspace.calendar import Calendar, LocalCalendar
from antiphon.workspace.images import Images
from antiphon.workspace.playbooks import SHIPPED, Playbooks

# A Monday; the dates that the set expects are counted from here.
NOW = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
# What everybody in the set has saved: name, trigger phrase, steps.
MACROS = (
    ("Weekly report", "weekly report", ["list_projects", "list_kgs"]),
    ("Start of day", "start my day", ["check_thermal"]),
    ("Tidy up", "tidy up the workspace", ["list_macros"]),
)


@dataclass
class World:
    provider: LocalText
    orchestrator: Orchestrator
    names: KnownNames
    tools: frozenset[str]  # that conversations have
    writes: frozenset[str]
    macros: dict[str, str]  # the trigger phrase of each macro, by its id

    async def session(self, mode: Any, user: str, tools: frozenset[str] | None = None) -> Session:
        """A session with every shipped tool, or with these, of somebody who has saved the
        macros."""
        keeper = self.orchestrator.capabilities["workspace"].macros
        for name, phrase, functions in MACROS:
            steps = [{"function": function} for function in functions]
            saved = await keeper.save(user, name, phrase, steps, key=f"{user} {name}")
            self.macros[saved.id] = saved.trigger_phrase
        return self.orchestrator.session(mode, user, toolset=tools or self.tools)


@asynccontextmanager
async def world(tools: Path = SHIPPED_TOOLS) -> AsyncIterator[World]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="antiphon-local-")))
        registry = _built(tools, folder / "tool_registry.json")
        snapshot = registry.snapshot()
        chosen = frozenset(n for n, tool in snapshot.tools.items() if "catalogue" not in tool.entry)
        embedder = default_embedder()
        base = stack.enter_context(KnowledgeBase.open(folder / "knowledge", embedder=embedder))
        import_samples(base)
        for name in base.ids():
            base.database(name).flush()
        store = await asyncio.to_thread(Store.open, "sqlite://")
        stack.push_async_callback(store.close)
        playbooks = Playbooks(folder / "playbooks", (SHIPPED,))
        stack.push_async_callback(asyncio.to_thread, playbooks.close)
        names = KnownNames(lambda: base)
        provider = LocalText(
            Access(),
            embed=embedder.embed,
            names=names,
            tools=lambda: [snapshot.declarations()],
            clock=lambda: NOW,
            profiles=lambda: {name: load_profile(name).tools or frozenset() for name in profiles()},
        )
        stack.push_async_callback(provider.close)
        orchestrator = await stack.enter_async_context(
            Orchestrator(
                registry,
                store,
                capabilities={
                    "knowledge": Knowledge(base),
                    "calendar": Calendar(LocalCalendar(store)),
                    "workspace": open_workspace(
                        store,
                        registry.snapshot,
                        playbooks=playbooks,
                        images=Images(folder / "images"),
                    ),
                },
                tasks=TaskRunner,
            )
        )
        await provider.warm()
        writes = frozenset(name for name in chosen if snapshot.tools[name].writes)
        yield World(provider, orchestrator, names, chosen, writes, {})


def _built(tools: Path, artifact: Path) -> Registry:
    report = build([tools, CATALOGUE_TOOLS], artifact)
    if not report.ok:
        raise SystemExit(f"the tools cannot be built: {report.findings}")
    return Registry.load(artifact)
