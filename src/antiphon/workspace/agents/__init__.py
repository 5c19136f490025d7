"""Agents, one TOML file each: named pipelines over tools that end in an answer to a text."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from antiphon.workspace.definitions import BadDefinition, Definitions
from antiphon.workspace.name_matching import find
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.pipeline_runs import Ask, PipelineRun, RunCaller, check_input
from antiphon.workspace.runs.pipelines import Pipeline, read_pipeline

SHIPPED = Path(__file__).parent
OWN = "agents"  # in the data folder: those that people put there
_AROUND = ("the", "my", "a", "an", "agent", "run", "start", "ask", "please")


class Agents:
    """All methods raise ToolError and nothing else."""

    def __init__(
        self, steps: RunJournal, ask: Ask | None = None, folders: Sequence[Path] = (SHIPPED,)
    ) -> None:
        self.steps = steps
        self._ask = ask
        self._agents = Definitions(folders, ".toml", _read)

    async def all(self) -> list[Pipeline]:
        """By name."""
        return list((await asyncio.to_thread(self._agents.all)).values())

    async def left_out(self) -> list[tuple[Path, str]]:
        """Files that are no agent, each with what is wrong with it."""
        return await asyncio.to_thread(self._agents.left_out)

    async def find(self, wanted: str) -> Pipeline:
        """The one of that name, as people say it. Raises NotThere with the nearest names."""
        known = await asyncio.to_thread(self._agents.all)
        names = {name: (each.title,) for name, each in known.items()}
        return known[find(wanted, names, "agent", "/agent_name", _AROUND)]

    async def ready(self, agent_name: str, text: str) -> Pipeline:
        """The one that would run, before anything runs. Raises NotThere, and VALIDATION for an
        input that is missing."""
        found = await self.find(agent_name)
        check_input(found, text)
        return found

    async def run(self, caller: RunCaller, agent_name: str, text: str) -> dict[str, Any]:
        """The result of the whole run, as `PipelineRun.whole`, with the name of the `agent`.

        Raises NotThere with the nearest names.
        """
        found = await self.find(agent_name)
        done = await PipelineRun(found, caller, self.steps, self._ask).whole(text)
        return {"agent": found.name, **done}


def _read(name: str, text: str) -> Pipeline:
    try:
        body = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadDefinition(f"it is no TOML: {error}") from None
    return read_pipeline(name, body)
