"""Source text check: refusal of what is no source text, with the place."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError


def invalid(pointer: str, message: str, **details: Any) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer, **details)


def text_of(code: str) -> str:
    """The code with plain line ends. Raises ToolError when it is binary data or empty."""
    odd = next((i for i, c in enumerate(code) if c < " " and c not in "\t\n\r\f\v"), None)
    if odd is not None:
        line = code.count("\n", 0, odd) + 1
        raise invalid("/code", f"holds binary data (line {line}); give source text.", line=line)
    if not code.strip():
        raise invalid("/code", "is empty; give source code.")
    return code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
