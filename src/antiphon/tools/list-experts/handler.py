"""Listing of the experts."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.workspace.experts.all()
    return ok({"experts": [expert.to_dict() for expert in found], "count": len(found)})
