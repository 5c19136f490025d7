"""Macro creation."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    macro = await context.workspace.macros.save(
        context.session.user,
        args["name"],
        args["trigger_phrase"],
        args["steps"],
        args["error_policy"],
        key=context.idempotency_key,
        may_call=context.session.may_call,
    )
    return ok({"macro": macro.to_dict()})
