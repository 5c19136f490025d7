"""Analytics of a knowledge database in numbers."""

from __future__ import annotations

from typing import Any

from antiphon import ok

# Lists in it go from most to least important, so that the first few say most.
LONGEST = {"voice": 3, "text": 10}


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.knowledge.analytics(args["database_id"])
    return ok(
        {"database_id": args["database_id"], "analytics": shortened(found, LONGEST[context.mode])}
    )


def shortened(value: Any, longest: int) -> Any:
    if isinstance(value, dict):
        return {name: shortened(inner, longest) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [shortened(inner, longest) for inner in value[:longest]]
    return value
