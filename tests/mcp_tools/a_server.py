"""An MCP server over standard input and output, for the tests: it does what its tools say."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("a server")
notes: list[str] = []


@server.tool()
async def add(a: int, b: int = 1) -> int:
    """Add two numbers. The second is one if it is not given."""
    return a + b


@server.tool()
def note(text: str) -> str:
    """Write a note down."""
    notes.append(text)
    return f"{len(notes)} notes"


@server.tool()
def fail() -> str:
    """Always fail."""
    raise ValueError("the disk is full")


@server.tool()
def flood(size: int) -> str:
    """Answer with a long text."""
    return "x" * size


@server.tool()
async def count(to: int, ctx: Context[Any, Any]) -> str:
    """Count, and tell how far it is."""
    for number in range(to):
        await ctx.report_progress(number, to, f"at {number}")
    return "done"


@server.tool()
async def hang() -> str:
    """Never answer."""
    await asyncio.Event().wait()
    return ""


@server.tool()
def die(text: str) -> str:
    """End in the middle of a call."""
    del text
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio")
