"""One life of a server that runs a macro; as a program it is killed in the middle of one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.workspace.workflow_life import make_tools

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.storage import Store
from antiphon.tasks import TaskRunner
from antiphon.workspace import RESUMABLE_TOOLS, Workspace, open_workspace

CALL = ToolCall("call_that_falls", "run_macro", {"macro_id": "fall and rise"})
SESSION = "session"


def make(folder: Path) -> None:
    make_tools(folder, "run-macro")


def steps(folder: Path) -> list[dict[str, Any]]:
    """A write, a step that is killed, and a write of what the first one gave."""
    notes = str(folder / "notes")
    again = {"step": 1, "path": "text", "to": "text"}
    return [
        {"function": "note", "args": {"file": notes, "text": "one"}},
        {"function": "stumble", "args": {"file": str(folder / "fell")}},
        {"function": "note", "args": {"file": notes}, "pipe_from": again},
    ]


@asynccontextmanager
async def life(
    folder: Path, *, resumes: bool = False
) -> AsyncIterator[tuple[Orchestrator, Workspace]]:
    """With `resumes` the server goes on by itself with what an earlier life was cut short in."""
    store = Store.open(f"sqlite:///{folder / 'store.db'}")
    registry = Registry.load(folder / "tool_registry.json")
    workspace = open_workspace(store, registry.snapshot)
    async with (
        store,
        Orchestrator(
            registry,
            store,
            capabilities={"workspace": workspace},
            tasks=TaskRunner if resumes else None,
            resumable=RESUMABLE_TOOLS,
        ) as orchestrator,
    ):
        yield orchestrator, workspace


async def fall(folder: Path) -> None:
    """Saves the macro, inside of another one if there is a file that says so, and runs it."""
    async with life(folder) as (orchestrator, workspace):
        macros = workspace.macros
        session = orchestrator.session("text", "ada", id=SESSION)
        await orchestrator.save(session)
        if (folder / "nested").exists():
            await macros.save("ada", "Inside", "inside", steps(folder))
            inside = [{"function": "run_macro", "args": {"macro_id": "inside"}}]
            await macros.save("ada", "Fall and rise", "fall and rise", inside)
        else:
            await macros.save("ada", "Fall and rise", "fall and rise", steps(folder))
        await session.dispatch(CALL)


if __name__ == "__main__":
    asyncio.run(fall(Path(sys.argv[1])))
