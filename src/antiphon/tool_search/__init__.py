"""Tool search: the tools that a request needs, found by words and by meaning among hundreds."""

from antiphon.tool_search.search import FoundTool, ToolSearch

__all__ = ["FoundTool", "ToolSearch"]
