"""Runs an agent; a run that was cut off goes on after its last finished step."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    return ok(await context.workspace.agents.run(context, args["agent_name"], args["input"]))
