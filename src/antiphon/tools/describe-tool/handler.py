"""Tool guide for the model, which is told of each tool in a line or two only."""

from __future__ import annotations

import difflib
import re
from typing import Any

from antiphon import Context, ErrorType, ToolError, ok

# How people ask for it: for the model that is built in, and of no use to any other.
PHRASES = re.compile(r"^## Phrases\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


async def execute(args: dict[str, Any], context: Context) -> Any:
    usable = _usable(context)
    wanted = args["tool_id"].strip().replace("-", "_")
    tool = usable.get(wanted)
    if tool is None:
        near = difflib.get_close_matches(wanted, usable, n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        message = f"There is no tool {wanted!r} for you here.{hint}"
        raise ToolError(ErrorType.NOT_FOUND, message, nearest=near)
    if tool["handlerPath"].startswith(("mcp:", "openapi:")):
        context.note_source(f"the guide of {wanted}")  # its server wrote it
    return ok(
        {
            "tool_id": wanted,
            "description": tool["description"],
            "needs_approval": tool["requiresConfirmation"],
            "runs": tool["execution"],
            "guide": PHRASES.sub("", tool["documentation"]).strip(),
            "parameters": _parameters(tool["jsonSchema"]),
        }
    )


def _usable(context: Context) -> dict[str, dict[str, Any]]:
    """Return the tools that the agent may call itself or have run from the catalogue."""
    session = context.session
    by_catalogue = session.may_call("run_tool")
    return {
        tool["toolId"]: tool
        for tool in session.tools()
        if session.may_call(tool["toolId"]) or (by_catalogue and "catalogue" in tool)
    }


def _parameters(schema: dict[str, Any]) -> list[dict[str, Any]]:
    required = schema.get("required", [])
    return [
        {
            **(field if isinstance(field, dict) else {}),
            "name": name,
            "required": name in required,
        }
        for name, field in schema.get("properties", {}).items()
    ]
