"""Listing of the user's macros."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.workspace.macros.all(context.session.user)
    return ok({"macros": [macro.to_dict() for macro in found], "count": len(found)})
