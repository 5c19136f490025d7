"""Program assembly: the application of a program, made of its tools, model, rules and services."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.facade.program_settings import settle

if TYPE_CHECKING:
    from antiphon.agents.profiles import Profile
    from antiphon.app import Application
    from antiphon.config import Settings
    from antiphon.facade.dependencies import Dependencies
    from antiphon.orchestrator.call_hooks import CallHooks
    from antiphon.plugins import Plugins
    from antiphon.policy import Policy
    from antiphon.registry import Registry


@dataclass(frozen=True, slots=True)
class ProgramAssembly:
    """All that an application is made of. `has_data`: the settings bring a data folder, with
    knowledge, calendar and workspace; else there is a temporary one, and the store is in memory
    unless it is named."""

    registry: Registry
    settings: Settings
    has_data: bool
    profile: Profile
    plugins: Plugins
    dependencies: Dependencies
    hooks: CallHooks
    policy: Policy | None
    store: str | None

    @property
    def settled(self) -> Settings:
        """The settings with the program's profile and model in force."""
        return settle(self.settings, self.profile, None)

    async def open(self, closers: AsyncExitStack) -> Application:
        """Open a new application, which the stack closes. Raises StoreError, DependencyError, and
        what Application raises."""
        from antiphon.app import Application, KnowledgeOptions
        from antiphon.storage import Store

        data: Path | None = None
        if not self.has_data:
            folder = tempfile.TemporaryDirectory(prefix="antiphon-")
            data = Path(closers.enter_context(folder))
        capabilities = await self.dependencies.open(closers)
        url = self.store or (None if self.has_data else "sqlite://")
        now, monotonic = _clocks()
        store = None if url is None else await asyncio.to_thread(Store.open, url, now=now)
        application = Application(
            settle(self.settings, self.profile, data),
            self.registry,
            store=store,
            plugins=self.plugins,
            source="program",
            policy=self.policy,
            capabilities=capabilities,
            services=self.has_data,
            hooks=self.hooks,
            profile=self.profile,
            knowledge=KnowledgeOptions(samples=False),
            now=now,
            monotonic=monotonic,
        )
        return await closers.enter_async_context(application)


def _clocks() -> tuple[Callable[[], float], Callable[[], float]]:
    """Return the wall clock and the monotonic one: the machine's, or those of the event loop where
    it has its own, as that of a test in virtual time does."""
    loop = asyncio.get_running_loop()
    wall_time: Callable[[], float] | None = getattr(loop, "wall_time", None)
    return (time.time, time.perf_counter) if wall_time is None else (wall_time, loop.time)
