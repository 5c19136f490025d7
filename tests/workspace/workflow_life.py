"""One life of a server that runs a workflow; as a program it is killed in the middle of one."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.storage import Store
from antiphon.tasks import TaskRunner
from antiphon.workspace import Workspace
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.workflows import Workflows

NOTE = """\
from pathlib import Path
from antiphon import ok

async def execute(args, context):
    with Path(args["file"]).open("a") as file:
        file.write(args["text"] + "\\n")
    return ok({"text": args["text"]})
"""
STUMBLE = """\
import os
import signal
from pathlib import Path
from antiphon import ok

async def execute(args, context):
    try:
        Path(args["file"]).touch(exist_ok=False)
    except FileExistsError:
        return ok({"stood": True})
    os.kill(os.getpid(), signal.SIGKILL)
"""
NAME = "error-recovery"  # one of those that ship, in words of its own
TEXT = {"type": "string", "description": "Text."}


def make_tools(folder: Path, runner: str) -> None:
    """Builds a registry: the tool that runs, one that writes, and one that kills the process."""
    tools = folder / "tools"
    shutil.copytree(SHIPPED_TOOLS / runner, tools / runner)
    kinds: dict[str, dict[str, Any]] = {
        "note": {
            "category": "action",
            "sideEffects": "writes",
            "origin": "trusted",
            "outside": False,
            "idempotent": False,
        },
        "stumble": {
            "category": "utility",
            "sideEffects": "read_only",
            "origin": "trusted",
            "outside": False,
            "idempotent": True,
        },
    }
    for name, handler in (("note", NOTE), ("stumble", STUMBLE)):
        schema = {
            "toolId": name,
            "version": "1.0.0",
            "description": "For tests.",
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 2000,
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": ["file"],
                "properties": {"file": TEXT, "text": TEXT},
            },
            **kinds[name],
        }
        (tools / name).mkdir()
        (tools / name / "schema.json").write_text(json.dumps(schema))
        (tools / name / "guide.md").write_text(f"# {name}\n\nFor tests.\n")
        (tools / name / "handler.py").write_text(handler)
    report = build([tools], folder / "tool_registry.json")
    assert report.ok, report.findings


def make(folder: Path) -> None:
    """The tools, and a workflow that writes, is killed, and writes again."""
    make_tools(folder, "run-workflow")
    notes = str(folder / "notes")
    steps: list[dict[str, Any]] = [
        {"id": "one", "title": "One", "tool": "note", "args": {"file": notes, "text": "one"}},
        {"id": "fall", "title": "Fall", "tool": "stumble", "args": {"file": str(folder / "fell")}},
        {"id": "two", "title": "Two", "tool": "note", "args": {"file": notes, "text": "two"}},
        {
            "id": "said",
            "title": "Say",
            "otherwise": "Nothing.",
            "sections": [{"text": "{one/text} and {two/text}"}],
        },
    ]
    body = {
        "title": "Fall and rise",
        "description": "For tests.",
        "input": "nothing",
        "needs_input": False,
        "steps": steps,
    }
    (folder / "workflows").mkdir()
    (folder / "workflows" / f"{NAME}.json").write_text(json.dumps(body))


async def life(folder: Path, *, starts: bool) -> dict[str, Any]:
    """Starts the workflow, or goes on with what an earlier life left; the task's envelope."""
    store = Store.open(f"sqlite:///{folder / 'store.db'}")
    workflows = Workflows(RunJournal(store), None, [folder / "workflows"])
    registry = Registry.load(folder / "tool_registry.json")
    capabilities = {"workspace": Workspace(workflows=workflows)}
    async with (
        store,
        Orchestrator(registry, store, capabilities=capabilities, tasks=TaskRunner) as orchestrator,
    ):
        tasks = orchestrator.background.backend
        if starts:
            session = orchestrator.session("text", "ada")
            args = {"workflow_name": NAME}
            answer = await session.dispatch(ToolCall("call_that_falls", "run_workflow", args))
            name = answer["data"]["task_id"]
        else:
            await tasks.resume()
            (left,) = await tasks.list()
            name = left.id
        task = await tasks.result(name, 30.0)
        assert task is not None
        assert task.envelope is not None
        envelope: dict[str, Any] = task.envelope
        return envelope


if __name__ == "__main__":
    asyncio.run(life(Path(sys.argv[1]), starts=True))
