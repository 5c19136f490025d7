"""OpenAPI: operations of an existing API as governed tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.openapi.document import OpenApiError
    from antiphon.openapi.operation_tool import OperationTool, tools_from_asgi, tools_from_openapi

__all__ = ["OpenApiError", "OperationTool", "tools_from_asgi", "tools_from_openapi"]

__getattr__ = lazy(
    __name__,
    {
        "OpenApiError": "antiphon.openapi.document",
        "OperationTool": "antiphon.openapi.operation_tool",
        "tools_from_asgi": "antiphon.openapi.operation_tool",
        "tools_from_openapi": "antiphon.openapi.operation_tool",
    },
    globals(),
)
