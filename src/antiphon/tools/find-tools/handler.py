"""Search among the tools that the agent of this session may call."""

from __future__ import annotations

from typing import Any

from antiphon import Context, ErrorType, ToolError, ok

OWN = "find_tools"


async def execute(args: dict[str, Any], context: Context) -> Any:
    search = context.capabilities.get("tool_search")
    if search is None:
        message = "Tools cannot be searched here: the application has no tool search."
        raise ToolError(ErrorType.PERMANENT, message)
    session = context.session
    usable = {
        entry["toolId"]: entry
        for entry in session.tools()
        if entry["toolId"] != OWN and session.may_call(entry["toolId"])
    }
    found = await search.find(args["need"], list(usable.values()), args.get("limit", 8))
    for each in found:
        if usable[each.tool_id]["handlerPath"].startswith(("mcp:", "openapi:")):
            context.note_source(f"the guide of {each.tool_id}")  # its server wrote it
    return ok(
        {
            "tools": [
                {
                    "tool_id": each.tool_id,
                    "category": usable[each.tool_id]["category"],
                    "summary": usable[each.tool_id]["summary"],
                }
                for each in found
            ],
            "searched": len(usable),
        }
    )
