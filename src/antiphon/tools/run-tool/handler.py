"""Catalogue tool call through the same gates as every call."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit import relay


async def execute(args: dict[str, Any], context: Any) -> Any:
    tool = context.workspace.catalogue.find(context.session, args["tool_id"])
    answer = await context.call_tool(tool["id"], args["params"])
    if answer["ok"]:
        return ok({"tool_id": tool["id"], "category": tool["category"], "result": answer["data"]})
    return relay(answer, prefix=f"{tool['id']}: ")
