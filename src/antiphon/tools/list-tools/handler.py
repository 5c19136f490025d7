"""Listing of the catalogue tools that this session may run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    tools = context.workspace.catalogue.tools(context.session)
    categories = Counter(tool["category"] for tool in tools)
    return ok({"tools": tools, "count": len(tools), "categories": dict(categories)})
