"""Function tools: typed functions compiled into the same contracts as tool directories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.registry.functions.function_tool import FunctionTool, tool
    from antiphon.registry.functions.reference import find_tool

__all__ = ["FunctionTool", "find_tool", "tool"]

__getattr__ = lazy(
    __name__,
    {
        "FunctionTool": "antiphon.registry.functions.function_tool",
        "find_tool": "antiphon.registry.functions.reference",
        "tool": "antiphon.registry.functions.function_tool",
    },
    globals(),
)
