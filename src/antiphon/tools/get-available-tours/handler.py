"""Listing of the guided tours."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    tours = context.workspace.tours.listed()
    return ok({"tours": tours, "count": len(tours)})
