"""Playbook search."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.workspace.playbooks.search(args["query"])
    return ok({"results": found, "count": len(found)})
