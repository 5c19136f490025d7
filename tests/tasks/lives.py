"""A process that starts a task and is killed while that runs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

from tests.tasks.world import SECONDS, node

from antiphon import Registry, ToolCall

SESSION = "s1"


async def _live(artifact: str, url: str, tool: str, folder: str) -> None:
    async with node(url, tools=Registry.load(artifact)) as orchestrator:
        session = orchestrator.session("text", "ada", id=SESSION)
        await orchestrator.save(session)
        call = ToolCall("call_00000001", tool, {"folder": folder})
        envelope = await session.dispatch(call)
        (Path(folder) / "answer").write_text(envelope["data"]["task_id"])
        await asyncio.Event().wait()


def killed_while_running(artifact: Path, url: str, tool: str, folder: Path) -> str:
    """The id of a task whose process is no more. Its handler had begun."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tasks.lives", str(artifact), url, tool, str(folder)]
    )
    try:
        deadline = monotonic() + SECONDS
        while not ((folder / "begun").exists() and (folder / "answer").exists()):
            assert process.poll() is None, "the process ended by itself"
            assert monotonic() < deadline, "the task did not begin"
            sleep(0.005)
    finally:
        process.kill()
        process.wait()
    return (folder / "answer").read_text()


if __name__ == "__main__":
    asyncio.run(_live(*sys.argv[1:]))
