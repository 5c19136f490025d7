"""A call that a person has to approve: what the model gets, what the person gets, what then runs.

python examples/confirmation.py
"""

# ruff: noqa: T201 - it is here to print
from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.registry.builder import build

TOOLS = Path(__file__).parent / "tools"


async def main(folder: Path) -> None:
    artifact = folder / "tool_registry.json"
    report = build([TOOLS], artifact)
    assert report.ok, report.findings

    desk = SimpleNamespace(notes={})
    channel: list[dict[str, Any]] = []  # stands for the person's own socket
    async with Orchestrator(
        Registry.load(artifact).lock(),
        store=f"sqlite:///{folder}/antiphon.db",
        capabilities={"workspace": desk},
    ) as orchestrator:
        session = orchestrator.session(mode="text", user="ada", channel=channel.append)

        args = {"to": "Grace", "text": "The build is green.", "phone": "+44 20 7946 0000"}
        asked = await session.dispatch(ToolCall("call_0123456789", "leave_note", args))
        print("model: ", asked["error"]["type"], asked["error"]["confirmation_request"]["preview"])

        request = channel.pop()
        print("person:", request["type"], [field["value"] for field in request["fields"]])
        args["to"] = "Mallory"  # too late: what was shown is what will run
        done = await session.confirm(request["id"], request["token"], approve=True)
        print("ran:   ", done["data"], list(desk.notes.values()))

        again = await session.confirm(request["id"], request["token"], approve=True)
        print("again: ", again["error"]["type"], again["error"]["message"])

        [(call, outcome)] = session.drain_late_results()  # goes to the model as conversation
        print("model: ", call.name, outcome["ok"])
        await session.end()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))
