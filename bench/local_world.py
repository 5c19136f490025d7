"""What the built-in model is measured in: the shipped tools over a workspace as a server has it."""

from __future__ import annotations

import asyncio
import inspect
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from antiphon import Orchestrator
from antiphon.agents.profiles import load_profile, profiles
from antiphon.app import Application, load_tools
from antiphon.app.local_model import KnownNames
from antiphon.config import Settings
from antiphon.knowledge.embedding import default_embedder
from antiphon.orchestrator import Session
from antiphon.providers.local import LocalText
from antiphon.providers.port import Access
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS

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
        settings = Settings.model_validate(
            {
                "mode": "production",
                "data": folder,
                "store": {"url": "sqlite://"},
                "tools": {"folders": [tools, CATALOGUE_TOOLS]},
                "calendar": {"time_zone": "UTC"},
            }
        )
        registry = load_tools(settings)
        snapshot = registry.snapshot()
        chosen = frozenset(n for n, tool in snapshot.tools.items() if "catalogue" not in tool.entry)
        application = await stack.enter_async_context(Application(settings, registry))
        base = await asyncio.to_thread(application.knowledge.base)
        for name in base.ids():
            base.database(name).flush()
        names = KnownNames(application.organisation_knowledge.base)
        # Not the application's: this one lives on a day of its own.
        # A revision before the trained model has an embedder instead.
        takes = inspect.signature(LocalText.__init__).parameters
        older: dict[str, Any] = {"embed": default_embedder().embed} if "embed" in takes else {}
        provider = LocalText(
            Access(),
            **older,
            names=names,
            tools=lambda: [snapshot.declarations()],
            clock=lambda: NOW,
            profiles=lambda: {name: load_profile(name).tools or frozenset() for name in profiles()},
        )
        stack.push_async_callback(provider.close)
        await provider.warm()
        writes = frozenset(name for name in chosen if snapshot.tools[name].writes)
        yield World(provider, application.orchestrator, names, chosen, writes, {})
