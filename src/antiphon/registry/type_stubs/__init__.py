"""Typed stubs: the arguments and results of a registry's tools as Python or TypeScript types."""

from antiphon.registry.type_stubs.model import ToolTypes, tool_types
from antiphon.registry.type_stubs.python import python_stubs
from antiphon.registry.type_stubs.typescript import typescript_stubs

__all__ = ["ToolTypes", "python_stubs", "tool_types", "typescript_stubs"]
