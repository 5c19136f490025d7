"""Errors of handlers: the refusal of one argument."""

from __future__ import annotations

from typing import Any

from antiphon.contracts import ErrorType, ToolError


def invalid(pointer: str, message: str, **details: Any) -> ToolError:
    """Return the VALIDATION error of the argument at a JSON pointer, for the handler to raise.

    `details` become further members of the error, such as `line` and `column`.
    """
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer, **details)
