"""MCP errors: why a server cannot be used, in words."""

from __future__ import annotations


class McpError(Exception):
    """An MCP server cannot be used; the message names it and says why."""


def reason_of(error: BaseException) -> str:
    """The words of an error; of several at once, those of the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
