"""Macro deletion."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
    """Refuse what cannot be deleted before a person is asked about it."""
    await context.workspace.macros.deletable(context.session.user, args["macro_id"])
    return args


async def execute(args: dict[str, Any], context: Any) -> Any:
    macro = await context.workspace.macros.delete(context.session.user, args["macro_id"])
    return ok({"deleted": macro.id, "name": macro.name, "trigger_phrase": macro.trigger_phrase})
