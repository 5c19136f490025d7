"""MCP client: the tools of a Model Context Protocol server as governed tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.mcp.connection import McpServer
    from antiphon.mcp.errors import McpError
    from antiphon.mcp.mcp_tool import McpTool

__all__ = ["McpError", "McpServer", "McpTool"]

__getattr__ = lazy(
    __name__,
    {
        "McpError": "antiphon.mcp.errors",
        "McpServer": "antiphon.mcp.connection",
        "McpTool": "antiphon.mcp.mcp_tool",
    },
    globals(),
)
