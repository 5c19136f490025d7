"""Macro run, each step through the gates like any other call."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    return ok(await context.workspace.macros.run(context, args["macro_id"]))
