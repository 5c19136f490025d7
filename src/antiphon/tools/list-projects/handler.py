"""Listing of the user's projects."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.workspace.projects.all(context.session.user)
    return ok({"projects": [project.to_dict() for project in found], "count": len(found)})
