"""Validation error of an argument: its pointer and what is wrong with it."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError


def invalid(pointer: str, message: str, **details: Any) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer, **details)
