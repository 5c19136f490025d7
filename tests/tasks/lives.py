"""A process that starts tasks and is killed while they run."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

from tests.tasks.world import SECONDS, node

from antiphon import Registry, ToolCall

SESSION = "s1"


async def _live(artifact: str, url: str, home: str, *tools: str) -> None:
    async with node(url, tools=Registry.load(artifact)) as orchestrator:
        session = orchestrator.session("text", "ada", id=SESSION)
        await orchestrator.save(session)
        for tool in tools:
            folder = Path(home) / tool
            folder.mkdir()
            call = ToolCall(f"call_{tool}", tool, {"folder": str(folder)})
            envelope = await session.dispatch(call)
            (folder / "answer").write_text(envelope["data"]["task_id"])
        await asyncio.Event().wait()


def killed_while_running(artifact: Path, url: str, home: Path, *tools: str) -> dict[str, str]:
    """The tasks of these tools, by tool. Their process is no more; their handlers had begun."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tasks.lives", str(artifact), url, str(home), *tools]
    )
    awaited = [home / tool / file for tool in tools for file in ("answer", "begun")]
    try:
        deadline = monotonic() + SECONDS
        while not all(file.exists() and file.stat().st_size for file in awaited):
            assert process.poll() is None, "the process ended by itself"
            assert monotonic() < deadline, "the tasks did not begin"
            sleep(0.005)
    finally:
        process.kill()
        process.wait()
    return {tool: (home / tool / "answer").read_text() for tool in tools}


if __name__ == "__main__":
    asyncio.run(_live(*sys.argv[1:]))
