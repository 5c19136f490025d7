"""Expert chat: one question to a configured expert."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    answer = await context.workspace.experts.chat(context, args["expert_id"], args["message"])
    return ok(answer)
