"""Deletes a macro."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    macro = await context.workspace.macros.delete(context.session.user, args["macro_id"])
    return ok({"deleted": macro.id, "name": macro.name, "trigger_phrase": macro.trigger_phrase})
