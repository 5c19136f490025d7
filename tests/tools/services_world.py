"""The tools of projects, playbooks, workflows, agents and experts, over the sample knowledge."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from tests.scenarios import run_in
from tests.tools.kb_world import World as Session
from tests.tools.kb_world import sample_base, scratch

from antiphon import Orchestrator, Registry
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.capability import Knowledge
from antiphon.registry.builder import build
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS
from antiphon.storage import Store
from antiphon.tasks import TaskRunner
from antiphon.workspace import Workspace, open_workspace
from antiphon.workspace.playbooks import Playbooks

OWN = (
    *("list-projects", "create-project", "search-playbooks", "run-workflow", "list-agents"),
    *("run-agent", "list-experts", "chat-with-expert"),
)
USED = (
    *("cross-kg-search", "query-kg", "search-kg", "get-kg-analytics", "list-kgs", "ingest-to-kg"),
    *("kb-search", "rank-results", "extract-contacts", "linkedin-lookup", "list-macros"),
    *("check-thermal", "get-workspace-state"),
)
CATALOGUE = (
    *("security-scanner", "secret-scanner", "complexity-scorer", "todo-extractor", "http-fetch"),
)


@cache
def registry() -> Registry:
    """Of the tools that these services have or use, and no others."""
    folder = scratch() / "services"
    for name in (*OWN, *USED):
        shutil.copytree(SHIPPED_TOOLS / name, folder / "tools" / name)
    for name in CATALOGUE:
        shutil.copytree(CATALOGUE_TOOLS / name, folder / "tools" / name)
    report = build([folder / "tools"], folder / "tool_registry.json")
    assert report.ok, report.findings
    return Registry.load(folder / "tool_registry.json")


@cache
def playbooks() -> Playbooks:
    """As they ship, indexed once for all tests."""
    shipped = Playbooks(scratch() / "playbook-index")
    atexit.register(shipped.close)
    return shipped


class World(Session):
    """A session in which each call is a turn of its own."""

    def __init__(self, session: Any, workspace: Workspace) -> None:
        super().__init__(session)
        self.workspace = workspace

    async def call(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = await super().call(tool, **args)
        self.session.end_turn()
        return envelope


@asynccontextmanager
async def within(
    *, mode: Any = "text", base: KnowledgeBase | None = None, ask: Any = None
) -> AsyncIterator[Any]:
    """Runs a scenario in a session over the sample, or over another base."""
    store = Store.open("sqlite://")
    workspace = open_workspace(store, registry().snapshot, ask=ask, playbooks=playbooks())
    capabilities = {"knowledge": Knowledge(base or sample_base()), "workspace": workspace}
    async with (
        store,
        Orchestrator(
            registry(), store, capabilities=capabilities, tasks=TaskRunner
        ) as orchestrator,
    ):
        yield World(orchestrator.session(mode, "ada"), workspace)


def data(tool: str, /, mode: Any = "text", ask: Any = None, **args: Any) -> dict[str, Any]:
    """What one call gives, in a session of its own."""
    found: list[dict[str, Any]] = []

    async def scenario(world: World) -> None:
        found.append(await world.data(tool, **args))

    run_in(within(mode=mode, ask=ask), scenario)
    return found[0]


def error(tool: str, /, mode: Any = "text", **args: Any) -> dict[str, Any]:
    """The error of one call, in a session of its own."""
    found: list[dict[str, Any]] = []

    async def scenario(world: World) -> None:
        found.append(await world.error(tool, **args))

    run_in(within(mode=mode), scenario)
    return found[0]
