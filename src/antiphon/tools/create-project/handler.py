"""Project creation."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    project = await context.workspace.projects.create(
        context.session.user,
        args["name"],
        args["description"],
        key=context.idempotency_key,
    )
    return ok({"project": project.to_dict()})
