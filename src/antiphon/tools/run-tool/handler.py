"""Catalogue tool call through the same gates as every call."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

OWN = ("type", "message", "retryable", "partialSideEffects", "retryAfter")


async def execute(args: dict[str, Any], context: Any) -> Any:
    tool = context.workspace.catalogue.find(context.session, args["tool_id"])
    answer = await context.call_tool(tool["id"], args["params"])
    if answer["ok"]:
        return ok({"tool_id": tool["id"], "category": tool["category"], "result": answer["data"]})
    error = answer["error"]
    return fail(
        ErrorType(error["type"]),
        f"{tool['id']}: {error['message']}",
        retryable=error["retryable"],
        partial_side_effects=error["partialSideEffects"],
        retry_after=error.get("retryAfter"),
        **{name: value for name, value in error.items() if name not in OWN},
    )
