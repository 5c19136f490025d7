"""Workflow run; an interrupted run resumes after its last finished step."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
    """Refuse what cannot run before a task is made of it; use the workflow's name as written."""
    found = await context.workspace.workflows.ready(args["workflow_name"], args["input"])
    return {**args, "workflow_name": found.name}


async def execute(args: dict[str, Any], context: Any) -> Any:
    return ok(await context.workspace.workflows.run(context, args["workflow_name"], args["input"]))
