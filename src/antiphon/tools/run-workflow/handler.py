"""Runs a workflow; a run that was cut off goes on after its last finished step."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    return ok(await context.workspace.workflows.run(context, args["workflow_name"], args["input"]))
