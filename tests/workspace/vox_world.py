"""The workspace over a store in memory, its own tools, and some with effects that tests can see."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests.orchestrator.helpers import HeldStore, play

from antiphon import Orchestrator, Registry, ToolCall, ToolError
from antiphon.contracts import envelope_problems
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.testing import Clock
from antiphon.workspace import Workspace, open_workspace

__all__ = ["World", "play", "refused", "world"]

OWN = (
    *("navigate-page", "get-current-page", "get-workspace-state", "read-page-content"),
    *("switch-model", "switch-theme", "start-guided-tour", "get-available-tours"),
    *("create-macro", "run-macro", "delete-macro", "list-macros", "check-thermal"),
)
HANDLER = """\
async def execute(args, context):
    return context.workspace.made.does({name!r}, args)
"""
READ = {
    "category": "utility",
    "sideEffects": "read_only",
    "origin": "trusted",
    "outside": False,
    "idempotent": True,
}
WRITE = {
    "category": "action",
    "sideEffects": "writes",
    "origin": "trusted",
    "outside": False,
    "idempotent": False,
}


def takes(*required: str, **properties: Any) -> dict[str, Any]:
    names = {name: {"type": "string", "description": "Text."} for name in required}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": {**names, **properties},
    }


FAKES: dict[str, dict[str, Any]] = {
    "list_graphs": {**READ, "parameters": takes()},
    "list_helpers": {**READ, "parameters": takes()},
    "ask_graph": {**READ, "parameters": takes("database_id", "query")},
    "measure_graph": {**READ, "parameters": takes("database_id")},
    "use_helper": {
        **READ,
        "parameters": takes("tool_id", params={"type": "object", "description": "More."}),
    },
    "digest_text": {**READ, "parameters": takes("_piped_input")},
    "fetch": {**READ, "parameters": takes("query")},
    "read_mail": {**READ, "origin": "untrusted", "parameters": takes("query")},
    "store_note": {**WRITE, "parameters": takes("text")},
    "send_note": {**WRITE, "requiresConfirmation": True, "parameters": takes("text")},
    "for_voice": {**READ, "allowedModes": ["voice"], "parameters": takes()},
}


class Made:
    """What the fakes answer, by their name, and what they were called with, in order."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def does(self, name: str, args: dict[str, Any]) -> Any:
        from antiphon import ok

        self.calls.append((name, args))
        answer = self.answers.get(name, {"got": args})
        if isinstance(answer, list):  # one after the other; the last one stays
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, ToolError):
            raise answer
        return ok(answer)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


@cache
def registry() -> Registry:
    folder = Path(tempfile.mkdtemp(prefix="antiphon-vox-"))
    try:
        for name in OWN:
            shutil.copytree(SHIPPED_TOOLS / name, folder / "tools" / name)
        for tool_id, contract in FAKES.items():
            directory = folder / "tools" / tool_id.replace("_", "-")
            directory.mkdir()
            schema = {
                "toolId": tool_id,
                "version": "1.0.0",
                "description": "Does what tests say.",
                "requiresConfirmation": False,
                "allowedModes": ["text", "voice"],
                "latencyBudgetMs": 2000,
                **contract,
            }
            (directory / "schema.json").write_text(json.dumps(schema))
            (directory / "guide.md").write_text(f"# {tool_id}\n\nDoes what tests say.\n")
            (directory / "handler.py").write_text(HANDLER.format(name=tool_id))
        report = build([folder / "tools"], folder / "tool_registry.json")
        assert report.ok, report.findings
        return Registry.load(folder / "tool_registry.json")
    finally:
        shutil.rmtree(folder)


class TestWorkspace(Workspace):
    __test__ = False
    made: Made


class World:
    """A session and everything around it; each call has an id of its own."""

    def __init__(self, orchestrator: Orchestrator, workspace: TestWorkspace, clock: Clock) -> None:
        self.orchestrator = orchestrator
        self.workspace = workspace
        self.macros = workspace.macros
        self.awareness = workspace.awareness
        self.made = workspace.made
        self.clock = clock
        self.session = self.new_session()
        self._made = 0

    def new_session(self, mode: Any = "text", user: str = "ada", **options: Any) -> Any:
        session = self.orchestrator.session(mode, user, **options)
        self.sent: list[dict[str, Any]] = []
        session.channel = self.sent.append
        return session

    async def call(self, tool: str, /, **args: Any) -> dict[str, Any]:
        self._made += 1
        call = ToolCall(f"call_{self._made:09}", tool, args)
        envelope: dict[str, Any] = await self.session.dispatch(call)
        assert envelope_problems(envelope) == []
        self.session.end_turn()
        return envelope

    async def data(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = await self.call(tool, **args)
        assert envelope["ok"], envelope["error"]
        found: dict[str, Any] = envelope["data"]
        return found

    async def error(self, tool: str, /, **args: Any) -> dict[str, Any]:
        envelope = await self.call(tool, **args)
        assert not envelope["ok"], envelope["data"]
        found: dict[str, Any] = envelope["error"]
        return found

    async def macro(self, name: str, *steps: Any, policy: str = "abort", **more: Any) -> Any:
        """Saved for ada; a name alone is a step without arguments, its phrase is the name."""
        whole = [{"function": step} if isinstance(step, str) else step for step in steps]
        return await self.macros.save("ada", name, name, whole, policy, **more)

    async def run(self, name: str) -> dict[str, Any]:
        return await self.data("run_macro", macro_id=name)


@asynccontextmanager
async def world(store: str = "sqlite://") -> AsyncIterator[World]:
    clock = Clock()
    opened = await asyncio.to_thread(HeldStore.open, store, now=clock.now)
    try:
        workspace = open_workspace(opened, registry().snapshot, now=clock.now)
        workspace.__class__ = TestWorkspace
        workspace.__dict__["made"] = Made()
        async with Orchestrator(
            registry(),
            opened,
            capabilities={"workspace": workspace},
            now=clock.now,
            monotonic=clock.monotonic,
        ) as orchestrator:
            yield World(orchestrator, workspace, clock)  # type: ignore[arg-type]
    finally:
        await opened.close()


async def refused(work: Any) -> ToolError:
    """The ToolError of something that must be refused."""
    try:
        found = await work
    except ToolError as error:
        return error
    raise AssertionError(f"it was not refused: {found!r}")
