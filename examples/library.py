"""Antiphon as a library: build a registry of the shipped tools, then call one as a model would.

python examples/library.py
"""

# ruff: noqa: T201 - it is here to print
from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import antiphon
from antiphon import Orchestrator, Registry, ToolCall
from antiphon.registry.builder import build

SHIPPED = Path(antiphon.__file__).parent / "tools"


async def main(folder: Path) -> None:
    artifact = folder / "tool_registry.json"
    report = build([SHIPPED], artifact)
    assert report.ok, report.findings

    registry = Registry.load(artifact).lock()
    async with Orchestrator(registry, store=f"sqlite:///{folder}/antiphon.db") as orchestrator:
        session = orchestrator.session(mode="voice", user="ada")

        call = ToolCall(
            id="call_0123456789",
            name="format_datetime",
            args={"value": "2026-03-03T14:30:00Z", "timezone": "Europe/Paris", "style": "spoken"},
        )
        envelope = await session.dispatch(call)
        print("answer:  ", envelope["data"]["formatted"])

        again = await session.dispatch(call)
        print("replayed:", again["meta"]["replayed"])

        call = ToolCall(
            id="call_0123456790", name="format_datetime", args={"value": "now", "zone": 1}
        )
        refused = await session.dispatch(call)
        print("refused: ", refused["error"]["type"], refused["error"]["message"])

        call = ToolCall(id="call_0123456791", name="start_voice_session", args={})
        refused = await session.dispatch(call)
        print("refused: ", refused["error"]["type"], refused["error"]["message"])

        session.end_turn()
        await session.end()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))
