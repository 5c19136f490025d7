"""Background tools, and orchestrators that run them as tasks."""

from __future__ import annotations

import asyncio
import atexit
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.orchestrator.helpers import ASKED, LOGIN, PURE, WRITE, Workshop, built, write_tool

from antiphon import Orchestrator, Registry
from antiphon.contracts import Envelope
from antiphon.contracts.tasks import Task, TaskBackend
from antiphon.orchestrator.session import Session
from antiphon.tasks import TaskRunner

SECONDS = 60.0

# For processes that are killed: what they did is in files, and so is when they may go on.
ON_FILES = """\
import asyncio
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    folder = Path(args["folder"])
    with (folder / "begun").open("a") as file:
        file.write(context.idempotency_key + "\\n")
    context.progress("begun", 0.5)
    while not (folder / "gate").exists():
        await asyncio.sleep(0.005)
    with (folder / "done").open("a") as file:
        file.write(context.idempotency_key + "\\n")
    return ok({{"by": context.session.id}})
"""
RECONCILED = (
    ON_FILES
    + """

async def reconcile(key):
    return ok({{"found": key}})
"""
)
STEPS = """\
from antiphon import ok


async def execute(args, context):
    for number in range(3):
        yield {{"message": f"step {{number}}", "number": number}}
    yield ok({{"steps": 3}})
"""
PARENT = """\
from antiphon import ok


async def execute(args, context):
    return ok({{"inner": await context.call_tool("keep", args)}})
"""
FOLDER = {
    "type": "object",
    "properties": {"folder": {"type": "string"}},
    "required": ["folder"],
    "additionalProperties": False,
}
BACKGROUND = {"execution": "background"}
SHAPE = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def write_file_tools(folder: Path) -> None:
    on_files: dict[str, tuple[str, dict[str, Any]]] = {
        "safe_on_files": (ON_FILES, {**WRITE, "idempotent": True}),
        "once_on_files": (ON_FILES, WRITE),
        "read_on_files": (ON_FILES, PURE),
        "known_on_files": (RECONCILED, WRITE),
    }
    for tool_id, (handler, contract) in on_files.items():
        write_tool(folder, tool_id, handler=handler, **contract, **BACKGROUND, parameters=FOLDER)


@cache
def registry() -> Registry:
    home = tempfile.TemporaryDirectory(prefix="antiphon-tasks-")
    atexit.register(home.cleanup)
    folder = Path(home.name) / "tools"
    scripted: dict[str, dict[str, Any]] = {
        "look": PURE,
        "keep": WRITE,
        "keep_safely": {**WRITE, "idempotent": True},
        "keep_until_told": {**WRITE, "interruption": "cancel"},
        "ask": ASKED,
        "sign": {**WRITE, "parameters": LOGIN, "redact": ["/password"]},
        "shaped": {**PURE, "output": SHAPE},
    }
    for tool_id, contract in scripted.items():
        write_tool(folder, tool_id, **{**contract, **BACKGROUND})
    write_tool(folder, "steps", handler=STEPS, **PURE, **BACKGROUND)
    write_tool(folder, "stay", **PURE)
    write_tool(folder, "parent", handler=PARENT, **WRITE)
    write_tool(folder, "parent_task", handler=PARENT, **WRITE, **BACKGROUND)
    write_file_tools(folder)
    return built(folder)


@asynccontextmanager
async def node(
    url: str = "sqlite://",
    *,
    work: Workshop | None = None,
    tools: Registry | None = None,
    **limits: Any,
) -> AsyncIterator[Orchestrator]:
    async with Orchestrator(
        tools or registry(),
        store=url,
        capabilities={"workspace": work or Workshop()},
        environment={},
        tasks=partial(TaskRunner, **limits),
    ) as orchestrator:
        yield orchestrator


def backend(orchestrator: Orchestrator) -> TaskBackend:
    assert orchestrator.background is not None
    return orchestrator.background.backend


async def outcome(orchestrator: Orchestrator, answer: Envelope | str) -> Task:
    """The task of an answer, when it is over."""
    started = answer if isinstance(answer, str) else answer["data"]["task_id"]
    task = await backend(orchestrator).result(started, SECONDS)
    assert task is not None
    assert task.finished, task.status
    return task


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110 - what it is about tells nobody
            await asyncio.sleep(0.002)


async def told(orchestrator: Orchestrator, id: str) -> Task:
    """The task, when both its person and its model are noted to have heard of it."""
    async with asyncio.timeout(SECONDS):
        while True:
            task = await backend(orchestrator).get(id)
            assert task is not None
            if task.client_told and task.model_told:
                return task
            await asyncio.sleep(0.002)


def listening(session: Session) -> list[dict[str, Any]]:
    """What the person of a session is sent from now on."""
    messages: list[dict[str, Any]] = []
    session.channel = messages.append
    return messages
