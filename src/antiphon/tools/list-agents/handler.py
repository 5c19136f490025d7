"""Listing of the agents."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.workspace.agents.all()
    return ok({"agents": [agent.to_dict() for agent in found], "count": len(found)})
