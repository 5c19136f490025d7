"""Function tools: typed functions compiled into the same contracts as tool directories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.registry.functions.function_tool import FunctionTool, tool
    from antiphon.registry.functions.options import UNSET, given
    from antiphon.registry.functions.reference import find_tool

__all__ = ["UNSET", "FunctionTool", "find_tool", "given", "tool"]

__getattr__ = lazy(
    __name__,
    {
        "UNSET": "antiphon.registry.functions.options",
        "FunctionTool": "antiphon.registry.functions.function_tool",
        "find_tool": "antiphon.registry.functions.reference",
        "given": "antiphon.registry.functions.options",
        "tool": "antiphon.registry.functions.function_tool",
    },
    globals(),
)
