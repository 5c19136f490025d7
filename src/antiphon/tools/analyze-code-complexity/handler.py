"""Code complexity under a second name: complexity_scorer of the catalogue."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

TOOL = "complexity_scorer"
OWN = ("type", "message", "retryable", "partialSideEffects", "retryAfter")


async def execute(args: dict[str, Any], context: Any) -> Any:
    answer = await context.call_tool(TOOL, args)
    if answer["ok"]:
        return ok(answer["data"])
    error = answer["error"]
    return fail(
        ErrorType(error["type"]),
        error["message"],
        retryable=error["retryable"],
        partial_side_effects=error["partialSideEffects"],
        retry_after=error.get("retryAfter"),
        **{name: value for name, value in error.items() if name not in OWN},
    )
